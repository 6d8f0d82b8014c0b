import { count } from '../../../core/contract/told/index.ts';
import { keptGuards } from '../../../core/guard/kept.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { type ExitCode, exitCodes } from '../../app/errors.ts';
import type { UndoChoice } from '../../app/undo.ts';
import type { Given } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { visible } from '../render/text/clean.ts';
import { renderUndo } from '../render/undo.ts';

/** Takes back what another agent did under the guard. */
export async function undoGuarded(
  app: App,
  context: Context,
  given: Given,
  { named, choice }: { named: string | undefined; choice: UndoChoice },
): Promise<ExitCode> {
  const { id, agent } = await app.guards.find(named, app.workspace);
  const redactor = app.redactorFor(await app.guards.state(id), keptGuards);
  const preview = redactor.value(await app.guards.undoPreview(id, choice));
  const isJson = given.flag('json');
  if (given.flag('dry-run')) {
    if (isJson) printJson(context, preview);
    else print(context, renderUndo(preview, lookOf(context, 'stdout'), 'Session').join('\n'));
    return exitCodes.done;
  }
  note(context, ` ${agent}, session ${id}`);
  note(context, renderUndo(preview, lookOf(context, 'stderr'), 'Session').join('\n'));
  if (preview.restore.length === 0) return exitCodes.done;
  if (isAttended(context) && !given.flag('yes') && !isJson) {
    const { askYes } = await import('../ask.ts');
    if (!(await askYes(context, 'Take it back?'))) return exitCodes.done;
  }
  const undone = await app.guards.undo(id, choice, ownerAt('terminal'));
  if (isJson) printJson(context, redactor.value(undone));
  else {
    note(context, `Put back ${count(undone.restored.length, 'path')}.`);
    for (const { path, why } of undone.left) note(context, `Left ${visible(path)}: ${why}`);
  }
  return undone.left.length === 0 ? exitCodes.done : exitCodes.failed;
}
