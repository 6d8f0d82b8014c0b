import { count } from '../../../core/contract/index.ts';
import { exitCodes } from '../../app/errors.ts';
import { expireCheckpoints } from '../../app/retention.ts';
import { atMost, type CommandCode, wholeNumber } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      const { values } = app.config;
      const dryRun = given.flag('dry-run');
      const result = await app.store.gc({
        now: Date.now(),
        keepDays: wholeNumber(given, 'keep-days') ?? values['keep.days'],
        keepRuns: wholeNumber(given, 'keep-runs') ?? values['keep.runs'],
        dryRun,
      });
      const checkpoints = dryRun ? 0 : await expireCheckpoints(app);
      if (given.flag('json')) printJson(context, { ...result, checkpoints });
      else for (const id of result.runs) print(context, id);
      const freed = `${(result.freedBytes / 1e6).toFixed(1)} MB`;
      const runs = count(result.runs.length, 'finished run');
      note(
        context,
        dryRun ? `Would remove ${runs} and free ${freed}.` : `Removed ${runs} and freed ${freed}.`,
      );
      if (checkpoints > 0) note(context, `Forgot ${checkpoints} checkpoints that no run needs.`);
      return exitCodes.done;
    }),
};
