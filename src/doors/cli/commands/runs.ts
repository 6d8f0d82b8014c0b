import { RunRow } from '../../../core/contract/index.ts';
import { exitCodes } from '../../app/index.ts';
import { atMost, type Command, commonOptions, oneOf, wholeNumber } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { lookOf } from '../look.ts';
import { renderRunsTable } from '../view/index.ts';
import { withApp } from '../with-app.ts';

export const command: Command = {
  usage: '[options]',
  options: {
    all: { type: 'boolean', short: 'a', about: 'Of every folder, not only this one' },
    state: { type: 'string', value: 'STATE', about: 'Only runs in this state' },
    limit: { type: 'string', short: 'n', value: 'N', about: 'At most so many (20)' },
    ...commonOptions,
  },
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0, `runs ${command.usage}`);
      const state = oneOf(given, 'state', RunRow.shape.state.options);
      const rows = await app.runs.list({
        limit: wholeNumber(given, 'limit') ?? 20,
        ...(given.flag('all') ? {} : { workspace: app.workspace }),
        ...(state === undefined ? {} : { state }),
      });
      if (given.flag('json')) printJson(context, rows);
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
