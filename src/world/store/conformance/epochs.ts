import { expect, it } from 'vitest';
import type { ToyEvent } from '../../../../test/support/toy-kind.ts';
import { asked, awaits, begin, begun, ended, note } from '../test-support.ts';
import { type MakeWorld, promises, taken } from './world.ts';

/** What shuts out a driver that was overtaken, on every store. */
export const epochsConformance = (make: MakeWorld): void =>
  promises('epochs', make, (world, store) => {
    const seqs = async () => (await store().read('run', 0)).map(({ seq }) => seq);

    it('grow by one with each claim', async () => {
      await begin(store());
      for (const epoch of [1, 2, 3]) {
        const claim = await taken(store(), 'run');
        expect(claim.epoch).toBe(epoch);
        await claim.release();
      }
    });

    it.each([
      ['that has not written yet', 0],
      ['that has written before', 3],
    ])('shut out a driver %s, intents and outcomes alike', async (_, before) => {
      await begin(store());
      const { epoch } = await taken(store(), 'run');
      for (let n = 0; n < before; n++) await store().append('run', { id: `n${n}`, events: [note(n)], epoch });
      world().kill(1);
      await taken(await world().party(2), 'run');
      for (const expected of [{ expectedSeq: 1 + before }, { expectedSeq: 9 }, {}]) {
        const append = { id: `late-${expected.expectedSeq}`, events: [note(2)], epoch, ...expected };
        expect(await store().append('run', append)).toEqual({ ok: false, why: 'stale' });
      }
      expect(await seqs()).toHaveLength(1 + before);
    });

    const kinds: [string, ToyEvent][] = [
      ['counts', note(9)],
      ['ends it', ended(9)],
      ['waits for another', awaits(9, 'other')],
      ['is found by what it says', begun({ at: 9, name: 'Deploy' })],
      ['is long', begun({ at: 9, secret: 'g'.repeat(100_000) })],
    ];
    it.each(kinds)(
      'shut out a driver that has written before, whatever it writes: it %s',
      async (_, late) => {
        await begin(store());
        const { epoch } = await taken(store(), 'run');
        await store().append('run', { id: 'n', events: [note(2)], epoch });
        world().kill(1);
        await taken(await world().party(2), 'run');
        const before = await store().row('run');
        expect(await store().append('run', { id: 'late', events: [late], epoch })).toEqual({
          ok: false,
          why: 'stale',
        });
        expect(await seqs()).toEqual([1, 2]);
        expect(await store().row('run')).toEqual(before);
      },
    );

    it.each(kinds)('let an outcome through after what others asked meanwhile: it %s', async (_, late) => {
      await begin(store());
      const { epoch } = await taken(store(), 'run');
      await store().append('run', { id: 'n', events: [note(2)], epoch });
      await (await world().party(2)).append('run', { id: 'asked', events: [asked(3)] });
      const written = await store().append('run', { id: 'late', events: [late], epoch });
      expect(written).toEqual({ ok: true, seq: 4, repeated: false });
      expect((await store().read('run', 2)).map(({ event }) => event)).toEqual([asked(3), late]);
      const again = await store().append('run', { id: 'late', events: [late], epoch });
      expect(again).toEqual({ ok: true, seq: 4, repeated: true });
    });

    it('do not have an append written again, whatever it writes, however many its driver has written since', async () => {
      await begin(store());
      const { epoch } = await taken(store(), 'run');
      await store().append('run', { id: 'first', events: [note(2)], epoch });
      for (let n = 0; n < 40; n++)
        await store().append('run', { id: `${'n'.repeat(40)}${n}`, events: [note(n)], epoch });
      for (const [, late] of kinds)
        expect(await store().append('run', { id: 'first', events: [late], epoch })).toEqual({
          ok: true,
          seq: 2,
          repeated: true,
        });
      expect(await seqs()).toHaveLength(42);
    });

    it('let a driver end its stream, which is due no more then, and tell everybody, with what was printed last', async () => {
      const other = await world().party(2);
      await begin(store());
      const { epoch } = await taken(store(), 'run');
      await store().append('run', { id: 'n', events: [note(2)], epoch });
      const cursor = await other.cursor();
      const writer = await store().output.writer('run', 'step', 0);
      const written = writer.write(Buffer.from('said\n'));
      await Promise.all([written, writer.end({ withNext: true })]);
      await store().append('run', { id: 'end', events: [ended(9)], epoch });
      expect((await other.changedSince(cursor, 9)).streams).toEqual(['run']);
      const { bytes, isEnded } = await other.output.read('run', 'step', 0, 0, 99);
      expect([Buffer.from(bytes).toString(), isEnded]).toEqual(['said\n', true]);
      expect(await other.row('run')).toMatchObject({ endedAt: 9 });
      world().kill(1);
      expect(await other.due(Number.MAX_SAFE_INTEGER, 9)).toEqual([]);
    });

    it('are not believed before they are given', async () => {
      await begin(store());
      expect(await store().append('run', { id: 'x', events: [note(2)], epoch: 1 })).toEqual({
        ok: false,
        why: 'stale',
      });
    });
  });
