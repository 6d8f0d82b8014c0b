import { exitCodes } from '../../app/errors.ts';
import { atMost, type CommandCode } from '../command.ts';
import { type Context, print, printJson } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(replaying(context), given, async (app) => {
      const [prefix] = atMost(given, 1);
      const row = await meantRun(app, context, given, prefix);
      const exact = await app.runs.replay(row.id);
      const replayed = app.redactorFor(await app.runs.state(row.id)).value(exact);
      const { divergence, events, decisions, answers } = replayed;
      if (given.flag('json')) {
        printJson(context, { run: row.id, ...replayed });
      } else if (divergence === null) {
        const asked = answers === 0 ? '' : `, ${answers} answers of models from their recordings`;
        print(context, `Run ${row.id} goes as it went: ${events} events, ${decisions} decisions${asked}.`);
      } else {
        print(context, `Run ${row.id} goes another way from event ${divergence.seq} on.`);
        print(context, `  then  ${divergence.recorded}`);
        print(context, `  now   ${divergence.now}`);
      }
      return divergence === null ? exitCodes.done : exitCodes.failed;
    }),
};

/** Models answer from recordings alone: a replay sends nothing. */
const replaying = (context: Context): Context => ({
  ...context,
  env: { ...context.env, PLANWRIGHT_MODELS_RECORDING: 'replay' },
});
