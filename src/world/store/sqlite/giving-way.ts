import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { monotonic } from '../../process/monotonic.ts';

const sleeper = new Int32Array(new SharedArrayBuffer(4));
/** Sleeps for less than a timer could; the event loop stands still meanwhile, so keep it well under 1 ms. */
const nap = (ms: number): void => void Atomics.wait(sleeper, 0, 0, ms);

/**
 * The wait before the next try for the lock. Transactions take a fraction of a millisecond, so the first
 * tries come quickly; all of them are jittered, because writers that wake together collide again.
 */
export async function pauseFor(tries: number): Promise<void> {
  if (tries <= 4) nap(0.05 + Math.random() * 0.25);
  else await sleep(1 + Math.random() * Math.min(tries, 12));
}

/** How long a writer stays polite after it has met another one. */
const politeMs = 200;
/** Synchronous writes in a chain of promises would starve every timer of the process, heartbeats among them. */
const maxTurnMs = 15;

/**
 * Says when a writer should let others go first. A process that appends in a tight loop takes the lock again
 * before a waiting one has looked: without this, one writer gets nearly all and another nearly nothing.
 */
export function createYield() {
  let politeUntil = 0;
  let turnBegan = 0;
  let fresh = false;
  return {
    sawContention() {
      politeUntil = monotonic() + politeMs;
    },
    /** A promise to wait for before the next transaction, or undefined to go at once. */
    due(): Promise<unknown> | undefined {
      const now = monotonic();
      if (now < politeUntil) nap(Math.random() * 0.3);
      if (!fresh) {
        fresh = true;
        turnBegan = now;
        setImmediate(() => {
          fresh = false;
        }).unref();
        return undefined;
      }
      return now - turnBegan > maxTurnMs ? turn() : undefined;
    },
  };
}
