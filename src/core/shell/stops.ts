import type { AndOr, Statement } from 'unbash';
import { parseBash } from './parse.ts';

/** Programs whose failure is an answer: a chain that begins with one is a condition. */
const QUESTIONS = new Set(
  'test [ grep egrep fgrep rg command which type hash diff cmp pgrep read'.split(' '),
);

type Part = AndOr['commands'][number];

/** Whether its failure is an answer and not a failure. */
export function isQuestion(part: Part): boolean {
  switch (part.type) {
    case 'TestCommand':
    case 'ArithmeticCommand':
      return true;
    case 'Pipeline': {
      const last = part.commands.at(-1);
      return (
        part.prefixes.some(({ type }) => type === 'Negation') || (last !== undefined && isQuestion(last))
      );
    }
    case 'Command':
      return QUESTIONS.has(part.name?.value ?? '');
    default:
      return false;
  }
}

/** `a && b` of which `a` fails is no failure to `set -e`: it could have been a condition. */
const hidesFailure = ({ command, background }: Statement): boolean =>
  background !== true &&
  command.type === 'AndOr' &&
  command.operators.every((operator) => operator === '&&') &&
  !isQuestion(command.commands[0]!);

/**
 * A script of several lines, so that it stops at the first that fails; one command, over however many lines, as it is.
 * That is `set -e`, and a chain by `&&` that does not begin with a question fails as a whole. Lines keep their numbers.
 * `set +e` in the script takes it back.
 */
export function stoppingAtFirst(text: string): string {
  if (!text.trim().includes('\n')) return text;
  const parsed = parseBash(text);
  const statements = 'script' in parsed && !parsed.script.errors?.length ? parsed.script.commands : null;
  if (statements === null) return `set -e; ${text}`;
  const [first] = statements;
  if (first === undefined || statements.every(({ pos }) => !text.slice(first.pos, pos).includes('\n')))
    return text;
  let checked = '';
  let from = 0;
  for (const statement of statements.slice(0, -1)) {
    if (!hidesFailure(statement)) continue;
    checked += `${text.slice(from, statement.end)}; (exit $?)`;
    from = statement.end;
  }
  return `set -e; ${checked}${text.slice(from)}`;
}
