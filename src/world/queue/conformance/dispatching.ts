import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Dispatcher, DispatcherOptions } from '../dispatcher.ts';

/** A queue that several processes may share. */
export interface QueueWorld {
  /** One more process that takes up what there is. */
  dispatcher(options: DispatcherOptions): Dispatcher;
  close(): Promise<void>;
}

type Drives = Map<string, PromiseWithResolvers<{ wakeAt?: number | null }>>;

/** What is told here is waited for; nothing is held against a clock. */
function gate() {
  const waiting = new Set<{ isDue(): boolean; resolve(): void }>();
  return {
    until: (isDue: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        if (isDue()) resolve();
        else waiting.add({ isDue, resolve });
      }),
    tell() {
      for (const one of waiting) {
        if (!one.isDue()) continue;
        waiting.delete(one);
        one.resolve();
      }
    },
  };
}

/** What every queue promises. `make` gives an empty one. */
export function queueConformance(name: string, make: () => Promise<QueueWorld>): void {
  describe(`${name} keeps the promises of dispatching`, () => {
    let world: QueueWorld;
    let begun: string[];
    let errors: [string, unknown][];
    let drives: Drives;
    const { until, tell } = gate();
    beforeEach(async () => {
      world = await make();
      [begun, errors, drives] = [[], [], new Map()];
    });
    afterEach(() => world.close());

    const set = (concurrency: number) =>
      world.dispatcher({
        concurrency,
        clock: {
          now: Date.now,
          sleepUntil: async (at, signal) => {
            while (!signal.aborted && Date.now() < at) await new Promise((next) => setTimeout(next, 5));
          },
        },
        drive(stream) {
          if (drives.has(stream)) throw new Error(`${stream} is driven twice`);
          begun.push(stream);
          const drive = Promise.withResolvers<{ wakeAt?: number | null }>();
          drives.set(stream, drive);
          tell();
          return drive.promise;
        },
        onError(stream, error) {
          errors.push([stream, error]);
          tell();
        },
      });
    const end = (stream: string, rest: { wakeAt?: number | null } | Error = {}) => {
      const drive = drives.get(stream)!;
      drives.delete(stream);
      if (rest instanceof Error) drive.reject(rest);
      else drive.resolve(rest);
    };
    const isBegun = (count: number) => until(() => begun.length >= count);

    it('drives what is dispatched, no more than so many at a time', async () => {
      const { dispatch, idle, stop } = set(2);
      for (const stream of ['a', 'b', 'c', 'd']) dispatch(stream);
      for (let ended = 0; ended < 4; ended++) {
        await isBegun(Math.min(4, ended + 2));
        expect(drives.size).toBeLessThanOrEqual(2);
        end([...drives.keys()][0]!);
      }
      await idle();
      expect(begun.toSorted()).toEqual(['a', 'b', 'c', 'd']);
      await stop();
    });

    it('does not queue a stream twice, and drives an active one once more when it was dispatched meanwhile', async () => {
      const { dispatch, idle, stop } = set(2);
      dispatch('a');
      await isBegun(1);
      for (const stream of ['a', 'a', 'b']) dispatch(stream);
      // There is room for one more, and that is not the one that is active already.
      await isBegun(2);
      expect(begun).toEqual(['a', 'b']);
      for (const stream of ['b', 'a']) end(stream);
      await isBegun(3);
      // What was dispatched twice may reach a shared queue after the first of the two has been taken up.
      void isBegun(4).then(() => end('a'));
      end('a');
      await idle();
      expect(begun.slice(0, 3).toSorted()).toEqual(['a', 'a', 'b']);
      expect(begun.length, 'no oftener than it was dispatched').toBeLessThanOrEqual(4);
      await stop();
    });

    it('wakes a stream when it is due', async () => {
      const { dispatch, stop } = set(1);
      dispatch('a');
      await isBegun(1);
      const wakeAt = Date.now() + 30;
      end('a', { wakeAt });
      await isBegun(2);
      expect(Date.now()).toBeGreaterThanOrEqual(wakeAt);
      end('a');
      await stop();
    });

    it('reports a drive that failed, leaves it alone, and goes on with others', async () => {
      const { dispatch, idle, stop } = set(1);
      const error = new Error('planted');
      dispatch('a');
      await isBegun(1);
      end('a', error);
      dispatch('b');
      await isBegun(2);
      end('b');
      await idle();
      expect(errors).toEqual([['a', error]]);
      expect(begun).toEqual(['a', 'b']);
      await stop();
    });

    it('stops by waiting for what is active, and starts nothing more', async () => {
      const { dispatch, stop } = set(1);
      dispatch('a');
      await isBegun(1);
      dispatch('b');
      let isStopped = false;
      const stopping = stop().then(() => {
        isStopped = true;
      });
      await new Promise(setImmediate);
      expect(isStopped).toBe(false);
      end('a', { wakeAt: Date.now() });
      await stopping;
      dispatch('c');
      expect(begun).toEqual(['a']);
    });
  });
}
