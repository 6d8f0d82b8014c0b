import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../core/contract/index.ts';
import type { Claims, Journal } from '../../core/stream/index.ts';
import { cancel, note, planCreated } from './test-support.ts';
import { claimConformance, taken, type World } from './testing/conformance-claims.ts';

const never = new AbortController().signal;

/** What every store promises. `make` gives an empty one. */
export function journalConformance(name: string, make: () => Promise<World>): void {
  describe(`${name} keeps the promises of a journal`, () => {
    let world: World;
    let journal: Journal<RunEvent>;
    let claims: Claims;
    beforeEach(async () => {
      world = await make();
      ({ journal, claims } = await world.party(1));
    });
    afterEach(() => world.close());
    const seqs = async (stream = 'run') => (await journal.read(stream, 0)).map(({ seq }) => seq);
    const begin = (stream = 'run') =>
      journal.append(stream, { id: 'begin', events: [planCreated()], expectedSeq: 0 });

    describe('appending', () => {
      it('creates a stream at expectedSeq 0 and counts from 1', async () => {
        const appended = await journal.append('run', {
          id: 'a',
          events: [planCreated(), note(2)],
          expectedSeq: 0,
        });
        expect(appended).toEqual({ ok: true, seq: 1, repeated: false });
        expect(await journal.append('run', { id: 'b', events: [note(3)], expectedSeq: 2 })).toEqual({
          ok: true,
          seq: 3,
          repeated: false,
        });
        expect(await seqs()).toEqual([1, 2, 3]);
      });

      it('gives back exactly what was written', async () => {
        const events = [planCreated({ goal: 'ü "quoted" \u0000 \ud83d\ude80' }), note(2), cancel(3)];
        await journal.append('run', { id: 'a', events, expectedSeq: 0 });
        expect(await journal.read('run', 0)).toEqual(
          events.map((event, i) => ({ stream: 'run', seq: i + 1, event })),
        );
      });

      it('keeps streams apart', async () => {
        await begin('one');
        await begin('two');
        await journal.append('two', { id: 'b', events: [note(2)], expectedSeq: 1 });
        expect(await seqs('one')).toEqual([1]);
        expect(await seqs('two')).toEqual([1, 2]);
      });

      it.each([0, 2, 7])(
        'answers an intent that expects %i after one event with a conflict',
        async (expectedSeq) => {
          await begin();
          const appended = await journal.append('run', { id: 'b', events: [note(2)], expectedSeq });
          expect(appended).toEqual({ ok: false, why: 'conflict' });
          expect(await seqs()).toEqual([1]);
        },
      );

      it('lets one of two writers with the same expectation through', async () => {
        await begin();
        const other = (await world.party(2)).journal;
        const both = await Promise.all([
          journal.append('run', { id: 'mine', events: [note(2)], expectedSeq: 1 }),
          other.append('run', { id: 'theirs', events: [note(3)], expectedSeq: 1 }),
        ]);
        expect(both.filter(({ ok }) => ok)).toHaveLength(1);
        expect(await seqs()).toEqual([1, 2]);
      });

      it('never loses its place when two processes write by turns', async () => {
        await begin();
        const other = (await world.party(2)).journal;
        for (let i = 0; i < 6; i++) {
          const writer = i % 3 === 0 ? other : journal;
          const append = { id: `turn-${i}`, events: [note(i)], expectedSeq: 1 + i };
          expect(await writer.append('run', append)).toEqual({ ok: true, seq: 2 + i, repeated: false });
          const late = { id: `late-${i}`, events: [note(i)], expectedSeq: 1 + i };
          expect(await journal.append('run', late)).toEqual({ ok: false, why: 'conflict' });
        }
        expect(await seqs()).toEqual([1, 2, 3, 4, 5, 6, 7]);
      });

      it('takes a request with neither expectation nor epoch, whoever holds the claim', async () => {
        await begin();
        await taken(claims, 'run');
        const other = (await world.party(2)).journal;
        expect(await other.append('run', { id: 'r', events: [cancel(2)] })).toMatchObject({
          ok: true,
          seq: 2,
        });
      });

      it('takes an outcome with the epoch only, however many requests came before it', async () => {
        await begin();
        const { epoch } = await taken(claims, 'run');
        await journal.append('run', { id: 'r1', events: [cancel(2), cancel(3)] });
        expect(await journal.append('run', { id: 'o', events: [note(4)], epoch })).toMatchObject({
          ok: true,
          seq: 4,
        });
      });

      it('writes nothing where nothing is given', async () => {
        expect(await journal.append('none', { id: 'a', events: [], expectedSeq: 0 })).toMatchObject({
          ok: true,
          seq: 1,
        });
        await begin();
        for (const id of ['b', 'c']) {
          expect(await journal.append('run', { id, events: [] })).toEqual({
            ok: true,
            seq: 2,
            repeated: false,
          });
        }
        expect(await seqs()).toEqual([1]);
        expect(await seqs('none')).toEqual([]);
      });

      it('refuses a request or an outcome for a stream that does not exist', async () => {
        await expect(journal.append('none', { id: 'r', events: [cancel(1)] })).rejects.toMatchObject({
          code: 'stream-unknown',
        });
        const { epoch } = await taken(claims, 'claimed-only');
        await expect(
          journal.append('claimed-only', { id: 'o', events: [note(1)], epoch }),
        ).rejects.toMatchObject({
          code: 'stream-unknown',
        });
        expect(await journal.read('none', 0)).toEqual([]);
      });
    });

    describe('append ids', () => {
      it('recognise a lost acknowledgement', async () => {
        await begin();
        const append = { id: 'once', events: [note(2), note(3)], expectedSeq: 1 };
        expect(await journal.append('run', append)).toEqual({ ok: true, seq: 2, repeated: false });
        expect(await journal.append('run', append)).toEqual({ ok: true, seq: 2, repeated: true });
        expect(await seqs()).toEqual([1, 2, 3]);
      });

      it('answer as the first time even after others wrote and took the stream', async () => {
        await begin();
        const { epoch } = await taken(claims, 'run');
        const append = { id: 'once', events: [note(2)], expectedSeq: 1, epoch };
        await journal.append('run', append);
        world.kill(1);
        const other = await world.party(2);
        const next = await taken(other.claims, 'run');
        await other.journal.append('run', {
          id: 'else',
          events: [note(3)],
          expectedSeq: 2,
          epoch: next.epoch,
        });
        expect(await journal.append('run', append)).toEqual({ ok: true, seq: 2, repeated: true });
        expect(await seqs()).toEqual([1, 2, 3]);
      });

      it('are recognised with another expectation too', async () => {
        await begin();
        await journal.append('run', { id: 'once', events: [note(2)], expectedSeq: 1 });
        const again = { id: 'once', events: [note(2)], expectedSeq: 2 };
        expect(await journal.append('run', again)).toEqual({ ok: true, seq: 2, repeated: true });
        expect(await journal.append('run', { id: 'once', events: [note(2)] })).toEqual({
          ok: true,
          seq: 2,
          repeated: true,
        });
        expect(await journal.append('run', { id: 'next', events: [note(3)], expectedSeq: 2 })).toMatchObject({
          seq: 3,
        });
      });

      it('are known to every process', async () => {
        await begin();
        expect(
          await (await world.party(2)).journal.append('run', {
            id: 'begin',
            events: [planCreated()],
            expectedSeq: 0,
          }),
        ).toEqual({
          ok: true,
          seq: 1,
          repeated: true,
        });
      });

      it('name an append of one stream only', async () => {
        await begin('one');
        expect(await begin('two')).toEqual({ ok: true, seq: 1, repeated: false });
      });

      it('are free again after a conflict', async () => {
        await begin();
        expect(await journal.append('run', { id: 'b', events: [note(2)], expectedSeq: 0 })).toMatchObject({
          ok: false,
        });
        expect(await journal.append('run', { id: 'b', events: [note(2)], expectedSeq: 1 })).toEqual({
          ok: true,
          seq: 2,
          repeated: false,
        });
      });
    });

    describe('epochs', () => {
      it('grow by one with each claim', async () => {
        await begin();
        for (const epoch of [1, 2, 3]) {
          const claim = await taken(claims, 'run');
          expect(claim.epoch).toBe(epoch);
          await claim.release();
        }
      });

      it('shut out a driver whose claim was taken: intents and outcomes alike', async () => {
        await begin();
        const old = await taken(claims, 'run');
        world.kill(1);
        await taken((await world.party(2)).claims, 'run');
        for (const expectedSeq of [{ expectedSeq: 1 }, { expectedSeq: 9 }, {}]) {
          const append = {
            id: `late-${JSON.stringify(expectedSeq)}`,
            events: [note(2)],
            epoch: old.epoch,
            ...expectedSeq,
          };
          expect(await journal.append('run', append)).toEqual({ ok: false, why: 'stale' });
        }
        expect(await seqs()).toEqual([1]);
      });

      it('shut out a driver that has written before, though nobody has written since', async () => {
        await begin();
        const old = await taken(claims, 'run');
        await journal.append('run', { id: 'mine', events: [note(2)], expectedSeq: 1, epoch: old.epoch });
        world.kill(1);
        await taken((await world.party(2)).claims, 'run');
        for (const expectedSeq of [{ expectedSeq: 2 }, {}]) {
          const late = { id: `late-${JSON.stringify(expectedSeq)}`, events: [note(3)], ...expectedSeq };
          expect(await journal.append('run', { ...late, epoch: old.epoch })).toEqual({
            ok: false,
            why: 'stale',
          });
        }
        expect(await seqs()).toEqual([1, 2]);
      });

      it('are not believed before they are given', async () => {
        await begin();
        expect(await journal.append('run', { id: 'x', events: [note(2)], epoch: 1 })).toEqual({
          ok: false,
          why: 'stale',
        });
        expect(
          await journal.append('none', { id: 'x', events: [note(2)], expectedSeq: 0, epoch: 1 }),
        ).toEqual({
          ok: false,
          why: 'stale',
        });
      });
    });

    claimConformance(() => world);

    describe('reading and waiting', () => {
      it('reads after a place, up to a limit', async () => {
        await journal.append('run', {
          id: 'a',
          events: [planCreated(), note(2), note(3), note(4)],
          expectedSeq: 0,
        });
        const some = async (after: number, limit?: number) =>
          (await journal.read('run', after, limit)).map(({ seq }) => seq);
        expect(await some(1)).toEqual([2, 3, 4]);
        expect(await some(1, 2)).toEqual([2, 3]);
        expect(await some(4)).toEqual([]);
        expect(await some(99)).toEqual([]);
      });

      it('resolves at once where there is more already', async () => {
        await begin();
        await journal.changed('run', 0, never);
      });

      it('wakes whoever waits, in this process and in another', async () => {
        const other = (await world.party(2)).journal;
        await begin();
        const waits = [journal.changed('run', 1, never), other.changed('run', 1, never)];
        await journal.append('run', { id: 'b', events: [note(2)], expectedSeq: 1 });
        await Promise.all(waits);
      });

      it('waits for a stream that does not exist yet', async () => {
        const waiting = journal.changed('run', 0, never);
        await begin();
        await waiting;
      });

      it('stops waiting when told, and never rejects', async () => {
        const abort = new AbortController();
        const waiting = journal.changed('run', 0, abort.signal);
        abort.abort(new Error('enough'));
        await waiting;
        await journal.changed('run', 0, abort.signal);
      });

      it('does not wake for other streams', async () => {
        await begin('other');
        const abort = new AbortController();
        let woken = false;
        const waiting = journal.changed('run', 0, abort.signal).then(() => {
          woken = true;
        });
        await journal.append('other', { id: 'b', events: [note(2)] });
        await journal.read('other', 0);
        expect(woken).toBe(false);
        abort.abort();
        await waiting;
      });
    });
  });
}
