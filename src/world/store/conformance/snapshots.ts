import { expect, it } from 'vitest';
import { begin, begun, ended, note } from '../test-support.ts';
import { type MakeWorld, promises } from './world.ts';

/** What snapshots promise on every store: never needed, never wrong. */
export const snapshotsConformance = (make: MakeWorld): void =>
  promises('snapshots', make, (world, store) => {
    const one = () => store().incarnation('run');
    const state = { counted: 3, inbox: [{ seq: 2 }], name: 'ü' };

    it('are given back as they were, to every process', async () => {
      await begin(store(), 'run', begun(), note(2), note(3));
      expect(await store().snapshots.load('run', 'v1')).toBeNull();
      await store().snapshots.save('run', 'v1', { incarnation: await one(), seq: 2, state });
      expect(await (await world().party(2)).snapshots.load('run', 'v1')).toEqual({
        incarnation: await one(),
        seq: 2,
        state,
      });
    });

    it('of another version are none, and give way to those of the version that is saved', async () => {
      await begin(store(), 'run', begun(), note(2), note(3));
      await store().snapshots.save('run', 'v1', { incarnation: await one(), seq: 3, state });
      expect(await store().snapshots.load('run', 'v2')).toBeNull();
      await store().snapshots.save('run', 'v2', { incarnation: await one(), seq: 2, state: { other: 1 } });
      expect(await store().snapshots.load('run', 'v2')).toMatchObject({ seq: 2, state: { other: 1 } });
      expect(await store().snapshots.load('run', 'v1')).toBeNull();
    });

    it('that are older than the one there is change nothing', async () => {
      await begin(store(), 'run', begun(), note(2), note(3));
      await store().snapshots.save('run', 'v1', { incarnation: await one(), seq: 3, state });
      await store().snapshots.save('run', 'v1', { incarnation: await one(), seq: 2, state: {} });
      expect(await store().snapshots.load('run', 'v1')).toMatchObject({ seq: 3, state });
    });

    it('of an unknown stream are not kept, and go with their stream', async () => {
      await store().snapshots.save('none', 'v1', { incarnation: 0, seq: 1, state });
      expect(await store().snapshots.load('none', 'v1')).toBeNull();
      await begin(store(), 'run', begun(), ended(2));
      await store().snapshots.save('run', 'v1', { incarnation: await one(), seq: 2, state });
      await world().advance(1);
      const removed = await one();
      await store().gc({ keepDays: 0, keepLast: 0 });
      expect(await one()).toBe(0);
      await begin(store(), 'run', begun(), note(2));
      expect(await one()).toBeGreaterThan(removed);
      expect(await store().snapshots.load('run', 'v1')).toBeNull();
      await store().snapshots.save('run', 'v1', { incarnation: removed, seq: 2, state });
      expect(await store().snapshots.load('run', 'v1')).toBeNull();
    });
  });
