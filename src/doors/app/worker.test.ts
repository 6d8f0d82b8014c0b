import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { App } from './app.ts';
import { driveAll } from './worker.ts';

/** A worker over one stream that is due whatever is done for it, for so many seconds, which pass while it sleeps. */
async function watched(
  seconds: number,
  on: { drive?(): Promise<unknown>; due?(now: number): void; fleet?: object },
) {
  let now = 0;
  const errors: string[] = [];
  const stop = new AbortController();
  const row = { id: 'a', seq: 1 };
  const app = {
    config: { values: { concurrency: 1, lease: null, 'runs.most': null } },
    workers: { report: async () => {}, leave: async () => {} },
    fleet: on.fleet ?? null,
    streams: {
      async due() {
        on.due?.(now);
        return [{ ...row }];
      },
      row: async () => null,
      drive: on.drive,
    },
  };
  await driveAll(app as unknown as App, {
    onRest: () => {},
    onError: (_, error) => void errors.push(`${now / 1000} ${(error as Error).message}`),
    watch: stop.signal,
    clock: {
      now: () => now,
      async sleepUntil(until) {
        await turn();
        now = until;
        if (now >= seconds * 1000) stop.abort();
      },
    },
  });
  return { errors, row };
}

test('what fails is tried again after twice as long each time, up to a few minutes', async () => {
  const drive = async () => {
    throw new Error('away');
  };
  const { errors } = await watched(1200, { drive });
  const times = [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 811, 1111];
  expect(errors).toEqual(times.map((at) => `${at} away`));
});

test('what was dispatched in a fleet and is due all the same is dispatched again: whoever had it may be gone', async () => {
  const dispatched: string[] = [];
  let at = 0;
  const dispatcher = () => ({
    dispatch: (stream: string) => void dispatched.push(`${at / 1000} ${stream}`),
    idle: async () => {},
    stop: async () => {},
  });
  const due = (now: number) => {
    at = now;
  };
  await watched(100, { fleet: { dispatcher }, due });
  expect(dispatched).toEqual(['0 a', '30 a', '90 a']);
});

test('who cannot look for work says so, and looks again', async () => {
  let driven = 0;
  const drive = async () => {
    driven += 1;
    return { why: 'lost', state: null, seq: 1, wakeAt: null };
  };
  const due = (now: number) => {
    if (now === 2000) throw new Error('the store is away');
  };
  const { errors } = await watched(5, { drive, due });
  expect(errors).toEqual(['2 the store is away']);
  expect(driven).toBe(5);
});
