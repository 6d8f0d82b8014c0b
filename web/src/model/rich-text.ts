import { DEEPEST, type Inline, inline } from './rich-inline.ts';

/**
 * What a model says, in parts: the Markdown that models write, and nothing of what Markdown lets through. There is no raw
 * HTML, no picture is fetched, and a link is one only where it leads to the web or to mail. Never throws.
 */
export interface ListItem {
  /** Of a list of things to do. */
  checked: boolean | null;
  blocks: Block[];
}

export type Block =
  | { kind: 'paragraph'; parts: Inline[] }
  | { kind: 'heading'; level: number; parts: Inline[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; start: number | null; items: ListItem[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'rule' };

export const richText = (text: string): Block[] => blocksOf(text.replaceAll('\r\n', '\n').split('\n'), 0);

const fenceStart = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const item = /^( *)([-*+]|\d{1,9}[.)])(?: +(.*)|\s*)$/;
const quote = /^ {0,3}> ?/;
const tableRule = /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  let words: string[] = [];
  const flush = () => {
    if (words.length > 0) blocks.push({ kind: 'paragraph', parts: inline(words.join('\n')) });
    words = [];
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const taken = depth > DEEPEST ? null : blockAt(lines, at, depth, words.length > 0);
    if (taken !== null) {
      flush();
      blocks.push(taken.block);
      at = taken.next;
      continue;
    }
    if (line.trim() === '') flush();
    else words.push(line.trim());
    at += 1;
  }
  flush();
  return blocks;
}

interface Taken {
  block: Block;
  next: number;
}

function blockAt(lines: readonly string[], at: number, depth: number, inWords: boolean): Taken | null {
  const line = lines[at]!;
  const fence = fenceStart.exec(line);
  if (fence !== null) return codeAt(lines, at, fence[1]!, fence[2] ?? '');
  const title = heading.exec(line);
  if (title !== null)
    return {
      block: { kind: 'heading', level: title[1]!.length, parts: inline(title[2] ?? '') },
      next: at + 1,
    };
  if (rule.test(line)) return { block: { kind: 'rule' }, next: at + 1 };
  if (quote.test(line)) {
    let end = at;
    while (end < lines.length && quote.test(lines[end]!)) end += 1;
    const inner = lines.slice(at, end).map((each) => each.replace(quote, ''));
    return { block: { kind: 'quote', blocks: blocksOf(inner, depth + 1) }, next: end };
  }
  const first = item.exec(line);
  // In the middle of a paragraph only a list that begins at one is meant.
  if (first !== null && !(inWords && /^\d/.test(first[2]!) && !/^1[.)]/.test(first[2]!)))
    return listAt(lines, at, depth);
  if (line.includes('|') && tableRule.test(lines[at + 1] ?? '') && (lines[at + 1] ?? '').includes('-'))
    return tableAt(lines, at);
  return null;
}

/** To its end, or to the end of what was said so far: an answer that is still coming may be in the middle of one. */
function codeAt(lines: readonly string[], at: number, mark: string, language: string): Taken {
  const isEnd = (line: string) => {
    const text = line.trim();
    return text.length >= mark.length && text === mark[0]!.repeat(text.length);
  };
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end]!)) end += 1;
  const text = lines.slice(at + 1, end).join('\n');
  return { block: { kind: 'code', language, text }, next: Math.min(end + 1, lines.length) };
}

function listAt(lines: readonly string[], at: number, depth: number): Taken {
  const [, indent = '', mark = ''] = item.exec(lines[at]!)!;
  const isNumbered = /\d/.test(mark);
  const groups: string[][] = [];
  let next = at;
  let blank = false;
  for (; next < lines.length; next += 1) {
    const line = lines[next]!;
    const found = item.exec(line);
    const isSibling =
      found !== null && found[1]!.length <= indent.length + 1 && /\d/.test(found[2]!) === isNumbered;
    if (isSibling) groups.push([found[3] ?? '']);
    else if (line.trim() === '') groups.at(-1)!.push('');
    else if (/^ {2,}|^\t/.test(line) || !(blank || found !== null || startsBlock(line)))
      groups.at(-1)!.push(line.replace(/^\t| {1,4}/, ''));
    else break;
    blank = line.trim() === '';
  }
  const items = groups.map((group): ListItem => {
    const todo = /^\[([ xX])\] +/.exec(group[0]!);
    const own = todo === null ? group : [group[0]!.slice(todo[0].length), ...group.slice(1)];
    return { checked: todo === null ? null : todo[1] !== ' ', blocks: blocksOf(own, depth + 1) };
  });
  const start = isNumbered ? Number.parseInt(mark, 10) : null;
  return { block: { kind: 'list', start, items }, next };
}

const startsBlock = (line: string): boolean =>
  fenceStart.test(line) || heading.test(line) || quote.test(line) || rule.test(line);

function tableAt(lines: readonly string[], at: number): Taken {
  let next = at + 2;
  while (next < lines.length && lines[next]!.includes('|')) next += 1;
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split(/(?<!\\)\|/)
      .map((cell) => inline(cell.trim().replaceAll(String.raw`\|`, '|')));
  return {
    block: { kind: 'table', head: cells(lines[at]!), rows: lines.slice(at + 2, next).map(cells) },
    next,
  };
}
