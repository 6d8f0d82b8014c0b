import { exitCodes, work } from '../../app/index.ts';
import { atMost, type Command, commonOptions } from '../command.ts';
import { note, print } from '../context.ts';
import { withApp } from '../with-app.ts';

export const command: Command = {
  usage: '[options]',
  options: {
    watch: { type: 'boolean', about: 'Stay, and take up runs as they come to be due' },
    json: commonOptions.json,
  },
  run: (context, given) =>
    withApp(context, given, async (app) => {
      atMost(given, 0, `work ${command.usage}`);
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      process.once('SIGINT', onSignal);
      process.once('SIGTERM', onSignal);
      try {
        await work(app, {
          onRest: (row) =>
            given.flag('json')
              ? print(context, JSON.stringify(row))
              : note(
                  context,
                  `${row.id} ${row.state}${row.stopReason ? ` (${row.stopReason})` : ''}: ${row.goal}`,
                ),
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
