import type { Command, Statement } from 'unbash';
import { parseWhole } from './parse.ts';
import { isQuestion } from './stops.ts';

/** One command of a script that goes straight on: a simple one, or a pipeline of such. */
export interface Unit {
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  /** The last command of it, which is the one that its status is of. */
  readonly last: string;
  /** It runs nothing: a variable is set. */
  readonly isAssignment: boolean;
  /** Its failure is an answer: a chain may begin with it as a condition. */
  readonly isQuestion: boolean;
  /** Which statement of the script it belongs to. */
  readonly statement: number;
}

/**
 * The commands of a script that does one after the other, by `&&`, `;` or line by line; null where it branches, loops,
 * forks, defines or holds a here-document, and where it is one command only. Of such a script the last command that was
 * begun tells which ones ran.
 */
export function straightUnits(text: string): readonly Unit[] | null {
  if (text.includes('<<')) return null;
  const script = parseWhole(text);
  if (script === null) return null;
  const units: Unit[] = [];
  for (const [statement, each] of script.commands.entries()) {
    const commands = commandsOf(each);
    if (commands === null) return null;
    for (const { pos, end, last } of commands) {
      const isAssignment = last.name === undefined;
      const told = text.slice(last.pos, last.end);
      units.push({
        pos,
        end,
        statement,
        isAssignment,
        isQuestion: isQuestion(last),
        text: text.slice(pos, end),
        last: told,
      });
    }
  }
  return units.length > 1 ? units : null;
}

/** Built-ins after which a script does not go straight on, or by which it hears of its end. */
const turns = new Set([
  'exit',
  'return',
  'exec',
  'eval',
  'trap',
  'break',
  'continue',
  'builtin',
  'command',
  'time',
]);

function commandsOf({ command, background }: Statement) {
  if (background === true) return null;
  const nodes = command.type === 'AndOr' ? command.commands : [command];
  if (command.type === 'AndOr' && command.operators.some((operator) => operator !== '&&')) return null;
  const found: { pos: number; end: number; last: Command }[] = [];
  for (const node of nodes) {
    const parts = node.type === 'Pipeline' ? node.commands : [node];
    if (node.type === 'Pipeline' && node.prefixes.length > 0) return null;
    const last = parts.at(-1);
    if (last?.type === 'Command' && turns.has(last.name?.value ?? '')) return null;
    if (last?.type !== 'Command' || parts.some(({ type }) => type !== 'Command')) return null;
    found.push({ pos: node.pos, end: node.end, last });
  }
  return found;
}

/** As bash prints a command that it has read: blanks and the number of the first stream aside. */
const printed = (text: string): string => text.replace(/\s+/g, '').replace(/(?<!\d)1>/g, '>');

/** Which of the units this is, as bash told it. Null where it is none, or several. */
export function unitAt(units: readonly Unit[], told: string): number | null {
  const found = units.flatMap(({ last }, at) => (printed(last) === printed(told) ? [at] : []));
  return found.length === 1 ? found[0]! : null;
}
