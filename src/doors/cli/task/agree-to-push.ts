import type { TaskRow } from '../../../core/contract/tasks/index.ts';
import type { App } from '../../app/app.ts';
import { AppError } from '../../app/errors.ts';
import { askKey } from '../ask.ts';
import type { Given } from '../command.ts';
import { type Context, isAttended, note } from '../context.ts';
import { cleanOutput } from '../render/text/clean.ts';

/** A push reaches others: it is shown, and somebody has to say yes. Throws an AppError where nobody does; else the address agreed on. */
export async function agreeToPush(app: App, context: Context, given: Given, row: TaskRow): Promise<string> {
  const { pushesTo } = await app.tasks.diff(row.id);
  if (pushesTo === null)
    throw new AppError(
      'refused',
      'the project has no remote: planwright project set --remote NAME gives it one',
    );
  if (given.flag('yes')) return pushesTo;
  const what = cleanOutput(`git push ${pushesTo} ${row.branch ?? ''}, and gh pr create: ${row.title}`);
  if (!isAttended(context))
    throw new AppError('refused', `this would be done: ${what}. Others see it: --yes agrees to it`);
  note(context, what);
  const answer = await askKey(
    context,
    [
      { key: 'y', label: 'Push it, and ask for it to be merged', decision: 'yes' },
      { key: 'n', label: 'Do nothing', decision: 'no', default: true },
    ],
    new AbortController().signal,
  );
  if (typeof answer === 'string' || answer.decision === 'no')
    throw new AppError('refused', 'nothing was pushed');
  return pushesTo;
}
