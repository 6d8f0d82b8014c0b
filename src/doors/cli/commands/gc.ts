import { existsSync, rmSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { count } from '../../../core/contract/index.ts';
import { ownerAt } from '../../app/asker.ts';
import { exitCodes } from '../../app/errors.ts';
import { cleanSources, expireCheckpoints, STAYS } from '../../app/retention.ts';
import { type CommandCode, wholeNumber } from '../command.ts';
import { note, print, printJson } from '../context.ts';
import { meantRun } from '../meant-run.ts';
import { withApp } from '../with-app.ts';

/** On a full disk: it is made again by every start. False where there is none. */
function dropCompiledCode(): boolean {
  const folder = getCompileCacheDir();
  if (folder === undefined || !existsSync(folder)) return false;
  rmSync(folder, { recursive: true, force: true });
  return true;
}

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      await app.streams.admit(ownerAt('terminal'), 'decide', 'gc');
      const { values } = app.config;
      const dryRun = given.flag('dry-run');
      const named: string[] = [];
      for (const each of given.positionals)
        named.push((await meantRun(app, context, given, each, 'remove')).id);
      const collect = async () => {
        const collected = await app.gc({
          keepDays: wholeNumber(given, 'keep-days') ?? values['keep.days'],
          keepLast: wholeNumber(given, 'keep-runs') ?? values['keep.runs'],
          ...(named.length === 0 ? {} : { only: named }),
          dryRun,
        });
        const { removed = [], bytes = 0 } = dryRun ? {} : await cleanSources(app);
        return {
          ...collected,
          freedBytes: collected.freedBytes + bytes,
          checkpoints: dryRun ? 0 : await expireCheckpoints(app),
          caches: removed.length,
        };
      };
      const { streams, checkpoints, caches, ...freed } = await collect().catch((error: unknown) => {
        if ((error as { code?: unknown }).code !== 'disk-full' || !dropCompiledCode()) throw error;
        return collect();
      });
      if (given.flag('json')) printJson(context, { runs: streams, ...freed, checkpoints, caches });
      else for (const id of streams) print(context, id);
      const bytes = `${(freed.freedBytes / 1e6).toFixed(1)} MB`;
      const runs = count(streams.length, 'finished run');
      note(
        context,
        dryRun ? `Would remove ${runs} and free ${bytes}.` : `Removed ${runs} and freed ${bytes}.`,
      );
      const stay = named.filter((id) => !streams.includes(id));
      for (const id of stay) note(context, `Run ${id} stays: ${STAYS}.`);
      if (!dryRun && streams.length > 0)
        note(context, 'Checkpoints of the last hour are kept, and are not counted.');
      if (checkpoints > 0) note(context, `Forgot ${checkpoints} checkpoints that no run needs.`);
      if (caches > 0) note(context, `Removed ${count(caches, 'folder')} of git sources that no run needs.`);
      return stay.length === 0 ? exitCodes.done : exitCodes.failed;
    }),
};
