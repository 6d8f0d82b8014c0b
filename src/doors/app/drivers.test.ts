import { expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../core/stream/index.ts';
import type { App } from './app.ts';
import { startDrivers } from './drivers.ts';

/** Streams that are due whatever is done for them, and how each comes to rest. */
function appOf(rests: Record<string, string>) {
  const seqs = new Map(Object.keys(rests).map((id) => [id, 7]));
  const asked: number[] = [];
  const driven: string[] = [];
  const never = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const streams = {
    async due(_: number, limit: number) {
      asked.push(limit);
      return [...seqs.keys()].map((id) => ({ id }));
    },
    lastSeq: async (id: string) => seqs.get(id),
    async drive(id: string) {
      driven.push(id);
      return { why: rests[id], seq: seqs.get(id), wakeAt: null, state: null };
    },
    cursor: async () => '0',
    changedSince: async () => ({ cursor: '0', streams: [] }),
    changedAny: never,
  };
  const app = { config: { values: { concurrency: 4 } }, streams } as unknown as App;
  return { app, seqs, asked, driven };
}

/** Time that stands still: each look for work is begun by hand, and over when it sleeps again. */
function looks() {
  const sleepers: (() => void)[] = [];
  const clock: Clock = {
    now: () => 1000,
    sleepUntil: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        sleepers.push(resolve);
      }),
  };
  const asleep = () => vi.waitUntil(() => sleepers.length > 0, { timeout: 60_000 });
  const look = async () => {
    await asleep();
    sleepers.pop()!();
    await asleep();
  };
  return { clock, asleep, look };
}

test('what cannot go on here is tried once, and again only after something was written to it', async () => {
  const { app, seqs, asked, driven } = appOf({ far: 'elsewhere', strange: 'unreadable', ours: 'lost' });
  const { clock, asleep, look } = looks();
  const drivers = startDrivers(app, { onError: (_, error) => expect(error).toBeNull(), clock });
  onTestFinished(() => drivers.stop());
  await asleep();
  await vi.waitUntil(() => driven.length === 3 && drivers.active() === 0);
  const again = async (count: number) => {
    driven.length = 0;
    await look();
    await vi.waitUntil(() => driven.length >= count && drivers.active() === 0);
    return driven.toSorted();
  };
  expect(await again(1)).toEqual(['ours']);
  expect(await again(1)).toEqual(['ours']);
  // Those that stay due for ever do not take the places of others.
  expect(asked.at(-1)! - asked[0]!).toBe(2);
  seqs.set('far', 8);
  expect(await again(2)).toEqual(['far', 'ours']);
  expect(await again(1)).toEqual(['ours']);
});

test('what is asked for by somebody here is tried, stuck or not', async () => {
  const { app, driven } = appOf({ far: 'elsewhere' });
  const { clock, asleep } = looks();
  const drivers = startDrivers(app, { onError: () => {}, clock });
  onTestFinished(() => drivers.stop());
  await asleep();
  await vi.waitUntil(() => driven.length === 1 && drivers.active() === 0);
  drivers.dispatch('far');
  await vi.waitUntil(() => driven.length === 2);
});
