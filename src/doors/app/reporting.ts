import { availableParallelism, loadavg } from 'node:os';
import type { WorkerReport } from '../../core/contract/index.ts';
import { systemClock } from '../../world/store/index.ts';
import type { App } from './app.ts';

export interface Reporting extends Pick<WorkerReport, 'as' | 'version'> {
  /** How many streams are driven here now. */
  active(): number;
}

/** On one machine nobody takes over by it. */
const FLEET_MS = 5000;
const ALONE_MS = 15_000;

/** Says every few seconds that this process drives, and how busy it is; `stop` says that it does no more. Never throws. */
export function startReporting(app: App, { as, version, active }: Reporting): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const startedAt = systemClock.now();
  const report = () =>
    app.workers.report({
      ...{ as, version, startedAt, active: active() },
      concurrency: app.config.values.concurrency,
      load: loadavg()[0]! / availableParallelism(),
    });
  const reporting = (async () => {
    while (!stopping.signal.aborted) {
      // What cannot be said now is said the next time.
      await report().catch(() => undefined);
      const wait = app.fleet === null ? ALONE_MS : FLEET_MS;
      await systemClock.sleepUntil(systemClock.now() + wait, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await reporting;
      await app.workers.leave().catch(() => undefined);
    },
  };
}
