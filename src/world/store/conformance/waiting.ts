import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { asked, awaits, begin, begun, ended, note, type ToyStore } from '../test-support.ts';
import { ids, type MakeWorld, never, promises, taken } from './world.ts';

/** What a stream that waits for another is promised. */
export const waitingConformance = (make: MakeWorld): void =>
  promises('waiting', make, (world, store) => {
    const types = async (stream: string, party: ToyStore = store()) =>
      (await party.read(stream, 0)).map(({ event }) => event.type);
    const due = async () => ids(await store().due(1000, 10)).toSorted();
    const end = (stream = 'child', at = 600) => store().append(stream, { id: 'e', events: [ended(at)] });
    /** It has something to do only once the other has ended. */
    const waits = async (stream: string, child = 'child') => {
      await begin(store(), stream, begun(), awaits(2, child));
      await store().append(stream, { id: 'b', events: [{ v: 1, type: 'child-begun', at: 3, child }] });
    };
    const waited = ['toy-begun', 'child-started', 'child-begun'];

    it('is told of the end by the append that ends it, and is due', async () => {
      await begin(store(), 'child', begun({ napUntil: 9000 }));
      await waits('parent');
      expect(await due()).toEqual([]);
      const cursor = await store().cursor();
      expect(await end()).toEqual({ ok: true, seq: 2, repeated: false });
      expect((await store().read('parent', 3)).map(({ seq, event }) => ({ seq, ...event }))).toEqual([
        expect.objectContaining({ seq: 4, type: 'child-ended', at: 600, child: 'child', state: 'ended' }),
      ]);
      expect(await store().row('parent')).toMatchObject({ awaits: null, state: 'counting', updatedAt: 600 });
      expect(await due()).toEqual(['parent']);
      expect((await store().changedSince(cursor, 10)).streams.toSorted()).toEqual(['child', 'parent']);
      // The same append again tells nobody anything.
      expect(await end()).toMatchObject({ repeated: true });
      await store().append('child', { id: 'n', events: [note(700)] });
      expect(await types('parent')).toEqual([...waited, 'child-ended']);
    });

    it('is told in whichever process it ends, however many wait, and each once', async () => {
      await begin(store(), 'child');
      await begin(store(), 'other');
      for (const parent of ['one', 'two']) await waits(parent);
      await waits('third', 'other');
      const party = await world().party(2);
      const told = party.changed('one', 3, never);
      let isWoken = false;
      void store()
        .changed('two', 3, never)
        .then(() => {
          isWoken = true;
        });
      await end();
      await turn();
      expect(isWoken).toBe(true);
      await told;
      for (const parent of ['one', 'two']) expect(await types(parent)).toEqual([...waited, 'child-ended']);
      expect(await types('third')).toEqual(waited);
    });

    it('is told at once where the other had ended before', async () => {
      await begin(store(), 'child', begun(), ended(2));
      expect(await begin(store(), 'parent', begun({ at: 30 }), awaits(31, 'child'))).toEqual({
        ok: true,
        seq: 1,
        repeated: false,
      });
      expect(await types('parent')).toEqual(['toy-begun', 'child-started', 'child-ended']);
      expect(await store().row('parent')).toMatchObject({ awaits: null, goesOn: true });
      // Whoever wrote it goes on from there.
      const next = { id: 'n', events: [note(40)], expectedSeq: 3 };
      expect(await store().append('parent', next)).toMatchObject({ ok: true, seq: 4 });
    });

    it('waits for a stream that is still to be begun, and for nothing but its end', async () => {
      await waits('parent');
      await begin(store(), 'child');
      await store().append('child', { id: 'r', events: [asked(5), note(6)] });
      expect(await types('parent')).toEqual(waited);
      await end();
      expect(await types('parent')).toEqual([...waited, 'child-ended']);
    });

    it('is told of a stream that ends in the append that begins it', async () => {
      await waits('parent');
      await begin(store(), 'child', begun(), ended(2));
      expect(await types('parent')).toEqual([...waited, 'child-ended']);
    });

    it('is told though a driver holds it, which then has to look before it goes on', async () => {
      await begin(store(), 'child');
      await waits('parent');
      const { epoch } = await taken(store(), 'parent');
      await end();
      const late = { id: 'l', events: [note(7)], epoch };
      expect(await store().append('parent', { ...late, expectedSeq: 3 })).toEqual({
        ok: false,
        why: 'conflict',
      });
      expect(await store().append('parent', { ...late, expectedSeq: 4 })).toMatchObject({ ok: true, seq: 5 });
    });

    it('is told nothing by an append that is refused', async () => {
      await begin(store(), 'child');
      await waits('parent');
      const { epoch } = await taken(store(), 'child');
      const append = { events: [ended(9)] };
      await store().append('child', { id: 'x', ...append, epoch: epoch + 1 });
      await store().append('child', { id: 'y', ...append, expectedSeq: 7 });
      expect(await types('parent')).toEqual(waited);
      expect(await store().row('child')).toMatchObject({ endedAt: null });
    });

    it('has ended itself, and is told nothing', async () => {
      await begin(store(), 'child');
      await waits('parent');
      await end('parent', 500);
      await end();
      expect(await types('parent')).toEqual([...waited, 'toy-ended']);
    });
  });
