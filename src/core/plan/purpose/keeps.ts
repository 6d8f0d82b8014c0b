import { type CommandTree, isInterpreter, readCommand, type Simple } from '../../shell/index.ts';
import { changesMeaning } from '../meaning.ts';
import { isSlip } from '../slip.ts';
import { isImplied, standsInFor } from './aliases.ts';
import { beyond, deedsOf, isAllIdle, isGrave, isIdle, namesGrave } from './deeds.ts';
import { isOtherPort, isSameWord, type KnownOfStep, survivor } from './survivor.ts';

/**
 * What a correction makes of the purpose of its step.
 *
 * - `kept`: the same programs, verbs and targets, up to slips of the fingers, wrappers and the table of aliases.
 * - `faked`: it would succeed without the work. It is refused, whoever proposes it.
 * - `changed`: it may be right, but it is something else. A person is asked.
 */
export type Purpose =
  | { readonly is: 'kept' }
  | { readonly is: 'faked' | 'changed'; readonly sentence: string };

export const kept: Purpose = { is: 'kept' };
export const faked = (sentence: string): Purpose => ({ is: 'faked', sentence });
export const changed = (sentence: string): Purpose => ({ is: 'changed', sentence });

/**
 * What is known of the step besides its command: the folder that it ran in (a path that began with its name was written
 * from the one above), and what it is called (which names what is meant, where the command has another letter).
 */
export interface Told {
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  /** It only reads, and has to print what is expected of it. */
  readonly isProven?: boolean;
}

/**
 * Whether the corrected command still is what the original was for. Pure; total.
 */
export function keepsPurpose(
  original: string,
  corrected: string,
  { cwd = '', title = '', isProven = false }: Told = {},
): Purpose {
  const known = {
    here: cwd.slice(cwd.lastIndexOf('/') + 1),
    words: title.toLowerCase().match(/\p{L}{3,}/gu) ?? [],
    isProven,
  };
  const [before, after] = [readCommand(original), readCommand(corrected)];
  const fake = fakeIn(before, after);
  if (fake !== null) return faked(fake);
  if (before.broken || before.simples.length === 0) return looseWords(original, corrected);
  if (after.broken) return changed('It cannot be read as shell text.');
  const shadow = after.functions.find((name) => !before.functions.includes(name));
  if (shadow !== undefined) return changed(`It defines \`${shadow}\` anew.`);
  const left = [...deedsOf(after)];
  for (const deed of deedsOf(before)) {
    const at = left.findIndex((candidate) => isSameProgram(deed, candidate));
    if (at < 0) return changed(`It does not run \`${deed.program}\` any more.`);
    const [now] = left.splice(at, 1);
    if (deed.decides && !now!.decides) return faked(`A failure of \`${now!.program}\` would not be seen.`);
    const other = otherThan(deed, now!, known) ?? elsewhere(deed, now!);
    if (other !== null) return other;
  }
  return kept;
}

/**
 * Whether the corrected command is the original but for slips of the fingers in the names of programs and long flags: what
 * a person agreed to, as they meant it.
 */
export function isSlipOnly(original: string, corrected: string): boolean {
  const [before, after] = [readCommand(original), readCommand(corrected)];
  const exact = ({ args, assignments, redirects, prefixes }: Simple): string =>
    JSON.stringify([
      args.filter(({ value }) => !value.startsWith('--')).map(({ text }) => text.replace(noProtocol, '')),
      redirects.map(({ operator, target }) => [operator, target.text]),
      [...assignments, ...prefixes],
    ]);
  const flags = ({ args }: Simple): string[] =>
    args.map(({ value }) => value).filter((word) => word.startsWith('--'));
  const isIt = (was: string, is: string | undefined): boolean =>
    was === is || (is !== undefined && isNear(was, is));
  return (
    !before.broken &&
    !after.broken &&
    before.simples.length === after.simples.length &&
    before.simples.every((simple, at) => {
      const now = after.simples[at]!;
      const [old, own] = [flags(simple), flags(now)];
      const isSame = exact(simple) === exact(now) && old.length === own.length;
      return (
        isSame &&
        isIt(simple.name.value, now.name.value) &&
        old.every((flag, index) => isIt(flag, own[index]))
      );
    })
  );
}

/** Slips on the way to http, before a place that is the same. */
const noProtocol = /^[htp]{3,5}(?=:\/\/)/;

/** Flags and variables by which a program only pretends, or leaves out what could fail. */
const pretending =
  /^--?(?:dry-?run|noop|no-op|simulate|just-print|recon|what-?if|help|version|collect-only|list-tests|pass-?with-?no-?tests|if-present|ignore-errors?|keep-going|exit-zero|exit0|no-fail|allow-(?:failure|empty|errors?)|ignore-failures?|continue-on-error)(?:=|$)/i;
const pretendingVariable = /^(?:\w*_)?(?:DRY_?RUN|NOOP|SKIP\w*|FAKE\w*|MOCK\w*|SIMULATE)(?:_\w+)?=/i;

function fakeIn(before: CommandTree, after: CommandTree): string | null {
  const isNew = (find: (simple: Simple) => boolean): Simple | undefined =>
    before.simples.some(find) ? undefined : after.simples.find(find);
  if (isAllIdle(after) && !before.simples.every(isIdle))
    return 'It only says something, and does nothing of it.';
  if (isNew(({ program, args }) => program === 'set' && args.some(({ value }) => /^\+\w*e/.test(value))))
    return 'It goes on after a failure.';
  if (isNew(({ program }) => program === 'trap')) return 'It catches what goes wrong.';
  if (isNew(({ program, args }) => ['exit', 'return'].includes(program) && !(Number(args[0]?.value) > 0)))
    return 'It ends with success whatever happened.';
  if (isNew(({ redirects }) => redirects.some(({ target }) => target.value === '/dev/null')))
    return 'It hides what the command says.';
  for (const { args, assignments } of after.simples) {
    const flag = args.find(
      ({ value }) =>
        pretending.test(value) && !says(before, value) && !(value === '--help' && says(before, '-h')),
    );
    if (flag !== undefined) return `With ${flag.value} it would not do it.`;
    const variable = assignments.find((text) => pretendingVariable.test(text) && !before.text.includes(text));
    if (variable !== undefined) return `With ${variable} it would not do it.`;
  }
  return null;
}

const says = ({ simples }: CommandTree, word: string): boolean =>
  simples.some(({ args }) => args.some(({ value }) => value === word || isSlip(value, word)));

/** What the shell could not read has no programs: its words must all be there still. */
function looseWords(original: string, corrected: string): Purpose {
  const words = (text: string): string[] => text.match(/[\p{L}\d_]{2,}/gu) ?? [];
  const now = words(corrected);
  const lost = words(original).find((word) => !now.some((each) => each === word || isNear(word, each)));
  // The fence of a code block names its language.
  if (lost === undefined || /^(?:bash|sh|shell|console)$/.test(lost)) return kept;
  return changed(`It leaves out \`${lost}\`.`);
}

const isNear = (from: string, to: string): boolean => isSlip(from, to) && !changesMeaning(from, to);

const bare = (program: string): string => program.replace(/[^\x21-\x7e]/g, '');

const wordsOf = ({ program, args }: Simple): string[] => [program, ...args.map(({ value }) => value)];

/** Programs that run the program that is among their words. */
const launchers = new Set(
  'npx bunx pnpx uvx npm pnpm yarn bun uv poetry pipenv bundle hatch pdm rye corepack mise asdf direnv nix'.split(
    ' ',
  ),
);

function isSameProgram(before: Simple, after: Simple): boolean {
  const [was, is] = [bare(before.program), after.program];
  if (was === is || isNear(was, is) || is.startsWith(`${was}.`)) return true;
  const now = wordsOf(after);
  if (standsInFor(was, now) || startedBy(before, after) || startedBy(after, before)) return true;
  // `gitstatus`, `apt-install`: the program and its first word run together.
  const rest = was.startsWith(is) ? was.slice(is.length).replace(/^-/, '') : '';
  if (rest !== '' && now[1] === rest) return true;
  // The prompt of a terminal is no program; an address is one that was to be fetched.
  if (/^[$%>#]$/.test(was)) return before.args[0]?.value === is;
  const address = /:\/\/|^[\w.-]+@[\w.-]+:/.test(before.name.value);
  return address && is === 'git' && now[1] === 'clone' && now.includes(before.name.value);
}

/** `x` as `npx x`, `python3 -m x`, `bash x`, `python3 ./x`. */
function startedBy({ name, program }: Simple, by: Simple): boolean {
  const words = by.args.map(({ value }) => value);
  const first = words.find((word) => !word.startsWith('-'));
  if (launchers.has(by.program))
    return words.slice(0, 4).some((word) => word === program || word === name.value);
  return isInterpreter(by.program) && first !== undefined && (first === name.value || first === program);
}

/** What is another in the words, the variables and the files of a command; null where it keeps them. */
function otherThan(before: Simple, after: Simple, known: KnownOfStep): Purpose | null {
  const now = [...after.prefixes, ...wordsOf(after)];
  const isGraveNow = isGraveDeed(before) || isGraveDeed(after);
  for (const { value } of before.args) {
    // A dash of typography was to be one of the shell.
    if (/^[-–—−]/.test(value)) {
      const lost = /^--?(?:check|verify|strict|fail|exit-code|Werror|pedantic|assert)/.test(value);
      if (lost && !now.includes(value)) return faked(`It drops the check ${value}.`);
      continue;
    }
    if (isImplied(before.program, value, after.program)) continue;
    const found = survivor(before, value, now, known);
    if (found === undefined) return changed(`It leaves out \`${value}\`.`);
    if (isGraveNow && !isSameWord(found, value, known) && !isGrave(found))
      return changed(`It takes \`${found}\` for \`${value}\`.`);
  }
  const added =
    after.args.filter(({ value }) => !value.startsWith('-')).length -
    before.args.filter(({ value }) => !value.startsWith('-')).length;
  const isPush = after.program === 'git' && now.includes('push');
  if (isGraveNow && added > 0 && after.program === before.program && !isPush)
    return changed('It names more than was said.');
  const variable = before.assignments.find(
    (text) =>
      !after.assignments.includes(text) &&
      !after.assignments.some((each) => isOtherPort(text, each) || isLongerList(text, each)),
  );
  if (variable !== undefined) return changed(`It leaves out ${variable}.`);
  const path = after.assignments.find(
    (text) => /^(?:PATH|LD_\w+|BASH_ENV|ENV)=/.test(text) && !before.assignments.includes(text),
  );
  if (path !== undefined) return changed(`It sets ${path}.`);
  const past = beyond(before, after);
  return past === null ? otherFile(before, after, known) : changed(past);
}

/** `PYTHONPATH=lib` and `PYTHONPATH=src:lib`: where to look, and somewhere else before. Of programs it is another matter. */
function isLongerList(was: string, now: string): boolean {
  const [, name, folders] = /^(\w+PATH)=(.+)$/.exec(was) ?? [];
  return name !== undefined && now.startsWith(`${name}=`) && now.endsWith(`:${folders}`);
}

/** What cannot be taken back is done where it was said, and in no folder of nearly that name. */
function elsewhere(before: Simple, after: Simple): Purpose | null {
  if (before.folder === after.folder || !isGraveDeed(after)) return null;
  return changed(`It works in \`${after.folder || 'another folder'}\`.`);
}

const isGraveDeed = ({ program, args }: Simple): boolean =>
  [program, ...args.slice(0, 3).map(({ value }) => value)].some(namesGrave);

function otherFile(before: Simple, after: Simple, known: KnownOfStep): Purpose | null {
  const files = after.redirects.map(({ target }) => target.value);
  const lost = before.redirects.find(
    ({ target }) => survivor(before, target.value, files, known) === undefined,
  );
  if (lost !== undefined) return changed(`It leaves out \`${lost.operator} ${lost.target.value}\`.`);
  const isNew = ({ operator, target }: Simple['redirects'][number]): boolean =>
    operator.includes('>') &&
    !/^\d$/.test(target.value) &&
    !before.redirects.some((each) => each.operator.includes('>'));
  const added = after.redirects.find(isNew);
  return added === undefined ? null : changed(`It writes \`${added.target.value}\`.`);
}
