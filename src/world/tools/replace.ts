/** What became of one replacement in a text. */
export type ReplacedText =
  | { ok: true; text: string; line: number; how: 'exact' | 'white-space' }
  /** `lines`: where it occurs, where that is more than once. */
  | { ok: false; lines: number[] };

/**
 * Replaces the one occurrence of a text. Where it does not occur as it is, lines are compared without the white space
 * around and between their words, whole lines only; what is put in then keeps the indentation that is there.
 */
export function replaceOnce(text: string, old: string, by: string): ReplacedText {
  const at = text.indexOf(old);
  if (at !== -1) {
    const again = text.indexOf(old, at + 1);
    if (again !== -1) return { ok: false, lines: [lineOf(text, at), lineOf(text, again)] };
    return {
      ok: true,
      how: 'exact',
      line: lineOf(text, at),
      text: text.slice(0, at) + by + text.slice(at + old.length),
    };
  }
  return replaceLines(text, old, by);
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
const bare = (line: string): string => line.trim().replaceAll(/\s+/g, ' ');
const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0];

function replaceLines(text: string, old: string, by: string): ReplacedText {
  const wanted = withoutEnds(old.split('\n'));
  if (wanted.length === 0) return { ok: false, lines: [] };
  const lines = text.split('\n');
  const bareLines = lines.map(bare);
  const bareWanted = wanted.map(bare);
  const found: number[] = [];
  for (let at = 0; at + wanted.length <= lines.length && found.length < 2; at += 1) {
    if (bareWanted.every((line, offset) => bareLines[at + offset] === line)) found.push(at);
  }
  const [first] = found;
  if (first === undefined || found.length > 1) return { ok: false, lines: found.map((at) => at + 1) };
  const was = indentOf(wanted.find((line) => line.trim() !== '') ?? '');
  const is = indentOf(lines.slice(first).find((line) => line.trim() !== '') ?? '');
  const ending = lines[first]!.endsWith('\r') ? '\r' : '';
  const put = by === '' ? [] : withoutEnds(by.split('\n')).map((line) => reindented(line, was, is) + ending);
  return {
    ok: true,
    how: 'white-space',
    line: first + 1,
    text: [...lines.slice(0, first), ...put, ...lines.slice(first + wanted.length)].join('\n'),
  };
}

/** Without empty lines before and after: they are where a text was cut out, and no part of it. */
function withoutEnds(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

const reindented = (line: string, was: string, is: string): string => {
  const plain = line.replace(/\r$/, '');
  if (plain.trim() === '' || was === is) return plain;
  return plain.startsWith(was) ? is + plain.slice(was.length) : plain;
};
