import type { MiddlewareHandler } from 'hono';
import type { RunRow } from '../../core/contract/index.ts';
import { buildInfo, exposition, type Family, gauge, type Meter } from '../app/metrics.ts';
import { HttpError } from './http/errors.ts';
import { askerIn, type GuardedVariables, type GuardOptions } from './http/guard.ts';
import { isLoopback } from './http/hosts.ts';
import type { Desk } from './routes/handler.ts';

interface Check {
  name: string;
  ok: boolean;
  detail: string;
}

async function check(name: string, ask: () => Promise<unknown>): Promise<Check> {
  try {
    await ask();
    return { name, ok: true, detail: 'answers' };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether this server can work: it reads the journal and, in a fleet, the queue. Never throws. */
export const readiness = ({ app }: Desk): Promise<Check[]> =>
  Promise.all([
    check('store', () => app.streams.cursor()),
    ...(app.fleet === null ? [] : [check('queue', app.fleet.depth)]),
  ]);

/** So many of those that wait are told apart by what they wait for. */
const MOST_WAITING = 1000;

/** What a server tells of the store and of itself. */
async function measured({ app, drivers }: Desk, version: string, meter: Meter | undefined): Promise<string> {
  const kinds = [...app.streams.kinds.keys()];
  const now = Date.now();
  const [counts, waiting, depth, workers, workload] = await Promise.all([
    Promise.all(kinds.map((kind) => app.streams.countStates({ kind }))),
    app.streams.list<RunRow>({ kind: 'run', state: 'waiting', limit: MOST_WAITING }),
    app.fleet?.depth() ?? null,
    app.workers.list(),
    app.workers.workload({ now, since: now }),
  ]);
  const waitingFor = Map.groupBy(waiting, (row) => row.waitingFor ?? 'answer');
  const families: Family[] = [
    buildInfo(version),
    gauge(
      'planwright_streams',
      'Streams in the store, by kind and state; runs are of kind run.',
      kinds.flatMap((kind, at) =>
        Object.entries(counts[at]!).map(([state, value]) => ({ labels: { kind, state }, value })),
      ),
    ),
    gauge(
      'planwright_waiting_runs',
      'Runs that wait for a person, by what they wait for.',
      [...waitingFor].map(([reason, rows]) => ({ labels: { for: reason }, value: rows.length })),
    ),
    gauge('planwright_driving', 'Streams that this server drives now.', [{ value: drivers.active() }]),
    gauge(
      'planwright_worker_up',
      'Servers and workers that drive: 1, and 0 where one is not heard of any more.',
      workers.map(({ as, host, pid, version: theirs, isSilent }) => ({
        labels: { as, host, pid: `${pid}`, version: theirs },
        value: isSilent ? 0 : 1,
      })),
    ),
    gauge('planwright_claims', 'Streams that somebody drives now, over the whole fleet.', [
      { value: workload.claimed },
    ]),
    gauge('planwright_due', 'Streams that have something to do and that nobody drives.', [
      { value: workload.due },
    ]),
    ...(depth === null
      ? []
      : [
          gauge('planwright_queue', 'Activations in the queue of the fleet, by state.', [
            { labels: { state: 'waiting' }, value: depth.waiting },
            { labels: { state: 'active' }, value: depth.active },
          ]),
        ]),
    ...(meter?.families() ?? []),
  ];
  return exposition(families);
}

/** For whoever may look, and for what runs on this machine: unless it speaks for somebody elsewhere. */
export const metrics =
  (
    options: GuardOptions,
    desk: Desk,
    version: string,
    meter: Meter | undefined,
  ): MiddlewareHandler<GuardedVariables> =>
  async (context) => {
    const address = context.env?.incoming?.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    const isPassedOn = ['forwarded', 'x-forwarded-for'].some(
      (name) => context.req.header(name) !== undefined,
    );
    if ((!isLoopback(address) || isPassedOn) && (await askerIn(options.access, context)) === null)
      throw new HttpError(401, 'no-access', 'send a token as Authorization: Bearer; viewer is enough');
    return context.text(await measured(desk, version, meter), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  };
