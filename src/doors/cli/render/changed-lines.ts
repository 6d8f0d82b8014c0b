/** Lines of context around what differs. */
const AROUND = 2;

/** What differs between two texts, line by line, in the form of a unified diff. Null: there is no file. */
export function changedLines(file: string, before: string | null, after: string | null): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const common = longest(old, now);
  const all: string[] = [];
  let [a, b] = [0, 0];
  for (const [oldAt, nowAt] of [...common, [old.length, now.length] as const]) {
    for (; a < oldAt; a++) all.push(`-${old[a]}`);
    for (; b < nowAt; b++) all.push(`+${now[b]}`);
    if (a < old.length && b < now.length) all.push(` ${old[a]}`);
    a++;
    b++;
  }
  const isNear = (at: number) =>
    all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(' '));
  const from = before === null ? '/dev/null' : file;
  return [
    `--- ${from}`,
    `+++ ${after === null ? '/dev/null' : file}`,
    ...all.filter((_, at) => isNear(at)),
  ].join('\n');
}

const linesOf = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');

/** The places of lines that both have, in order: first and last are compared first, settings being short. */
function longest(old: readonly string[], now: readonly string[]): (readonly [number, number])[] {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let a = old.length - 1; a >= 0; a--)
    for (let b = now.length - 1; b >= 0; b--)
      table[a]![b] =
        old[a] === now[b] ? table[a + 1]![b + 1]! + 1 : Math.max(table[a + 1]![b]!, table[a]![b + 1]!);
  const found: (readonly [number, number])[] = [];
  for (let a = 0, b = 0; a < old.length && b < now.length; ) {
    if (old[a] === now[b]) found.push([a++, b++]);
    else if (table[a + 1]![b]! >= table[a]![b + 1]!) a++;
    else b++;
  }
  return found;
}
