import { OnAskPolicy, type RunRow } from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import { ownerAt } from '../../app/asker.ts';
import { type ExitCode, exitCodes } from '../../app/errors.ts';
import { type RunChoices, runOptions } from '../../app/options.ts';
import { attend } from '../attend.ts';
import { atMost, type CommandCode, type Given, oneOf } from '../command.ts';
import { type Context, isAttended, note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { meantRun } from '../meant-run.ts';
import { renderUndo } from '../render/undo.ts';
import { chooseView } from '../screens/index.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1);
      if (given.flag('guarded')) {
        const { undoGuarded } = await import('./undo-guarded.ts');
        return undoGuarded(app, context, given, { named: prefix, choice: choiceOf(given) });
      }
      const row = await meantRun(app, context, given, prefix, 'undo');
      const { id } = row;
      await sayWhich(app, context, row, prefix !== undefined);
      return given.flag('dry-run') ? show(app, context, given, id) : undo(app, context, given, id);
    }),
};

/** An undo is a run too, and is taken back only where it is named: what is taken back instead is said. */
async function sayWhich(
  app: App,
  context: Context,
  { id, workspace }: RunRow,
  isNamed: boolean,
): Promise<void> {
  const [latest] = await app.runs.list({ workspace, limit: 1 });
  if (!isNamed && latest?.undoes !== undefined) {
    note(context, `The latest run, ${latest.id}, is an undo: planwright undo ${latest.id} takes it back.`);
  }
  const [before] = await app.runs.undoneBy(id);
  if (before !== undefined)
    note(context, `Run ${id} was undone by ${before.id} (${before.state}); this goes on with it.`);
}

const choiceOf = (given: Given) => ({
  to: given.text('to'),
  overwrite: given.flag('overwrite-all') ? ('all' as const) : given.list('overwrite'),
  filesOnly: given.flag('files-only'),
});

async function show(app: App, context: Context, given: Given, id: string): Promise<ExitCode> {
  const exact = await app.runs.undo(id, choiceOf(given));
  const preview = app.redactorFor(await app.runs.state(id)).value(exact);
  if (given.flag('json')) printJson(context, preview);
  else print(context, renderUndo(preview, lookOf(context, 'stdout')).join('\n'));
  return exitCodes.done;
}

async function undo(app: App, context: Context, given: Given, id: string): Promise<ExitCode> {
  const json = given.flag('json');
  const attended = isAttended(context) && !json;
  const isAsked = attended && !given.flag('yes');
  const onAsk = oneOf(given, 'on-ask', OnAskPolicy.options);
  const choices: RunChoices = { mode: 'planner', onFailure: 'stop', attended, onAsk };
  const options = runOptions(app.config.values, {}, choices);
  const agreed = isAsked ? {} : { agreed: ownerAt('terminal') };
  const made = await app.runs.undo(id, { ...choiceOf(given), options, ...agreed });
  const preview = app.redactorFor(await app.runs.state(id)).value(made);
  note(context, renderUndo(preview, lookOf(context, 'stderr')).join('\n'));
  if (made.by === null) return exitCodes.done;
  if (isAsked) {
    const { plan } = await app.runs.state(made.by);
    const { agree } = await import('../agree.ts');
    const ended = await agree(app, context, made.by, plan!, []);
    if (ended !== null) return ended;
  }
  const view = chooseView(context, { id: made.by, json });
  return attend({ app, id: made.by, context, view, attended });
}
