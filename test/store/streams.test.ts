import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Children,
  createFolds,
  drive,
  kindsOf,
  type Rest,
  type Store,
} from '../../src/core/stream/index.ts';
import { openStore, systemClock } from '../../src/world/store/index.ts';
import { ana } from '../support/someone.ts';
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
      events: [{ v: 1, at: systemClock.now(), type, key: newId(), by: ana }],
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
  const children: Children = {
    async begin(child, kind, events) {
      await store.begin(child, { kind, id: 'begin', events: events as ToyEvent[] });
    },
    async cancel(child, by) {
      const event: ToyEvent = { v: 1, at: 1, type: 'stop-requested', key: 'cancel', by };
      await store.append(child, { id: 'cancel', events: [event] });
    },
  };
  const machine = createToyMachine(driver, { count, children });
  const shared = folds(store);
  const from = await shared.at(stream);
  try {
    return await drive(stream, {
      machine,
      journal: store,
      claim: claimed.claim,
      clock: systemClock,
      newId,
      from,
      onFolded: (folded) => shared.offer(stream, { ...from, ...folded }),
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
  await begin('parent', { child: 'child', childTarget: 3, money: 4 });
  expect(await driveOnce(store, 'parent')).toMatchObject({ why: 'waiting' });
  expect(await due(store)).toEqual(['child']);
  expect(await driveOnce(store, 'child')).toMatchObject({ why: 'finished', state: { counted: 3 } });
  expect(await due(store)).toEqual(['parent']);
  // What its child has spent it cannot spend again.
  expect(await driveOnce(store, 'parent')).toMatchObject({
    why: 'finished',
    state: { counted: 1, spending: { usd: 4, calls: 4 } },
  });
  expect(await store.row('parent')).toMatchObject({ spending: { usd: 4 } });
  expect(await due(store)).toEqual([]);
});

test('whoever stops a stream stops what it waits for, which may spend no more than is left', async () => {
  const { store, begin, ask } = await open();
  await begin('parent', { child: 'child', childTarget: 9, money: 2 });
  await driveOnce(store, 'parent');
  expect((await store.read('child', 0))[0]!.event).toMatchObject({ target: 9, money: 2 });
  await ask('parent', 'stop-requested');
  expect(await driveOnce(store, 'parent')).toMatchObject({ why: 'waiting', state: { ended: false } });
  expect((await store.read('child', 1))[0]!.event).toMatchObject({ type: 'stop-requested', by: ana });
  expect(await due(store)).toEqual(['child']);
  expect(await driveOnce(store, 'child')).toMatchObject({ why: 'finished', state: { counted: 0 } });
  expect(await driveOnce(store, 'parent')).toMatchObject({ why: 'finished', state: { counted: 0 } });
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
    'toy-stopping',
    'toy-ended',
  ]);
});

test('whoever drives it next goes on from a snapshot, to the same state', async () => {
  const { store, begin } = await open();
  await begin('run', { target: 10 });
  await driveOnce(store, 'run');
  await store.append('run', {
    id: newId(),
    events: [{ v: 1, at: 1, type: 'add-requested', key: 'k', by: ana, amount: 2 }],
  });
  expect(await store.snapshots.load('run', 'v1')).not.toBeNull();
  const { state, why } = await driveOnce(store, 'run');
  const whole = (await store.read('run', 0)).reduce(
    (before, stored) => toyKind.evolve(before, stored),
    toyKind.initial,
  );
  expect({ why, state }).toEqual({ why: 'finished', state: whole });
});
