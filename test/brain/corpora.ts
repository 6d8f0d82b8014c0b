import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'unbash';
import type { Correction } from '../../src/core/contract/index.ts';
import { shellText } from '../../src/core/contract/index.ts';
import { parseAction } from '../../src/core/plan/index.ts';
import { type Brain, emptyContext, failureOf } from '../../src/mind/brain/index.ts';

/** What other projects recorded. In a checkout without the shared folder there is none. */
const folder = fileURLToPath(new URL('../../../shared/corpora/', import.meta.url));
export const corporaAreHere = existsSync(`${folder}failure-fixes.json`);
if (!corporaAreHere) console.warn(`the corpora are not here (${folder}): what needs them is skipped`);

const read = <T>(name: string): T => JSON.parse(readFileSync(folder + name, 'utf8')) as T;

export interface FailedCommand {
  readonly command: string;
  readonly output: string;
}

export const readFixes = () =>
  read<{ fix: (FailedCommand & { family: string; fixes: string[] })[]; leave_alone: FailedCommand[] }>(
    'failure-fixes.json',
  );
export const readUnlabelled = () => read<{ failures: FailedCommand[] }>('failures-unlabelled.json').failures;

export interface Proposed {
  readonly correction: Correction;
  /** The inserted commands, and the command as it would be attempted next. */
  readonly inserted: readonly string[];
  readonly command: string;
}

export async function propose(
  brain: Brain,
  { command, output }: FailedCommand,
  cwd?: string,
): Promise<Proposed | null> {
  const failure = failureOf({ command, output, ...(cwd === undefined ? {} : { cwd }) });
  const correction = failure === null ? null : await brain.analyzeFailure(failure, emptyContext);
  if (correction === null) return null;
  const inserted = (correction.newSteps ?? []).map((step) => {
    const parsed = parseAction(step.action);
    return (parsed.ok ? shellText(parsed.action) : null) ?? step.action;
  });
  return { correction, inserted, command: correction.modifiedCommand ?? command };
}

/** Whether the proposal is the text, up to white space and quoting. */
export function isText({ inserted, command }: Proposed, text: string): boolean {
  return plain([...inserted, command].join(' && ')) === plain(text);
}

/** The words of a text, up to white space and quoting. */
export function plain(text: string): string {
  const words: string[] = [];
  for (const statement of parse(text).commands) {
    const list = statement.command.type === 'AndOr' ? statement.command.commands : [statement.command];
    for (const command of list) {
      if (command.type !== 'Command') continue;
      const own = [command.name, ...command.args].flatMap((word) =>
        word === undefined ? [] : [word.type === 'Word' ? word.value : word.text],
      );
      words.push(...own, '&&');
    }
  }
  return JSON.stringify(words);
}
