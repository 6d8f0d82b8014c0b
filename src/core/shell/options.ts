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
        const equals = word.indexOf('=');
        if (!isShortFor(equals === -1 ? word : word.slice(0, equals), name)) continue;
        if (equals !== -1) found.push({ at, skip: equals + 1 });
        else if (next) found.push({ at: at + 1, skip: 0 });
      } else if (name.length > 2 && word.startsWith(`${name}=`)) {
        found.push({ at, skip: name.length + 1 });
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

/** `--out` is understood as `--output` by most programs. */
const isShortFor = (word: string, name: string): boolean => word.length >= 4 && name.startsWith(word);

/** What an option is followed by: its value, or nothing; or where in it, or behind it, a script is. */
export function optionAt(
  word: string,
  valued: ReadonlySet<string>,
  scripts?: ReadonlySet<string>,
): 'flag' | 'valued' | { readonly skip: number } {
  if (valued.has(word)) return 'valued';
  if (scripts?.has(word)) return { skip: word.length };
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    const name = equals === -1 ? word : word.slice(0, equals);
    const stands = (set: ReadonlySet<string>): boolean => {
      for (const one of set) if (one.startsWith('--') && isShortFor(name, one)) return true;
      return false;
    };
    if (scripts && stands(scripts)) return { skip: equals === -1 ? word.length : equals + 1 };
    return equals === -1 && stands(valued) ? 'valued' : 'flag';
  }
  for (let i = 1; i < word.length; i++) {
    const letter = `-${word[i]}`;
    if (scripts?.has(letter)) return { skip: i + 1 };
    if (valued.has(letter)) return i + 1 === word.length ? 'valued' : 'flag';
    if (!/[A-Za-z0-9]/.test(letter[1] ?? '')) return 'flag';
  }
  return 'flag';
}

/** The first word from `from` on that is no option. */
export function behindOptions(words: Words, valued: string, from = 1): number {
  const takes = optionSet(valued);
  let at = from;
  while (at < words.length && /^-./.test(words[at] ?? ''))
    at += optionAt(words[at] ?? '', takes) === 'valued' ? 2 : 1;
  return at;
}
