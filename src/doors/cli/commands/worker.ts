import type { TaskRow } from '../../../core/contract/tasks/index.ts';
import type { App } from '../../app/app.ts';
import { type ExitCode, exitCodes } from '../../app/errors.ts';
import type { Meter } from '../../app/metrics.ts';
import { driveAll } from '../../app/worker.ts';
import { atMost, type CommandCode, type Given } from '../command.ts';
import { type Context, note, print } from '../context.ts';
import { withoutSecrets } from '../task/hidden.ts';
import { ring } from '../task/ring.ts';
import { taskRowLine } from '../task/words.ts';
import { versionOf } from '../version.ts';
import { withApp } from '../with-app.ts';

export const command: CommandCode = {
  async run(context, given) {
    atMost(given, 0);
    const at = given.text('metrics');
    if (at === undefined) return drive(context, given);
    const [{ createMeter, exposition, buildInfo }, { openMetricsPort }] = await Promise.all([
      import('../../app/metrics.ts'),
      import('../metrics-port.ts'),
    ]);
    const meter = createMeter();
    const port = await openMetricsPort(at, () => exposition([buildInfo(versionOf()), ...meter.families()]));
    note(context, `It is measured at ${port.url}`);
    try {
      return await drive(context, given, meter);
    } finally {
      await port.close();
    }
  },
};

const drive = (context: Context, given: Given, meter?: Meter): Promise<ExitCode> =>
  withApp(
    context,
    given,
    async (app) => {
      const stop = new AbortController();
      const onSignal = () => stop.abort();
      process.once('SIGINT', onSignal);
      process.once('SIGTERM', onSignal);
      try {
        await driveAll(app, {
          onRest: (row) =>
            given.flag('json')
              ? print(context, JSON.stringify(row))
              : note(
                  context,
                  row.kind === 'task'
                    ? restedTask(app, context, row as TaskRow)
                    : `${row.id} ${row.state}: ${app.streams.kinds.get(row.kind)?.titleOf(row)}`,
                ),
          onError: (run, error) =>
            note(context, `${run && `${run}: `}${error instanceof Error ? error.message : error}`),
          version: versionOf(),
          ...(given.flag('watch') || app.fleet !== null ? { watch: stop.signal } : {}),
        });
      } finally {
        process.off('SIGINT', onSignal);
        process.off('SIGTERM', onSignal);
      }
      return exitCodes.done;
    },
    meter === undefined ? {} : { around: meter.around },
  );

function restedTask(app: App, context: Context, row: TaskRow): string {
  ring(context, row);
  return taskRowLine(withoutSecrets(app, row), Date.now());
}
