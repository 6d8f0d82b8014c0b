/** What stands in a line of what a model says. See rich-text.ts for what is let through. */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em' | 'strike'; parts: Inline[] }
  | { kind: 'link'; parts: Inline[]; href: string };

/** Deeper than this it is text: nobody means it, and somebody may try. */
export const DEEPEST = 6;
/** A paragraph that is longer is not looked at for marks. */
const LONGEST = 10_000;

/** Where a link may lead; null where it is none. */
export function safeHref(text: string): string | null {
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(text)) return null;
  try {
    return new URL(text).href;
  } catch {
    return null;
  }
}

const emphasis = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'strike'],
  ['*', 'em'],
  ['_', 'em'],
] as const;

export function inline(text: string, depth = 0): Inline[] {
  if (text.length > LONGEST || depth > DEEPEST) return text === '' ? [] : [{ kind: 'text', text }];
  const parts: Inline[] = [];
  let plain = '';
  const push = (part: Inline) => {
    if (plain !== '') parts.push({ kind: 'text', text: plain });
    plain = '';
    parts.push(part);
  };
  for (let at = 0; at < text.length; ) {
    const escaped = /^\\([!-/:-@[-`{-~])/.exec(text.slice(at, at + 2));
    if (escaped !== null) {
      plain += escaped[1];
      at += 2;
      continue;
    }
    const found = marked(text, at, depth);
    if (found === null) {
      plain += text[at];
      at += 1;
      continue;
    }
    push(found.part);
    at = found.next;
  }
  if (plain !== '') parts.push({ kind: 'text', text: plain });
  return parts;
}

function marked(text: string, at: number, depth: number): { part: Inline; next: number } | null {
  const char = text[at]!;
  if (char === '`') return codeSpan(text, at);
  if (char === '[' || (char === '!' && text[at + 1] === '[')) return linkAt(text, at, depth);
  if (char === '<' || char === 'h') return bareLink(text, at);
  for (const [mark, kind] of emphasis) {
    if (!text.startsWith(mark, at)) continue;
    const from = at + mark.length;
    const end = text.indexOf(mark, from + 1);
    const inner = text.slice(from, end);
    // `snake_case`, `2 * 3` and a mark without its fellow are text.
    const isWord = mark.startsWith('_') && /\w/.test(text[at - 1] ?? '');
    const goesOn = mark.startsWith('_') && /\w/.test(text[end + mark.length] ?? '');
    if (end < 0 || isWord || goesOn || /^\s|\s$/.test(inner)) continue;
    return { part: { kind, parts: inline(inner, depth + 1) }, next: end + mark.length };
  }
  return null;
}

function codeSpan(text: string, at: number) {
  const ticks = /^`+/.exec(text.slice(at))![0];
  let end = text.indexOf(ticks, at + ticks.length);
  while (end >= 0 && text[end + ticks.length] === '`') {
    while (text[end] === '`') end += 1;
    end = text.indexOf(ticks, end);
  }
  if (end < 0) return null;
  const code = text.slice(at + ticks.length, end).replace(/^ (.*\S.*) $/s, '$1');
  return { part: { kind: 'code', text: code } as const, next: end + ticks.length };
}

/** A picture is a link to it. What leads nowhere that is safe is its text and its target, as they were written. */
function linkAt(text: string, at: number, depth: number) {
  const found =
    /^!?\[([^\]\n]{0,500})\]\(\s*<?([^\s<>()]{1,2000}(?:\([^\s()]*\)[^\s()]*)?)>?(?:\s+"[^"\n]*")?\s*\)/.exec(
      text.slice(at, at + 2600),
    );
  if (found === null) return null;
  const [whole, label = '', target = ''] = found;
  const href = safeHref(target);
  const next = at + whole.length;
  if (href !== null) {
    const parts = label === '' ? [{ kind: 'text' as const, text: href }] : inline(label, depth + 1);
    return { part: { kind: 'link', parts, href } as const, next };
  }
  const said = label === '' || label === target ? target : `${label} (${target})`;
  return { part: { kind: 'text', text: said } as const, next };
}

function bareLink(text: string, at: number) {
  const before = text[at - 1] ?? ' ';
  const found =
    /^<(https?:\/\/[^\s<>]+)>/i.exec(text.slice(at, at + 2000)) ??
    (/[\w/]/.test(before) ? null : /^(https?:\/\/[^\s<>`"']+)/i.exec(text.slice(at, at + 2000)));
  if (found === null) return null;
  const isAngled = found[0].startsWith('<');
  const target = isAngled ? found[1]! : found[1]!.replace(/[.,;:!?)\]*_]+$/, '');
  const href = safeHref(target);
  if (href === null) return null;
  const part = { kind: 'link', parts: [{ kind: 'text', text: target }], href } as const;
  return { part: part as unknown as Inline, next: at + (isAngled ? found[0].length : target.length) };
}
