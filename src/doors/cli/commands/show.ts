import { evolve, initialRunState, withWholePlan } from '../../../core/contract/index.ts';
import { AppError, exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { print, printJson } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { meantRun } from '../meant-run.ts';
import { renderRunDetails } from '../render/details.ts';
import { withApp } from '../with-app.ts';
import { expandsPlan } from './run-choices.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      const [prefix] = atMost(given, 1);
      const row = await meantRun(app, context, given, prefix);
      if (given.flag('events')) {
        const redactor = app.redactorFor(await app.runs.state(row.id));
        const expand = expandsPlan(given);
        let state = initialRunState;
        for (const stored of await app.streams.read(row.id, 0)) {
          if (expand) state = evolve(state, stored);
          const told = redactor.value(stored);
          const { seq, event } = expand ? withWholePlan(told, row.id, redactor.value(state)) : told;
          print(context, JSON.stringify({ seq, ...event }));
        }
        return exitCodes.done;
      }
      if (given.flag('fetched')) {
        const text = await app.runs.fetched(row.id);
        if (text === null) throw new AppError('not-kept', `the plan of run ${row.id} was not fetched`);
        context.stdout.write(text);
        return exitCodes.done;
      }
      const exact = await app.runs.state(row.id);
      const state = app.redactorFor(exact).value(exact);
      const undoneBy = await app.runs.undoneBy(row.id);
      if (given.flag('json')) {
        const { plan, steps, stopReason, message, approvals, interrupted, session } = state;
        const { ranges, uncovered, rollback } = state;
        const told = { plan, steps, stopReason, message, approvals, interrupted, cwd: session.cwd };
        const undone = undoneBy.map(({ id, state: became }) => ({ id, state: became }));
        printJson(context, { ...row, ...told, ranges, uncovered, rollback, undoneBy: undone });
      } else {
        const look = { ...lookOf(context, 'stdout'), now: Date.now(), undoneBy };
        print(context, renderRunDetails(row, state, look).join('\n'));
      }
      return exitCodes.done;
    }),
};
