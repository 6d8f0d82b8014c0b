import { type NameFilter, readFilter, readTest } from './name-filter.ts';
import { operands } from './options.ts';
import type { Words } from './started.ts';
import type { Operand, Target } from './target.ts';

/** Names below a folder that a command finds, or prints: as many as its words let through, or more. */
export interface FoundNames {
  readonly root: string;
  /** Names that begin with a dot, and what lies in them, are among them. */
  readonly hidden: boolean;
  readonly filter: NameFilter;
}

const everything: NameFilter = { lets: () => true, exact: false };
const starts = /^-(?:exec|execdir|ok|okdir)$/;
const joins = /^(?:-o|-or|!|-not|\(|\)|,)$/;

/** `find START… EXPRESSION`, taken apart. `execs` are the words of what it starts. */
export function readFind(words: readonly (string | null)[]) {
  let begin = 0;
  while (/^-(?:[HLP]|O\d?|D)$/.test(words[begin] ?? '')) begin += words[begin] === '-D' ? 2 : 1;
  let end = begin;
  while (end < words.length && !/^(?:-.|\(|!|,)/.test(words[end] ?? '')) end += 1;
  const tests: (string | null)[] = [];
  const execs: (string | null)[][] = [];
  /** How many of the tests stand before the first thing that it does. */
  let first: number | undefined;
  for (let i = end; i < words.length; i++) {
    const word = words[i] ?? null;
    if (word === '-delete') first ??= tests.length;
    if (word === null || !starts.test(word)) {
      tests.push(word);
      continue;
    }
    first ??= tests.length;
    const from = i + 1;
    while (i < words.length && words[i] !== ';' && !(words[i] === '+' && words[i - 1]?.includes('{}'))) i++;
    execs.push(words.slice(from, i));
  }
  // What comes behind an `-o` is done to what the words before it did not let through.
  const filter = tests.some((word) => word !== null && joins.test(word))
    ? everything
    : readFilter(tests.slice(0, first));
  return { begin, end, execs, filter };
}

/** What `find` finds, and acts on where it does anything but print. */
export function foundBy(words: Words): FoundNames[] {
  const { begin, end, filter } = readFind(words.slice(1));
  const roots = words.slice(1 + begin, 1 + end);
  return (roots.length === 0 ? ['.'] : roots).map((root) => ({ root, hidden: true, filter }));
}

const named = (patterns: readonly string[]): NameFilter => {
  const tests = patterns.map((pattern) => readTest('-name', pattern.replace(/^.*\//, '')));
  if (tests.length === 0 || tests.includes(null)) return everything;
  return { lets: (...name) => tests.some((test) => test?.(...name)), exact: false };
};

const plainWords = (words: Words, valued = ''): string[] =>
  operands(words, valued).map((at) => words[at] ?? '');
const has = (words: Words, option: RegExp): boolean => words.some((word) => option.test(word));
const below = (roots: readonly string[], hidden: boolean, filter = everything): FoundNames[] =>
  (roots.length === 0 ? ['.'] : roots).map((root) => ({ root, hidden, filter }));

/** Operands behind the pattern that is searched for, which an option may give. */
const behindPattern = (words: Words, valued: string): readonly string[] => {
  const plain = plainWords(words, valued);
  return has(words, /^(?:-[a-zA-Z]*[ef]|--regexp|--file)/) ? plain : plain.slice(1);
};

const grep = (words: Words): FoundNames[] => {
  const includes = words.flatMap((word) => /^--include=(.+)$/s.exec(word)?.[1] ?? []);
  return below(behindPattern(words, '-A -B -C -m -e -f'), true, named(includes));
};
const rg = (words: Words): FoundNames[] =>
  below(
    behindPattern(words, '-A -B -C -g -t -T -m -e -f'),
    has(words, /^(?:-[a-zA-Z]*[.u]|--hidden|--unrestricted)/),
  );
const fd = (words: Words): FoundNames[] =>
  below(plainWords(words, '-e -t -d -E').slice(1), has(words, /^(?:-[a-zA-Z]*[Hu]|--hidden|--unrestricted)/));

const printers: Readonly<Record<string, (words: Words) => FoundNames[]>> = {
  find: foundBy,
  gfind: foundBy,
  ls: (words) => below(plainWords(words), has(words, /^-[a-zA-Z]*[aAf]|^--al/)),
  grep,
  egrep: grep,
  fgrep: grep,
  rg,
  fd,
  fdfind: fd,
  // Branches stand where paths do: only patterns are known to narrow.
  git: (words) =>
    below([], true, named(words.slice(2).filter((word) => /[*?]/.test(word) && !word.startsWith('-')))),
};

/** The names that a command prints, where it is known to print names; undefined of others. */
export const printedNames = (words: Words): FoundNames[] | undefined => {
  const name = words[0] ?? '';
  return Object.hasOwn(printers, name) ? printers[name]?.(words) : undefined;
};

/** Programs that change what `find` hands to them. */
const changes =
  /^(?:touch|mkdir|ln|install|rsync|gzip|gunzip|bzip2|xz|zstd|patch|ed|ex|n?vim?|dd|ruby|node|g?awk|black|prettier|rm|grm|unlink|rmdir|shred|mv|cp|chmod|chown|chgrp|chattr|truncate|sed|sh|bash|dash|zsh|perl|python3?|tee)$/;

/** `find START… EXPRESSION`: with `-delete` or an `-exec` that changes things, all that is found is touched. */
export function findTargets(operands: readonly Operand[]): Target[] {
  const words = operands.map(({ value }) => value);
  const { begin, end, execs, filter } = readFind(words);
  const programs = execs.map(([program]) => (program ?? '').replace(/^.*\//, ''));
  const writes = words.slice(end).includes('-delete') || programs.some((program) => changes.test(program));
  const follow = words.slice(0, begin).some((word) => word === '-L' || word === '-H');
  return operands.slice(begin, end).map((_, at) => ({
    index: begin + at,
    skip: 0,
    follow,
    below: writes,
    writes,
    ...(writes ? { filter: execs.length === 0 ? filter : { ...filter, exact: false } } : {}),
  }));
}

/** It changes the files whose names it is handed. */
export const changesHanded = (program: string): boolean => changes.test(program);
