import { namePattern } from './pattern.ts';

/** The narrowing words of a `find`, as far as they are read. */
export interface NameFilter {
  lets(name: string, kind: 'file' | 'folder' | 'link' | 'special', depth: number): boolean;
  /** False where more words narrow it than were read: then it lets through too much, never too little. */
  readonly exact: boolean;
}

const types: Readonly<Record<string, string>> = { f: 'file', d: 'folder', l: 'link' };
/** Words that do not narrow. */
const idle =
  /^-(?:delete|print0?|depth|d|xdev|mount|noleaf|follow|daystart|ignore_readdir_race|a|and|P|H|L)$/;

/** Reads `-name`, `-iname`, `-type`, `-mindepth` and `-maxdepth`, which must all hold. */
export function readFilter(expression: readonly (string | null)[]): NameFilter {
  const tests: NameFilter['lets'][] = [];
  let exact = true;
  for (let i = 0; i < expression.length; i++) {
    const word = expression[i] ?? null;
    if (word !== null && idle.test(word)) continue;
    const value = expression[i + 1] ?? null;
    const test = word === null || value === null ? null : readTest(word, value);
    if (!test) {
      // With `-o`, `!` or brackets the words no longer all have to hold: nothing is narrowed.
      if (word === null || /^(?:-o|-or|!|-not|\(|\)|,)$/.test(word))
        return { lets: () => true, exact: false };
      exact = false;
      continue;
    }
    tests.push(test);
    i += 1;
  }
  return { lets: (name, kind, depth) => tests.every((test) => test(name, kind, depth)), exact };
}

/** One word that narrows, with its value; null where it is not read. */
export function readTest(word: string, value: string): NameFilter['lets'] | null {
  if (word === '-name' || word === '-iname') {
    // Unlike the shell's, find's patterns match a dot at the start.
    const made = namePattern([
      { text: '.', active: false },
      { text: value, active: true },
    ]);
    const pattern = made && new RegExp(made.source, word === '-iname' ? 'sui' : 'su');
    return pattern && ((name) => pattern.test(`.${name}`));
  }
  if (word === '-type') {
    const wanted = Object.hasOwn(types, value) ? types[value] : undefined;
    return wanted === undefined ? null : (_name, kind) => kind === wanted;
  }
  const number = /^\d{1,4}$/.test(value) ? Number(value) : null;
  if (number === null) return null;
  if (word === '-maxdepth') return (_name, _kind, depth) => depth <= number;
  if (word === '-mindepth') return (_name, _kind, depth) => depth >= number;
  return null;
}
