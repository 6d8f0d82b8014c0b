import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { awaits, begin, begun, ended, note } from '../test-support.ts';
import { type MakeWorld, never, promises } from './world.ts';

/** What a reader of everything is promised: at least once, and nothing is skipped. */
export const cursorConformance = (make: MakeWorld): void =>
  promises('cursors', make, (world, store) => {
    const all = async (from: string, limit = 1000): Promise<string[]> => {
      const told: string[] = [];
      for (let cursor = from; ; ) {
        const changed = await store().changedSince(cursor, limit);
        if (changed.streams.length === 0 && changed.cursor === cursor) return told;
        told.push(...changed.streams);
        cursor = changed.cursor;
      }
    };

    it('tell of everything that is written after them, and of nothing before', async () => {
      await begin(store(), 'before');
      const cursor = await store().cursor();
      expect(await all(cursor)).toEqual([]);
      await begin(store(), 'a');
      await begin(store(), 'b');
      await store().append('before', { id: 'n', events: [note(2)] });
      expect((await all(cursor)).toSorted()).toEqual(['a', 'b', 'before']);
    });

    it('skip nothing, however small the pages', async () => {
      const cursor = await store().cursor();
      for (const stream of ['a', 'b', 'c']) await begin(store(), stream);
      for (let n = 0; n < 6; n++)
        await store().append(['a', 'b', 'c'][n % 3]!, { id: `n${n}`, events: [note(n)] });
      for (const limit of [1, 2, 4])
        expect(new Set(await all(cursor, limit))).toEqual(new Set(['a', 'b', 'c']));
    });

    it('given between two appends to one stream tell of the second', async () => {
      await begin(store(), 'a');
      await begin(store(), 'b');
      const cursors = [];
      for (let n = 0; n < 3; n++) {
        cursors.push(await store().cursor());
        await store().append('b', { id: `b${n}`, events: [note(n)] });
      }
      for (const cursor of cursors) expect(await all(cursor)).toEqual(['b']);
      await store().append('a', { id: 'a', events: [note(4)] });
      for (const cursor of cursors) expect(await all(cursor, 1)).toEqual(['b', 'a']);
      expect(await all(await store().cursor())).toEqual([]);
    });

    it('skip nothing when two processes write at once', async () => {
      const other = await world().party(2);
      const streams = Array.from({ length: 40 }, (_, n) => `s${n}`);
      let cursor = await store().cursor();
      const told = new Set<string>();
      const writing = Promise.all(
        [store(), other].map(async (party, at) => {
          for (const [n, stream] of streams.entries()) if (n % 2 === at) await begin(party, stream);
        }),
      );
      let isOver = false;
      void writing.then(() => {
        isOver = true;
      });
      for (let isLast = false; !isLast; ) {
        isLast = isOver;
        const changed = await store().changedSince(cursor, 3);
        for (const stream of changed.streams) told.add(stream);
        isLast &&= changed.streams.length === 0;
        await turn();
        cursor = changed.cursor;
      }
      await writing;
      for (const stream of await all(cursor)) told.add(stream);
      expect([...told].toSorted()).toEqual(streams.toSorted());
    });

    it('wake whoever waits for anything at all, in this process and in another', async () => {
      const other = await world().party(2);
      const cursor = await store().cursor();
      const waits = [store().changedAny(cursor, never), other.changedAny(cursor, never)];
      await begin(store());
      await Promise.all(waits);
      const stop = AbortSignal.abort();
      await store().changedAny(await store().cursor(), stop);
    });

    it('are good again later, in another process; what is none of this store stands for now', async () => {
      const cursor = await store().cursor();
      await begin(store(), 'a');
      const other = await world().party(2);
      expect(await other.cursor(cursor)).toBe(cursor);
      expect((await other.changedSince(await other.cursor(cursor), 10)).streams).toEqual(['a']);
      for (const strange of ['', 'nonsense', '999999999', '-1']) {
        expect((await store().changedSince(await store().cursor(strange), 10)).streams).toEqual([]);
      }
    });

    it('miss nothing after the newest streams were removed', async () => {
      await begin(store(), 'old', begun({ at: 1 }), ended(2));
      const cursor = await store().cursor();
      await world().advance(1);
      expect((await store().gc({ keepDays: 0, keepLast: 0 })).streams).toEqual(['old']);
      const removed = await store().cursor();
      await begin(store(), 'new');
      for (const from of [cursor, removed]) expect(await all(from)).toEqual(['new']);
    });

    it('miss nothing of a stream that is written to again after another came, ended and was removed', async () => {
      const other = await world().party(2);
      await begin(store(), 'a');
      await store().append('a', { id: 'n1', events: [note(2)] });
      await begin(other, 'b', begun({ at: 1 }), ended(2));
      await world().advance(1);
      const there = await other.cursor();
      expect((await other.gc({ keepDays: 0, keepLast: 0 })).streams).toEqual(['b']);
      await store().append('a', { id: 'n2', events: [note(3)] });
      expect(await all(there)).toEqual(['a']);
    });

    it('miss nothing of one that began to wait for what had ended', async () => {
      await begin(store(), 'child', begun({ at: 1 }), ended(2));
      await begin(store(), 'a', begun());
      await store().append('a', { id: 'w', events: [awaits(2, 'child')] });
      const cursor = await store().cursor();
      await store().append('a', { id: 'n', events: [note(3)] });
      expect(await all(cursor)).toEqual(['a']);
    });

    it('wait again after the newest stream was removed', async () => {
      await begin(store(), 'young');
      await begin(store(), 'old', begun({ at: 1 }), ended(2));
      await world().advance(1);
      expect((await store().gc({ keepDays: 0, keepLast: 0 })).streams).toEqual(['old']);
      const { cursor } = await store().changedSince(await store().cursor(), 10);
      let woken = false;
      const waiting = store()
        .changedAny(cursor, never)
        .then(() => {
          woken = true;
        });
      await turn();
      expect(woken).toBe(false);
      await store().append('young', { id: 'n', events: [note(2)] });
      await waiting;
      expect(await all(cursor)).toEqual(['young']);
    });
  });
