import { expect, it } from 'vitest';
import { begin, begun, ended, type ToyStore } from '../test-support.ts';
import { ids, type MakeWorld, promises, taken } from './world.ts';

const day = 24 * 60 * 60 * 1000;

/** What is removed and what never is, on every store. */
export const retentionConformance = (make: MakeWorld): void =>
  promises('retention', make, (world, store) => {
    const all = { keepDays: 0, keepLast: 0 };
    const add = async (to: ToyStore, id: string, daysAgo: number, ends = true) => {
      const at = world().now() - daysAgo * day;
      await begin(to, id, begun({ at }), ...(ends ? [ended(at)] : []));
      const writer = await to.output.writer(id, 'step', 0);
      await writer.write(new Uint8Array(1000));
      await writer.end();
    };
    const left = async () => ids(await store().list()).toSorted();

    it('removes what ended long ago, with everything that was its own', async () => {
      await add(store(), 'old', 40);
      await add(store(), 'young', 5);
      const result = await store().gc({ keepDays: 30, keepLast: 0 });
      expect(result).toMatchObject({ streams: ['old'], events: 2, blobs: 0 });
      expect(result.freedBytes).toBeGreaterThan(1000);
      expect(await left()).toEqual(['young']);
      expect(await store().read('old', 0)).toEqual([]);
      expect(await store().kindOf('old')).toBeNull();
      expect(await store().output.read('old', 'step', 0, 0, 10)).toMatchObject({ size: 0 });
      expect(await store().output.read('young', 'step', 0, 0, 10)).toMatchObject({ size: 1000 });
    });

    it('never removes what has not ended, however old', async () => {
      await add(store(), 'old', 900, false);
      expect((await store().gc(all)).streams).toEqual([]);
      expect(await left()).toEqual(['old']);
    });

    it('never removes what a living driver holds', async () => {
      await add(store(), 'held', 900);
      await taken(store(), 'held');
      const other = await world().party(2);
      for (const dryRun of [true, false]) expect((await other.gc({ ...all, dryRun })).streams).toEqual([]);
      world().kill(1);
      expect((await other.gc(all)).streams).toEqual(['held']);
    });

    it('keeps those that ended last, however old, and by itself the last twenty of thirty days', async () => {
      for (const [id, days] of [
        ['a', 90],
        ['b', 80],
        ['c', 70],
      ] as const)
        await add(store(), id, days);
      expect((await store().gc({ keepLast: 2 })).streams).toEqual(['a']);
      expect((await store().gc()).streams).toEqual([]);
    });

    it('removes those that are named, however young, and no other; never what has not ended', async () => {
      for (const id of ['a', 'b', 'c']) await add(store(), id, id === 'c' ? 900 : 0);
      await add(store(), 'open', 900, false);
      expect((await store().gc({ only: ['a', 'open', 'none'] })).streams).toEqual(['a']);
      expect((await store().gc({ only: [] })).streams).toEqual([]);
      expect(await left()).toEqual(['b', 'c', 'open']);
    });

    it('says what it would do and does nothing in a dry run', async () => {
      await add(store(), 'old', 40);
      const plan = await store().gc({ keepLast: 0, dryRun: true });
      expect(plan).toMatchObject({ streams: ['old'], events: 2 });
      expect(await left()).toEqual(['old']);
      expect(await store().gc({ keepLast: 0 })).toEqual(plan);
    });

    it('keeps a long value as long as anything needs it', async () => {
      const name = 'g'.repeat(100_000);
      const [at, now] = [world().now() - 90 * day, world().now() - 1];
      await begin(store(), 'old', begun({ at, name }), ended(at));
      await begin(store(), 'young', begun({ at: now, name }), ended(now));
      expect(await store().gc({ keepLast: 0 })).toMatchObject({ streams: ['old'], blobs: 0 });
      expect((await store().read('young', 0))[0]!.event).toMatchObject({ name });
      expect(await store().gc(all)).toMatchObject({ streams: ['young'], blobs: 1 });
    });

    it('shuts out whoever drove what was removed, though it is begun anew', async () => {
      await add(store(), 'again', 900);
      const before = await taken(store(), 'again');
      world().kill(1);
      const other = await world().party(2);
      expect((await other.gc(all)).streams).toEqual(['again']);
      await begin(other, 'again');
      const now = await taken(other, 'again');
      expect(now.epoch).toBeGreaterThan(before.epoch);
      const late = { id: 'late', events: [ended(1)], epoch: before.epoch };
      expect(await store().append('again', late)).toEqual({ ok: false, why: 'stale' });
    });
  });
