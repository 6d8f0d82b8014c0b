import { expect, onTestFinished, test, vi } from 'vitest';
import type { Clock } from '../../core/stream/index.ts';
import type { App } from './app.ts';
import { startDrivers } from './drivers.ts';

/** Streams that are due whatever is done for them, and how each comes to rest. */
function appOf(rests: Record<string, string>) {
  const seqs = new Map(Object.keys(rests).map((id) => [id, 7]));
  const rows = new Map<string, { unanswered: { seq: number }[] }>();
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
    row: async (id: string) => rows.get(id) ?? null,
    async drive(id: string) {
      driven.push(id);
      if (rests[id] === 'fails') throw new Error('planted');
      return { why: rests[id], seq: seqs.get(id), wakeAt: null, state: null };
    },
    cursor: async () => '0',
    changedSince: async () => ({ cursor: '0', streams: [] }),
    changedAny: never,
  };
  const app = { config: { values: { concurrency: 4 } }, streams } as unknown as App;
  return { app, seqs, rows, asked, driven };
}

/** However busy the machine is. */
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 60_000 });

/** Time that stands still: each look for work is begun by hand, and over when it sleeps again. */
function looks() {
  const sleepers: (() => void)[] = [];
  const clock: Clock = {
    now: () => 1000,
    sleepUntil: (_, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
        sleepers.push(resolve);
      }),
  };
  const asleep = () => until(() => sleepers.length > 0);
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
  await until(() => driven.length === 3 && drivers.active() === 0);
  const again = async (count: number) => {
    driven.length = 0;
    await look();
    await until(() => driven.length >= count && drivers.active() === 0);
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
  await until(() => driven.length === 1 && drivers.active() === 0);
  drivers.dispatch('far');
  await until(() => driven.length === 2);
});

test('what fails is left alone for a while, until something was written to it', async () => {
  const { app, seqs, driven } = appOf({ broken: 'fails', ours: 'lost' });
  const { clock, asleep, look } = looks();
  const drivers = startDrivers(app, { onError: () => {}, clock });
  onTestFinished(() => drivers.stop());
  await asleep();
  const again = async (count: number) => {
    await until(() => driven.length >= count && drivers.active() === 0);
    return driven.splice(0).toSorted();
  };
  expect(await again(2)).toEqual(['broken', 'ours']);
  await look();
  expect(await again(1)).toEqual(['ours']);
  seqs.set('broken', 8);
  await look();
  expect(await again(2)).toEqual(['broken', 'ours']);
});

test('what was asked for after the last look is answered after a moment; what that look has seen is not asked for again', async () => {
  const { app, rows, driven } = appOf({ seen: 'elsewhere', missed: 'elsewhere' });
  rows.set('seen', { unanswered: [{ seq: 7 }] });
  rows.set('missed', { unanswered: [{ seq: 7 }, { seq: 8 }] });
  const { clock, asleep, look } = looks();
  const drivers = startDrivers(app, { onError: () => {}, clock });
  onTestFinished(() => drivers.stop());
  await asleep();
  await until(() => driven.length === 2 && drivers.active() === 0);
  rows.set('missed', { unanswered: [{ seq: 7 }] });
  await look();
  await look();
  await until(() => driven.length > 2 && drivers.active() === 0);
  expect(driven.toSorted()).toEqual(['missed', 'missed', 'seen']);
});
