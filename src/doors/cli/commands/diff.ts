import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { meantRun } from '../meant-run.ts';
import { diffNotes, renderChanges, renderDiff } from '../render/undo.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1);
      const { id } = await meantRun(app, context, given, prefix);
      const textless = given.flag('stat');
      const exact = await app.runs.diff(id, { step: given.text('step'), textless });
      const diff = app.redactorFor(await app.runs.state(id)).value(exact);
      if (given.flag('json')) {
        printJson(context, diff);
        return exitCodes.done;
      }
      const look = lookOf(context, 'stdout');
      const lines = textless ? renderChanges(diff.changes, look) : renderDiff(diff.text, look);
      if (lines.length > 0) print(context, lines.join('\n'));
      for (const line of diffNotes(diff)) note(context, line);
      return exitCodes.done;
    }),
};
