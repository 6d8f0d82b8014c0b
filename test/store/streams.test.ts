import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolds, drive, kindsOf, type Rest, type Store } from '../../src/core/stream/index.ts';
import { openStore, systemClock } from '../../src/world/store/index.ts';
import {
  createToyMachine,
  type ToyEvent,
  type ToyFact,
  type ToyState,
  toyKind,
} from '../support/toy-kind.ts';

/** A kind that is not a plan run, on the real store and the real loop. */
const driver = { pid: process.pid, host: 'here', boot: 'boot' };
let ids = 0;
const newId = () => `id-${ids++}`;

async function open() {
  const dir = mkdtempSync(join(tmpdir(), 'planwright-toy-'));
  const store: Store<ToyEvent> = await openStore({ dir, driver, kinds: kindsOf(toyKind) });
  onTestFinished(async () => {
    await store.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const begin = (stream: string, more: Partial<Extract<ToyFact, { type: 'toy-begun' }>> = {}) => {
    const event: ToyEvent = { v: 1, at: systemClock.now(), type: 'toy-begun', target: 2, ...more };
    return store.begin(stream, { kind: 'toy', id: newId(), events: [event] });
  };
  const ask = (stream: string, type: 'stop-requested') =>
    store.append(stream, {
      id: newId(),
      events: [{ v: 1, at: systemClock.now(), type, key: newId(), by: 'me' }],
    });
  return { store, begin, ask };
}

const folds = (store: Store<ToyEvent>) =>
  createFolds<ToyState, ToyEvent>({
    kind: toyKind,
    streams: store,
    snapshots: store.snapshots,
    version: () => 'v1',
    every: 3,
  });

async function driveOnce(
  store: Store<ToyEvent>,
  stream: string,
  count = async (_: number, __: AbortSignal) => true,
): Promise<Rest<ToyState>> {
  const claimed = await store.claim(stream);
  if (!claimed.ok) throw new Error(claimed.why);
  const hasEnded = async (child: string) => (await store.row(child))?.endedAt != null;
  const machine = createToyMachine(driver, { count, hasEnded });
  const shared = folds(store);
  try {
    return await drive(stream, {
      machine,
      journal: store,
      claim: claimed.claim,
      clock: systemClock,
      newId,
      from: await shared.at(stream),
      onFolded: (folded) => shared.offer(stream, folded),
    });
  } finally {
    await claimed.claim.release();
    await shared.at(stream);
  }
}
const due = async (store: Store<ToyEvent>) =>
  (await store.due(systemClock.now(), 10)).map(({ id }) => id).toSorted();

test('a stream waits for another, is woken by its end, and goes on', async () => {
  const { store, begin } = await open();
  await begin('parent', { child: 'child' });
  expect(await due(store)).toEqual([]);
  await begin('child');
  expect(await due(store)).toEqual(['child']);
  expect(await driveOnce(store, 'parent')).toMatchObject({ why: 'waiting' });
  expect(await driveOnce(store, 'child')).toMatchObject({ why: 'finished', state: { counted: 2 } });
  expect(await due(store)).toEqual(['parent']);
  expect(await driveOnce(store, 'parent')).toMatchObject({ why: 'finished', state: { counted: 2 } });
  expect(await due(store)).toEqual([]);
});

test('work under way hears that it is to stop', async () => {
  const { store, begin, ask } = await open();
  await begin('run');
  const untilStopped = (_: number, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => resolve(false));
      void ask('run', 'stop-requested');
    });
  const rest = await driveOnce(store, 'run', untilStopped);
  expect(rest).toMatchObject({ why: 'finished', state: { counted: 0, ended: true, inbox: [] } });
  const types = (await store.read('run', 0)).map(({ event }) => event.type);
  expect(types).toEqual([
    'toy-begun',
    'toy-claimed',
    'count-started',
    'stop-requested',
    'count-lost',
    'toy-ended',
  ]);
});

test('whoever drives it next goes on from a snapshot, to the same state', async () => {
  const { store, begin } = await open();
  await begin('run', { target: 10 });
  await driveOnce(store, 'run');
  await store.append('run', {
    id: newId(),
    events: [{ v: 1, at: 1, type: 'add-requested', key: 'k', by: 'me', amount: 2 }],
  });
  expect(await store.snapshots.load('run', 'v1')).not.toBeNull();
  const { state, why } = await driveOnce(store, 'run');
  const whole = (await store.read('run', 0)).reduce(
    (before, stored) => toyKind.evolve(before, stored),
    toyKind.initial,
  );
  expect({ why, state }).toEqual({ why: 'finished', state: whole });
});
