import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { print, printJson } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { callsOf, renderCost } from '../render/cost.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1);
      const row = await meantRun(app, context, given, prefix);
      const state = await app.runs.state(row.id);
      const calls = app.redactorFor(state).value(callsOf(await app.streams.read(row.id, 0)));
      const { costUsd, tokens, spending } = row;
      const limits = state.options?.limits;
      if (given.flag('json')) printJson(context, { run: row.id, costUsd, tokens, spending, limits, calls });
      else for (const line of renderCost(row, calls, limits)) print(context, line);
      return exitCodes.done;
    }),
};
