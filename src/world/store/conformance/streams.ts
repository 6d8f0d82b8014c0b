import { describe, expect, it } from 'vitest';
import { asked, begin, begun, note, type ToyStore } from '../test-support.ts';
import { type MakeWorld, never, promises, taken } from './world.ts';

/** What every journal promises. */
export const streamsConformance = (make: MakeWorld): void =>
  promises('streams', make, (world, store) => {
    const seqs = async (stream = 'run') => (await store().read(stream, 0)).map(({ seq }) => seq);
    const written = (seq: number, repeated = false) => ({ ok: true, seq, repeated });
    const unknown = { code: 'stream-unknown' };

    describe('beginning', () => {
      it('makes a stream of a kind and counts from 1', async () => {
        expect(await store().begin('run', { kind: 'toy', id: 'a', events: [begun(), note(2)] })).toEqual(
          written(1),
        );
        expect(await store().append('run', { id: 'b', events: [note(3)], expectedSeq: 2 })).toEqual(
          written(3),
        );
        expect(await seqs()).toEqual([1, 2, 3]);
        expect(await store().kindOf('run')).toBe('toy');
        expect(await store().lastSeq('run')).toBe(3);
      });

      it('is a conflict the second time, and none with the same id', async () => {
        await begin(store());
        const other = await world().party(2);
        expect(await other.begin('run', { kind: 'toy', id: 'other', events: [begun()] })).toEqual({
          ok: false,
          why: 'conflict',
        });
        expect(await begin(other)).toEqual(written(1, true));
        expect(await seqs()).toEqual([1]);
      });

      it('makes exactly one of two who begin at once', async () => {
        const other = await world().party(2);
        const both = await Promise.all(
          [store(), other].map((party, n) =>
            party.begin('run', { kind: 'toy', id: `${n}`, events: [begun()] }),
          ),
        );
        expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      });

      it('of a kind that nobody knows is refused', async () => {
        await expect(
          store().begin('run', { kind: 'none', id: 'a', events: [begun()] }),
        ).rejects.toMatchObject({
          code: 'kind-unknown',
        });
        expect(await store().kindOf('run')).toBeNull();
      });
    });

    describe('appending', () => {
      it('gives back exactly what was written', async () => {
        const events = [begun({ name: 'ü "quoted" \u0000 \ud83d\ude80' }), note(2), asked(3)];
        await store().begin('run', { kind: 'toy', id: 'a', events });
        expect(await store().read('run', 0)).toEqual(
          events.map((event, i) => ({ stream: 'run', seq: i + 1, event })),
        );
      });

      it('keeps streams apart', async () => {
        await begin(store(), 'one');
        await begin(store(), 'two');
        await store().append('two', { id: 'b', events: [note(2)], expectedSeq: 1 });
        expect(await seqs('one')).toEqual([1]);
        expect(await seqs('two')).toEqual([1, 2]);
      });

      it.each([0, 2, 7])(
        'answers an intent that expects %i after one event with a conflict',
        async (expectedSeq) => {
          await begin(store());
          const appended = await store().append('run', { id: 'b', events: [note(2)], expectedSeq });
          expect(appended).toEqual({ ok: false, why: 'conflict' });
          expect(await seqs()).toEqual([1]);
        },
      );

      it('lets one of two writers with the same expectation through', async () => {
        await begin(store());
        const other = await world().party(2);
        const both = await Promise.all([
          store().append('run', { id: 'mine', events: [note(2)], expectedSeq: 1 }),
          other.append('run', { id: 'theirs', events: [note(3)], expectedSeq: 1 }),
        ]);
        expect(both.filter(({ ok }) => ok)).toHaveLength(1);
        expect(await seqs()).toEqual([1, 2]);
      });

      it('never loses its place when two processes write by turns', async () => {
        await begin(store());
        const other = await world().party(2);
        for (let i = 0; i < 6; i++) {
          const writer = i % 3 === 0 ? other : store();
          const append = { id: `turn-${i}`, events: [note(i)], expectedSeq: 1 + i };
          expect(await writer.append('run', append)).toEqual(written(2 + i));
          const late = { id: `late-${i}`, events: [note(i)], expectedSeq: 1 + i };
          expect(await store().append('run', late)).toEqual({ ok: false, why: 'conflict' });
        }
        expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      });

      it('takes a request with neither expectation nor epoch, whoever holds the claim', async () => {
        await begin(store());
        await taken(store(), 'run');
        const other = await world().party(2);
        expect(await other.append('run', { id: 'r', events: [asked(2)] })).toEqual(written(2));
      });

      it('takes an outcome with the epoch only, however many requests came before it', async () => {
        await begin(store());
        const { epoch } = await taken(store(), 'run');
        await store().append('run', { id: 'r1', events: [asked(2), asked(3)] });
        expect(await store().append('run', { id: 'o', events: [note(4)], epoch })).toEqual(written(4));
      });

      it('writes nothing where nothing is given', async () => {
        await begin(store());
        for (const id of ['b', 'c']) {
          expect(await store().append('run', { id, events: [] })).toEqual(written(2));
        }
        expect(await seqs()).toEqual([1]);
      });

      it('refuses whatever is for a stream that does not exist', async () => {
        for (const how of [{}, { epoch: 1 }, { expectedSeq: 0 }]) {
          const append = { id: 'r', events: [asked(1)], ...how };
          await expect(store().append('none', append)).rejects.toMatchObject(unknown);
        }
        expect(await store().read('none', 0)).toEqual([]);
        expect(await store().lastSeq('none')).toBe(0);
      });
    });

    describe('append ids', () => {
      it('recognise a lost acknowledgement', async () => {
        await begin(store());
        const append = { id: 'once', events: [note(2), note(3)], expectedSeq: 1 };
        expect(await store().append('run', append)).toEqual(written(2));
        expect(await store().append('run', append)).toEqual(written(2, true));
        expect(await seqs()).toEqual([1, 2, 3]);
      });

      it('answer as the first time even after others wrote and took the stream', async () => {
        await begin(store());
        const { epoch } = await taken(store(), 'run');
        const append = { id: 'once', events: [note(2)], expectedSeq: 1, epoch };
        await store().append('run', append);
        world().kill(1);
        const other = await world().party(2);
        const next = await taken(other, 'run');
        await other.append('run', { id: 'else', events: [note(3)], expectedSeq: 2, epoch: next.epoch });
        expect(await store().append('run', append)).toEqual(written(2, true));
        expect(await seqs()).toEqual([1, 2, 3]);
      });

      it('are recognised with another expectation too', async () => {
        await begin(store());
        const once = { id: 'once', events: [note(2)] };
        await store().append('run', { ...once, expectedSeq: 1 });
        expect(await store().append('run', { ...once, expectedSeq: 2 })).toEqual(written(2, true));
        expect(await store().append('run', once)).toEqual(written(2, true));
        expect(await store().append('run', { id: 'next', events: [note(3)], expectedSeq: 2 })).toEqual(
          written(3),
        );
      });

      it('are recognised however many came after them, by every process', async () => {
        await begin(store());
        const id = (n: number) => `append "${n}" of many, with a name that is long enough`;
        for (let n = 0; n < 60; n++)
          await store().append('run', { id: id(n), events: [note(n)], expectedSeq: 1 + n });
        const other = await world().party(2);
        for (const party of [store(), other]) {
          for (const n of [0, 19, 40, 58, 59])
            expect(await party.append('run', { id: id(n), events: [note(n)] })).toEqual(written(2 + n, true));
        }
        expect(await store().lastSeq('run')).toBe(61);
      });

      it('name an append of one stream only', async () => {
        await begin(store(), 'one');
        expect(await begin(store(), 'two')).toEqual(written(1));
      });

      it('are free again after a conflict', async () => {
        await begin(store());
        const append = { id: 'b', events: [note(2)] };
        expect(await store().append('run', { ...append, expectedSeq: 0 })).toMatchObject({ ok: false });
        expect(await store().append('run', { ...append, expectedSeq: 1 })).toEqual(written(2));
      });
    });

    describe('reading and waiting', () => {
      it('reads after a place, up to a limit', async () => {
        await begin(store(), 'run', begun(), note(2), note(3), note(4));
        const some = async (after: number, limit?: number) =>
          (await store().read('run', after, limit)).map(({ seq }) => seq);
        expect(await some(1)).toEqual([2, 3, 4]);
        expect(await some(1, 2)).toEqual([2, 3]);
        expect(await some(4)).toEqual([]);
        expect(await some(99)).toEqual([]);
      });

      it('reads with how far a stream goes and which one of its name it is', async () => {
        await begin(store(), 'run', begun(), note(2), note(3));
        const events = await store().read('run', 1);
        const incarnation = await store().incarnation('run');
        expect(await store().readOf('run', 1)).toEqual({ incarnation, last: 3, events });
        expect(await store().readOf('run', 0, 0)).toEqual({ incarnation, last: 3, events: [] });
        expect(await store().readOf('run', 3)).toEqual({ incarnation, last: 3, events: [] });
        expect(await store().readOf('none', 0)).toEqual({ incarnation: 0, last: 0, events: [] });
        expect(await store().readOf('run', 1, 10, 3)).toEqual({ incarnation, last: 3, events });
        expect(await store().readOf('run', 1, 10, 2)).toEqual({ incarnation, last: 3, events: [] });
      });

      it('reads many at once, each as if it were alone', async () => {
        const names = ['a', 'b', 'c\u0000', 'd'];
        for (const [n, name] of names.entries())
          await begin(store(), name, begun({ name }), ...Array.from({ length: n }, (_, at) => note(at)));
        const which: Parameters<ToyStore['readOf']>[] = [
          ...names.map((name): [string, number] => [name, 0]),
          ['d', 1, 2],
          ['d', 1, 2, 3],
          ['none', 0],
          ['a', 0],
          ['d', 99],
        ];
        const alone = [];
        for (const one of which) alone.push(await store().readOf(...one));
        expect(await Promise.all(which.map((one) => store().readOf(...one)))).toEqual(alone);
        expect(alone.map(({ last, events }) => [last, events.length])).toEqual([
          ...names.map((_, n) => [n + 1, n + 1]),
          ...[
            [4, 2],
            [4, 0],
            [0, 0],
            [1, 1],
            [4, 0],
          ],
        ]);
        const all = [...names, 'none', 'a'];
        const kinds = await Promise.all(all.map((name) => store().kindOf(name)));
        expect(kinds).toEqual(['toy', 'toy', 'toy', 'toy', null, 'toy']);
        const rows = await Promise.all(all.map((name) => store().row(name)));
        expect(rows.map((row) => row?.id)).toEqual([...names, undefined, 'a']);
      });

      it('resolves at once where there is more already', async () => {
        await begin(store());
        await store().changed('run', 0, never);
      });

      it('wakes whoever waits, in this process and in another', async () => {
        const other = await world().party(2);
        await begin(store());
        const waits = [store().changed('run', 1, never), other.changed('run', 1, never)];
        await store().append('run', { id: 'b', events: [note(2)], expectedSeq: 1 });
        await Promise.all(waits);
      });

      it('waits for a stream that does not exist yet', async () => {
        const waiting = store().changed('run', 0, never);
        await begin(store());
        await waiting;
      });

      it('stops waiting when told, and never rejects', async () => {
        const abort = new AbortController();
        const waiting = store().changed('run', 0, abort.signal);
        abort.abort(new Error('enough'));
        await waiting;
        await store().changed('run', 0, abort.signal);
      });

      it('does not wake for other streams', async () => {
        await begin(store(), 'other');
        const abort = new AbortController();
        let woken = false;
        const waiting = store()
          .changed('run', 0, abort.signal)
          .then(() => {
            woken = true;
          });
        await store().append('other', { id: 'b', events: [note(2)] });
        await store().read('other', 0);
        expect(woken).toBe(false);
        abort.abort();
        await waiting;
      });
    });

    describe('a tail', () => {
      async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
        const got: T[] = [];
        for await (const item of items) if (got.push(item) === count) break;
        return got;
      }

      it('gives what is there, then what comes, from this process and from another', async () => {
        const other = await world().party(2);
        await begin(store(), 'run', begun(), note(2));
        const tails = [store(), other].map((party) => take(party.tail('run', 1, never), 3));
        await store().append('run', { id: 'b', events: [note(3)] });
        await other.append('run', { id: 'c', events: [note(4)] });
        for (const tail of tails) expect((await tail).map(({ seq }) => seq)).toEqual([2, 3, 4]);
      });

      it('ends when its signal aborts and when the store closes', async () => {
        const abort = new AbortController();
        const tail = take(store().tail('run', 0, abort.signal), 1);
        abort.abort();
        expect(await tail).toEqual([]);
        const other = take(store().tail('run', 0, never), 1);
        await store().close();
        expect(await other).toEqual([]);
      });
    });
  });
