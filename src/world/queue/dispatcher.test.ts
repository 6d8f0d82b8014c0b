import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../core/stream/index.ts';
import { createDispatcher } from './dispatcher.ts';

/** A clock that stands still until a test sets it. */
function fakeClock() {
  let now = 0;
  const sleepers = new Set<{ until: number; wake(): void }>();
  const clock: Clock = {
    now: () => now,
    sleepUntil: (until, signal) =>
      new Promise((resolve) => {
        const sleeper = { until, wake: resolve };
        if (until <= now || signal.aborted) return resolve();
        sleepers.add(sleeper);
        signal.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          resolve();
        });
      }),
  };
  return {
    clock,
    sleepers,
    async set(time: number) {
      now = time;
      for (const sleeper of [...sleepers]) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await turn();
    },
  };
}

/** A dispatcher whose drives end when the test says so. */
function setUp(concurrency = 2) {
  const time = fakeClock();
  const log: string[] = [];
  const drives = new Map<string, PromiseWithResolvers<{ wakeAt?: number | null }>>();
  const errors: [string, unknown][] = [];
  const dispatcher = createDispatcher({
    concurrency,
    clock: time.clock,
    drive(runId) {
      if (drives.has(runId)) throw new Error(`${runId} is driven twice`);
      log.push(runId);
      const drive = Promise.withResolvers<{ wakeAt?: number | null }>();
      drives.set(runId, drive);
      return drive.promise;
    },
    onError: (runId, error) => void errors.push([runId, error]),
  });
  const end = async (runId: string, rest: { wakeAt?: number | null } | Error = {}) => {
    const drive = drives.get(runId)!;
    drives.delete(runId);
    if (rest instanceof Error) drive.reject(rest);
    else drive.resolve(rest);
    await turn();
  };
  return { ...dispatcher, ...time, log, drives, errors, end };
}

describe('the dispatcher', () => {
  it('starts runs in the order in which they came, no more than so many at a time', async () => {
    const { dispatch, log, end } = setUp(2);
    for (const run of ['a', 'b', 'c', 'd']) dispatch(run);
    expect(log).toEqual(['a', 'b']);
    await end('b');
    expect(log).toEqual(['a', 'b', 'c']);
    await end('c');
    await end('a');
    expect(log).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not queue a run twice', async () => {
    const { dispatch, log, end } = setUp(1);
    for (const run of ['a', 'b', 'b', 'b']) dispatch(run);
    await end('a');
    await end('b');
    expect(log).toEqual(['a', 'b']);
  });

  it('drives an active run once more when it was dispatched meanwhile, after those that waited', async () => {
    const { dispatch, log, end } = setUp(1);
    for (const run of ['a', 'b', 'a', 'a']) dispatch(run);
    await end('a', { wakeAt: 100 });
    await end('b');
    await end('a');
    expect(log).toEqual(['a', 'b', 'a']);
  });

  it('wakes a run when it is due', async () => {
    const { dispatch, log, end, set } = setUp();
    dispatch('a');
    await end('a', { wakeAt: 100 });
    await set(99);
    expect(log).toEqual(['a']);
    await set(100);
    expect(log).toEqual(['a', 'a']);
  });

  it('drives a sleeping run at once when it is dispatched, and forgets the alarm', async () => {
    const { dispatch, log, end, set, sleepers } = setUp();
    dispatch('a');
    await end('a', { wakeAt: 100 });
    dispatch('a');
    await end('a', { wakeAt: null });
    expect(sleepers.size).toBe(0);
    await set(200);
    expect(log).toEqual(['a', 'a']);
  });

  it('reports a drive that failed and goes on with the others', async () => {
    const { dispatch, log, end, errors } = setUp(1);
    dispatch('a');
    dispatch('b');
    const error = new Error('planted');
    await end('a', error);
    expect(errors).toEqual([['a', error]]);
    await end('b');
    dispatch('a');
    expect(log).toEqual(['a', 'b', 'a']);
  });

  it('reports a drive that throws instead of rejecting', async () => {
    const errors: string[] = [];
    const dispatcher = createDispatcher({
      concurrency: 1,
      clock: fakeClock().clock,
      drive: () => {
        throw new Error('planted');
      },
      onError: (runId) => void errors.push(runId),
    });
    dispatcher.dispatch('a');
    await dispatcher.idle();
    expect(errors).toEqual(['a']);
  });

  it('is idle when nothing is queued or active, sleepers or not', async () => {
    const { dispatch, idle, end } = setUp(1);
    await idle();
    dispatch('a');
    dispatch('b');
    let isIdle = false;
    const waiting = idle().then(() => {
      isIdle = true;
    });
    await end('a', { wakeAt: 100 });
    expect(isIdle).toBe(false);
    await end('b');
    await waiting;
  });

  it('stops by waiting for what is active and starting nothing more', async () => {
    const { dispatch, stop, end, set, log, sleepers } = setUp(1);
    dispatch('sleeper');
    await end('sleeper', { wakeAt: 100 });
    dispatch('a');
    dispatch('b');
    dispatch('a');
    let isStopped = false;
    const stopping = stop().then(() => {
      isStopped = true;
    });
    await turn();
    expect(isStopped).toBe(false);
    await end('a', { wakeAt: 50 });
    await stopping;
    dispatch('c');
    await set(1000);
    expect(log).toEqual(['sleeper', 'a']);
    expect(sleepers.size).toBe(0);
    await stop();
  });

  it('whatever happens, drives every dispatch, nothing twice at once and never too many', async () => {
    const runs = ['a', 'b', 'c', 'd'];
    const step = fc.oneof(
      fc.record({ kind: fc.constant('dispatch' as const), run: fc.constantFrom(...runs) }),
      fc.record({
        kind: fc.constant('end' as const),
        run: fc.constantFrom(...runs),
        wakeIn: fc.option(fc.integer({ min: 0, max: 9 })),
      }),
      fc.record({ kind: fc.constant('time' as const), ms: fc.integer({ min: 1, max: 9 }) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { maxLength: 40 }),
        async (concurrency, steps) => {
          const { dispatch, drives, end, set, clock, log } = setUp(concurrency);
          const owed = new Set<string>();
          let seen = 0;
          const look = () => {
            for (; seen < log.length; seen++) owed.delete(log[seen]!);
            expect(drives.size).toBeLessThanOrEqual(concurrency);
            if (owed.size > 0 && [...owed].some((run) => !drives.has(run)))
              expect(drives.size).toBe(concurrency);
          };
          for (const step of steps) {
            if (step.kind === 'dispatch') {
              owed.add(step.run);
              dispatch(step.run);
            } else if (step.kind === 'time') await set(clock.now() + step.ms);
            else if (drives.has(step.run)) {
              await end(step.run, { wakeAt: step.wakeIn === null ? null : clock.now() + step.wakeIn });
            }
            look();
          }
          while (drives.size > 0) {
            await end([...drives.keys()][0]!);
            look();
          }
          expect(owed.size).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});
