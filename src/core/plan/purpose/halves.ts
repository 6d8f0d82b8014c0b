import {
  gitVerb,
  isBuiltin,
  isInterpreter,
  readCommand,
  type Simple,
  stoppingAtFirst,
  straightUnits,
  unitAt,
} from '../../shell/index.ts';
import { deedsOf, namesGrave } from './deeds.ts';

/**
 * The first command of a text that would be done a second time, and shows it, if the whole were attempted again after one
 * behind it failed: it adds to a file, sends, commits, publishes, or is a script that may. Null where all that comes before the last can be
 * repeated, as far as the words tell.
 */
export function doneTwice(text: string): string | null {
  const last = deedsOf(readCommand(text)).at(-1);
  const found = readCommand(text).simples.find(
    (simple) => simple.end < (last?.pos ?? 0) && (isCounted(simple) || isScript(simple)),
  );
  return found === undefined ? null : text.slice(found.pos, found.end).trim();
}

/** Whether one command shows when it is done a second time. */
export const countsTwice = (text: string): boolean => readCommand(text).simples.some(isCounted);

/** Whether it is a script of which nobody can say whether that shows. */
export const isOpaque = (text: string): boolean => readCommand(text).simples.some(isScript);

const isScript = ({ name, program, args }: Simple): boolean =>
  (name.value.includes('/') && !name.value.startsWith('/')) ||
  (isInterpreter(program) && args.some(({ value }) => /^(?!-)\S+\.\w+$/.test(value)));

/** How far a script came: the commands that ran, and the one that failed. Texts as they stand in it. */
export interface Halfway {
  readonly done: string[];
  readonly failed: string;
}

/** By the command that bash began last; null where that does not tell what else ran. */
export function halfwayIn(text: string, told: string): Halfway | null {
  const units = straightUnits(text);
  const at = units === null ? null : unitAt(units, told);
  if (units === null || at === null) return null;
  const { statement } = units[at]!;
  // A chain may have broken off, and the script went on: `set -e` does not see that, a script of several lines does,
  // unless the chain is a condition.
  const before = units.filter((unit) => unit.statement < statement);
  const stops = stoppingAtFirst(text) !== text && !units.some((unit) => /^set\s+\+\w*e/.test(unit.text));
  const mayHaveBroken = before.some(
    (unit, place) => unit.statement === before[place + 1]?.statement && (!stops || unit.isQuestion),
  );
  if (mayHaveBroken) return null;
  return { done: units.slice(0, at).map((unit) => unit.text), failed: units[at]!.text };
}

const says = new Set(['echo', 'printf', 'test', '[', 'true', 'false', ':', 'pwd', 'type', 'command', 'wait']);

/** What only changes the shell, and the same each time: it is said again, because the next shell does not know it. */
function isState({ program, args, redirects }: Simple): boolean {
  if (redirects.length > 0) return false;
  if (['source', '.'].includes(program)) return /\/bin\/activate$/.test(args[0]?.value ?? '');
  return (
    ['cd', 'export', 'set', 'shopt', 'umask', 'ulimit'].includes(program) &&
    args.every(({ literal }) => literal)
  );
}

/**
 * What is left of a script after these commands of it ran: what only prepared the shell, and all from the next one on.
 * Null where that is not surely the same as going on.
 */
export function goingOn(text: string, done: readonly string[]): string | null {
  const units = straightUnits(text);
  const next = units?.[done.length];
  if (units == null || next === undefined || done.some((each, at) => units[at]!.text !== each)) return null;
  const rest = text.slice(next.pos);
  if (/\$[?_!]|\$\{[?_!]/.test(rest)) return null;
  let kept = '';
  for (const [at, unit] of units.slice(0, done.length).entries()) {
    const { simples } = readCommand(unit.text);
    const [first] = simples;
    // A variable of the shell alone, or what nobody knows of a built-in, is gone with that shell.
    if (first === undefined || unit.isAssignment) return null;
    if (simples.length === 1 && isState(first))
      kept += unit.text + (units[at + 1]!.statement === unit.statement ? ' && ' : '\n');
    else if (simples.length === 1 && isBuiltin(first.program) && !says.has(first.program)) return null;
  }
  return kept + rest;
}

const sends =
  /^(?:-d|-F|-T|--data\S*|--form\S*|--json|--post-\S+|--upload-file|(?:-X|--request=)?(?:POST|PUT|PATCH|DELETE))$/;
const changes = /\b(?:insert|update|delete|alter|drop|create)\b/i;

function isCounted({ program, args, redirects }: Simple): boolean {
  const words = args.map(({ value }) => value);
  if (redirects.some(({ operator }) => operator === '>>' || operator === '&>>')) return true;
  switch (program) {
    case 'tee':
      return words.some((word) => /^(?:-a|--append)$/.test(word));
    case 'git':
      return ['commit', 'push', 'merge', 'cherry-pick', 'revert', 'am', 'stash'].includes(
        gitVerb([program, ...words]).verb,
      );
    case 'curl':
    case 'wget':
    case 'http':
      return words.some((word) => sends.test(word));
    case 'psql':
    case 'mysql':
    case 'sqlite3':
      return words.some((word) => changes.test(word));
    case 'mail':
    case 'sendmail':
      return true;
    default:
      return (
        !['rm', 'rmdir', 'unlink', 'kill', 'pkill', 'killall'].includes(program) &&
        [program, ...words.slice(0, 2)].some(namesGrave)
      );
  }
}
