import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Store } from './store.ts';
import { fakeClock, finished, note, openTestStore, planCreated } from './test-support.ts';

const day = 24 * 60 * 60 * 1000;
const now = 1000 * day;

async function addRun(
  store: Store,
  id: string,
  daysAgo: number,
  options: { ends?: boolean; goal?: string } = {},
) {
  const at = now - daysAgo * day;
  const { ends = true, goal = id } = options;
  await store.append(id, { id: 'a', events: [planCreated({ at, goal }), note(at)], expectedSeq: 0 });
  if (ends) await store.append(id, { id: 'b', events: [finished(at)] });
  const writer = store.output.writer(id, 'step', 0);
  writer.write(new Uint8Array(1000));
  writer.end();
}
const rest = async (store: Store) => (await store.runs()).map(({ id }) => id).sort();

describe('removing old runs', () => {
  it('removes finished runs that are old, with everything that was theirs', async () => {
    const store = await openTestStore();
    await addRun(store, 'old', 40);
    await addRun(store, 'young', 5);
    const result = await store.gc({ now, keepDays: 30, keepRuns: 0 });
    expect(result).toMatchObject({ runs: ['old'], events: 3, blobs: 0 });
    expect(result.freedBytes).toBeGreaterThan(1000);
    expect(await rest(store)).toEqual(['young']);
    expect(await store.read('old', 0)).toEqual([]);
    expect(existsSync(join(store.dir, 'output', 'old'))).toBe(false);
    expect(existsSync(join(store.dir, 'output', 'young'))).toBe(true);
    const raw = new DatabaseSync(`${store.dir}/planwright.db`, { readOnly: true });
    for (const table of ['streams', 'runs']) {
      expect(raw.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 1 });
    }
    expect(raw.prepare('SELECT count(*) AS n FROM appends').get()).toEqual({ n: 2 });
    expect(raw.prepare('SELECT count(*) AS n FROM trash').get()).toEqual({ n: 0 });
    raw.close();
  });

  it('never touches a run that has not finished, however old', async () => {
    const store = await openTestStore();
    await addRun(store, 'waiting', 900, { ends: false });
    await addRun(store, 'paused', 900, { ends: false });
    await store.append('paused', {
      id: 'p',
      events: [{ v: 1, type: 'run-paused', at: 1, reason: 'step-failed' }],
    });
    await addRun(store, 'taken up again', 900);
    await store.append('taken up again', {
      id: 'r',
      events: [{ v: 1, type: 'plan-confirmed', at: 1, revision: 1, answers: 1 }],
    });
    expect((await store.gc({ now, keepDays: 0, keepRuns: 0 })).runs).toEqual([]);
    expect(await rest(store)).toHaveLength(3);
  });

  it('leaves a finished run that a driver still holds, until the driver has been silent for long', async () => {
    const store = await openTestStore({ clock: fakeClock(now), ttlMs: 30_000 });
    await addRun(store, 'held', 900);
    await store.claim('held');
    expect((await store.gc({ now: now + 29_999, keepDays: 0, keepRuns: 0 })).runs).toEqual([]);
    expect((await store.gc({ now: now + 30_000, keepDays: 0, keepRuns: 0 })).runs).toEqual(['held']);
  });

  it('gives the space back to the disk', async () => {
    const store = await openTestStore();
    await addRun(store, 'young', 1);
    await addRun(store, 'old', 90, { ends: false });
    const many = Array.from({ length: 2000 }, () => note(1, 'x'.repeat(1000)));
    await store.append('old', { id: 'many', events: [...many, finished(1)] });
    const size = () => statSync(join(store.dir, 'planwright.db')).size;
    const { freedBytes } = await store.gc({ now, keepRuns: 0 });
    expect(freedBytes).toBeGreaterThan(2_000_000);
    expect(size()).toBeLessThan(200_000);
    expect(await store.check()).toEqual([]);
  });

  it('keeps the runs that ended last, however old', async () => {
    const store = await openTestStore();
    for (const [id, days] of [
      ['a', 90],
      ['b', 80],
      ['c', 70],
    ] as const)
      await addRun(store, id, days);
    expect((await store.gc({ now, keepRuns: 2 })).runs).toEqual(['a']);
    expect((await store.gc({ now })).runs).toEqual([]);
  });

  it('says what it would do and does nothing in a dry run', async () => {
    const store = await openTestStore();
    await addRun(store, 'old', 40);
    const plan = await store.gc({ now, keepRuns: 0, dryRun: true });
    expect(plan).toMatchObject({ runs: ['old'], events: 3 });
    expect(await rest(store)).toEqual(['old']);
    expect(await store.gc({ now, keepRuns: 0 })).toEqual(plan);
  });

  it('keeps a blob as long as any run needs it', async () => {
    const store = await openTestStore();
    const goal = 'g'.repeat(100_000);
    await addRun(store, 'old', 90, { goal });
    await addRun(store, 'young', 1, { goal });
    expect(await store.gc({ now, keepRuns: 0 })).toMatchObject({ runs: ['old'], blobs: 0 });
    expect((await store.read('young', 0))[0]!.event).toMatchObject({ plan: { goal } });
    expect(await store.gc({ now, keepDays: 0, keepRuns: 0 })).toMatchObject({ runs: ['young'], blobs: 1 });
  });

  it('never gives a position twice, so that a tail over all streams misses nothing', async () => {
    const store = await openTestStore();
    await addRun(store, 'old', 90);
    const signal = new AbortController().signal;
    await store.gc({ now, keepRuns: 0 });
    await addRun(store, 'new', 0);
    for await (const { pos, stream } of store.tailAll(3, signal)) {
      expect({ pos, stream }).toEqual({ pos: 4, stream: 'new' });
      break;
    }
  });
});
