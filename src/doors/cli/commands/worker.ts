import { exitCodes } from '../../app/errors.ts';
import { driveAll } from '../../app/worker.ts';
import { atMost, type CommandCode } from '../command.ts';
import { note, print } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0);
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      process.once('SIGINT', onSignal);
      process.once('SIGTERM', onSignal);
      try {
        await driveAll(app, {
          onRest: (row) =>
            given.flag('json')
              ? print(context, JSON.stringify(row))
              : note(context, `${row.id} ${row.state}: ${app.streams.kinds.get(row.kind)?.titleOf(row)}`),
          onError: (run, error) => note(context, `${run}: ${error instanceof Error ? error.message : error}`),
          ...(given.flag('watch') ? { watch: stop.signal } : {}),
        });
      } finally {
        process.off('SIGINT', onSignal);
        process.off('SIGTERM', onSignal);
      }
      return exitCodes.done;
    }),
};
