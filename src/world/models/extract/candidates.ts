/** A part of an answer that may be the JSON that was asked for. */
export interface Candidate {
  readonly text: string;
  /** Where it was found, in words. */
  readonly from: string;
  /** Stands within something that was never closed, or goes across: it may be a part of the answer, or too much. */
  readonly isInner?: true;
}

/** Beyond these the rest is not looked at: an answer with hundreds of objects is no answer. */
const mostBare = 24;
const mostRestarts = 8;

/**
 * The parts of an answer that may be the JSON, the likeliest first: tags, the whole, fences, then objects in the
 * prose. Of several of a kind the last is likelier, for answers come after their drafts; of objects in prose the
 * longest. Every pass is linear in the length of the text.
 */
export function findCandidates(answer: string): Candidate[] {
  const text = withoutThoughts(answer);
  const whole = text.trim();
  const isBare = whole.startsWith('{') || whole.startsWith('[');
  const found = [
    ...inTags(text),
    ...(isBare ? [{ text: whole, from: 'the whole answer' }] : []),
    ...inFences(text),
    ...inProse(text),
    ...widest(text),
  ];
  const seen = new Set<string>();
  return found.filter((candidate) => {
    const isNew = candidate.text !== '' && !seen.has(candidate.text);
    seen.add(candidate.text);
    return isNew;
  });
}

/** Some models think aloud first, in drafts that are not meant. */
function withoutThoughts(text: string): string {
  const end = text.indexOf('</think>');
  if (end === -1) return text;
  const after = text.slice(end + '</think>'.length);
  return after.trim() === '' ? text : after;
}

function inTags(text: string): Candidate[] {
  const found: Candidate[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('<json>', at);
    if (start === -1) break;
    const body = start + '<json>'.length;
    const end = text.indexOf('</json>', body);
    if (end === -1) {
      found.push({ text: text.slice(body).trim(), from: 'a <json> tag that is not closed' });
      break;
    }
    found.push({ text: text.slice(body, end).trim(), from: 'a <json> tag' });
    at = end;
  }
  return found.reverse();
}

function inFences(text: string): Candidate[] {
  const found: Candidate[] = [];
  let at = 0;
  for (;;) {
    const open = text.indexOf('```', at);
    if (open === -1) break;
    const line = text.indexOf('\n', open);
    if (line === -1) break;
    const close = text.indexOf('```', line);
    const body = text.slice(line + 1, close === -1 ? text.length : close).trim();
    if (body.startsWith('{') || body.startsWith('['))
      found.push({ text: body, from: close === -1 ? 'a fence that is not closed' : 'a fence' });
    if (close === -1) break;
    at = close + 3;
  }
  return found.reverse();
}

function inProse(text: string): Candidate[] {
  const found: Candidate[] = [];
  let restarts = 0;
  let at = 0;
  while (found.length < mostBare * 8) {
    const start = nextOpening(text, at);
    if (start === -1) break;
    const end = balancedEnd(text, start);
    const inner = restarts > 0 ? { isInner: true as const } : {};
    if (end !== -1) {
      found.push({ text: text.slice(start, end), from: 'the text', ...inner });
      at = end;
      continue;
    }
    found.push({ text: text.slice(start).trim(), from: 'the text, to its end', ...inner });
    restarts += 1;
    if (restarts > mostRestarts) break;
    at = start + 1;
  }
  const isObject = ({ text: body }: Candidate): number => (body.startsWith('{') ? 1 : 0);
  return found.sort((a, b) => isObject(b) - isObject(a) || b.text.length - a.text.length).slice(0, mostBare);
}

/** From the first brace to the last: where quotes are broken, counting goes astray. */
function widest(text: string): Candidate[] {
  return [['{', '}'] as const, ['[', ']'] as const].flatMap(([open, close]) => {
    const start = text.indexOf(open);
    const end = text.lastIndexOf(close);
    return start === -1 || end <= start
      ? []
      : [{ text: text.slice(start, end + 1), from: 'between the outermost braces', isInner: true as const }];
  });
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === braceOpen || code === bracketOpen) return at;
  }
  return -1;
}

const quote = 34;
const backslash = 92;
const braceOpen = 123;
const braceClose = 125;
const bracketOpen = 91;
const bracketClose = 93;

/** Where the brace at `start` is closed, strings left out; -1 where it never is. */
function balancedEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === braceOpen || code === bracketOpen) depth += 1;
    else if (code === braceClose || code === bracketClose) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}
