import { RunRow } from '../../../core/contract/index.ts';
import { exitCodes } from '../../app/errors.ts';
import { rowWithout } from '../../app/secrets.ts';
import { atMost, type CommandCode, oneOf, wholeNumber } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { renderRunsTable } from '../render/runs.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      const state = oneOf(given, 'state', RunRow.shape.state.options);
      const workspace = await app.runs.folder(app.workspace);
      if (!given.flag('all') && workspace !== app.workspace) note(context, `Of ${workspace}:`);
      const listed = await app.runs.list({
        limit: wholeNumber(given, 'limit') ?? 20,
        ...(given.flag('all') ? {} : { workspace }),
        ...(state === undefined ? {} : { state }),
      });
      // A row is shown without what its own run has to hide.
      const rows = await Promise.all(
        listed.map(async (row) => {
          const own = await app.runs
            .state(row.id)
            .then(app.redactorFor)
            .catch(() => null);
          return rowWithout(row, own);
        }),
      );
      if (given.flag('ids')) for (const { id } of rows) print(context, id);
      else if (given.flag('json')) printJson(context, rows);
      else if (rows.length > 0)
        print(context, renderRunsTable(rows, { ...lookOf(context, 'stdout'), now: Date.now() }).join('\n'));
      else
        note(
          context,
          given.flag('all') ? 'No runs yet.' : 'No runs in this folder yet. planwright runs --all',
        );
      return exitCodes.done;
    }),
};
