import type { StartedPlace, Words } from './started.ts';

const sets = new Map<string, ReadonlySet<string>>();

/** `'-u --user'` as a set, made once. */
export function optionSet(options: string): ReadonlySet<string> {
  let set = sets.get(options);
  if (!set) sets.set(options, (set = new Set(options.split(' ').filter(Boolean))));
  return set;
}

/** Where the values of these options stand: `-o x`, `-ox`, `--output x`, `--output=x`, `-abo x`. */
export function optionValues(words: Words, names: readonly string[], from = 1): StartedPlace[] {
  const found: StartedPlace[] = [];
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? '';
    for (const name of names) {
      const next = at + 1 < words.length;
      if (word === name) {
        if (next) found.push({ at: at + 1, skip: 0 });
      } else if (name.startsWith('--')) {
        if (word.startsWith(`${name}=`)) found.push({ at, skip: name.length + 1 });
      } else if (word.startsWith(name) && name.length === 2 && !word.startsWith('--')) {
        found.push({ at, skip: word[2] === '=' ? 3 : 2 });
      } else if (name.length === 2 && /^-[A-Za-z]{2,}$/.test(word) && word.endsWith(name[1] ?? '-') && next) {
        found.push({ at: at + 1, skip: 0 });
      }
    }
  }
  return found;
}

/**
 * Where the words stand that are no options. `valued` names the options whose value is the next word (`'-u --user'`).
 * Everything behind `--` is an operand.
 */
export function operands(words: Words, valued = '', from = 1): number[] {
  const takes = optionSet(valued);
  const found: number[] = [];
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      while (++at < words.length) found.push(at);
    } else if (word.startsWith('-') && word.length > 1) {
      if (takes.has(word)) at++;
    } else found.push(at);
  }
  return found;
}

/** The first word from `from` on that is no option. */
export function behindOptions(words: Words, valued: string, from = 1): number {
  const takes = optionSet(valued);
  let at = from;
  while (at < words.length && /^-./.test(words[at] ?? '')) at += takes.has(words[at] ?? '') ? 2 : 1;
  return at;
}
