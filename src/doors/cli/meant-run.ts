import type { RunRow } from '../../core/contract/index.ts';
import { ago } from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { AppError, exitCodes } from '../app/errors.ts';
import type { WantedFor } from '../app/meant.ts';
import { SHORTEST_BEGINNING } from '../app/meant.ts';
import { rowWithout } from '../app/secrets.ts';
import { askLine } from './ask.ts';
import type { Given } from './command.ts';
import { type Context, isAttended, note } from './context.ts';
import { visible } from './render/text/clean.ts';

/**
 * The run that a person means by an id, its beginning, or none. Where several could be meant they are listed, and the
 * person says which; with nobody there that is an error. A run of another folder than the one they are in is named.
 */
export async function meantRun(
  app: App,
  context: Context,
  given: Given,
  named: string | undefined,
  purpose: WantedFor = 'look',
): Promise<RunRow> {
  const found = await app.runs.find(named, app.workspace, purpose);
  const row = found.length === 1 ? found[0]! : await pickRun(app, context, given, found);
  if (row.workspace !== app.workspace) note(context, `Run ${row.id} is of ${visible(row.workspace)}.`);
  return row;
}

async function pickRun(app: App, context: Context, given: Given, rows: readonly RunRow[]): Promise<RunRow> {
  const lines = await Promise.all(rows.map((row, at) => lineOf(app, row, at)));
  const list = lines.join('\n');
  if (!isAttended(context) || given.flag('json')) {
    throw new AppError('ambiguous-run', `${rows.length} runs could be meant: name one\n${list}`);
  }
  note(context, ` ${rows.length} runs could be meant:\n${list}\n Which one? Its number or id:`);
  for (;;) {
    const answer = await askLine(context, new AbortController().signal);
    if (typeof answer === 'string')
      throw new AppError('usage', 'interrupted', { exitCode: exitCodes.interrupted });
    const picked = pickedBy(answer.text.trim().toLowerCase(), rows);
    if (picked !== undefined) return picked;
    note(context, ' None of them: its number or id, or Ctrl-C.');
  }
}

/** By its number, whatever ids begin with; otherwise by so much of an id as is asked for everywhere. */
export function pickedBy<R extends { id: string }>(said: string, rows: readonly R[]): R | undefined {
  if (/^\d{1,3}$/.test(said)) return rows[Number(said) - 1];
  const fitting = said.length < SHORTEST_BEGINNING ? [] : rows.filter(({ id }) => id.startsWith(said));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Without what its own run has to hide. */
async function lineOf(app: App, row: RunRow, at: number): Promise<string> {
  const own = await app.runs
    .state(row.id)
    .then(app.redactorFor)
    .catch(() => null);
  const { id, state, goal, workspace, updatedAt } = rowWithout(row, own);
  const where = workspace === app.workspace ? '' : `  (${visible(workspace)})`;
  return `  ${at + 1}  ${id}  ${state}, ${ago(updatedAt, Date.now())}  ${visible(goal)}${where}`;
}
