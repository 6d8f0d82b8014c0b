import { count } from '../../../core/contract/index.ts';
import { ownerAt } from '../../app/asker.ts';
import { exitCodes } from '../../app/errors.ts';
import { expireCheckpoints } from '../../app/retention.ts';
import { atMost, type CommandCode, wholeNumber } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      await app.streams.admit(ownerAt('terminal'), 'decide', 'gc');
      const { values } = app.config;
      const dryRun = given.flag('dry-run');
      const { streams, ...freed } = await app.gc({
        keepDays: wholeNumber(given, 'keep-days') ?? values['keep.days'],
        keepLast: wholeNumber(given, 'keep-runs') ?? values['keep.runs'],
        dryRun,
      });
      const checkpoints = dryRun ? 0 : await expireCheckpoints(app);
      if (given.flag('json')) printJson(context, { runs: streams, ...freed, checkpoints });
      else for (const id of streams) print(context, id);
      const bytes = `${(freed.freedBytes / 1e6).toFixed(1)} MB`;
      const runs = count(streams.length, 'finished run');
      note(
        context,
        dryRun ? `Would remove ${runs} and free ${bytes}.` : `Removed ${runs} and freed ${bytes}.`,
      );
      if (!dryRun && streams.length > 0)
        note(context, 'Checkpoints of the last hour are kept, and are not counted.');
      if (checkpoints > 0) note(context, `Forgot ${checkpoints} checkpoints that no run needs.`);
      return exitCodes.done;
    }),
};
