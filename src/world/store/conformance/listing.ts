import { describe, expect, it } from 'vitest';
import { noSpending } from '../../../core/contract/index.ts';
import { asked, begin, begun, ended, fact, note } from '../test-support.ts';
import { ids, type MakeWorld, promises, taken } from './world.ts';

/** What listings promise on every store. */
export const listingConformance = (make: MakeWorld): void =>
  promises('listings', make, (world, store) => {
    describe('rows', () => {
      it('are as the events make them, in the moment in which they are written', async () => {
        await begin(store(), 'a', begun({ at: 1, workspace: '/w' }));
        expect(await store().row('a')).toEqual({
          id: 'a',
          kind: 'toy',
          state: 'counting',
          workspace: '/w',
          createdAt: 1,
          updatedAt: 1,
          endedAt: null,
          wakeAt: null,
          goesOn: true,
          awaits: null,
          unanswered: [],
          spending: noSpending,
        });
        await store().append('a', { id: 'e', events: [ended(3)] });
        expect(await (await world().party(2)).row('a')).toMatchObject({ state: 'ended', endedAt: 3 });
        expect(await store().row('none')).toBeNull();
      });

      it('know which requests nobody has answered', async () => {
        await begin(store(), 'a');
        await store().append('a', { id: 'r', events: [asked(2), asked(3)] });
        const unanswered = [
          { seq: 2, at: 2 },
          { seq: 3, at: 3 },
        ];
        expect(await store().row('a')).toMatchObject({ unanswered });
        await store().append('a', {
          id: 'f',
          events: [fact(4, { type: 'target-raised', amount: 1, answers: 2 })],
        });
        expect(await store().row('a')).toMatchObject({ unanswered: unanswered.slice(1) });
      });

      it('are filtered and paged, the newest first', async () => {
        for (let n = 1; n <= 5; n++)
          await begin(store(), `s${n}`, begun({ at: n < 4 ? n : 4, workspace: n % 2 ? '/odd' : '/even' }));
        await store().append('s2', { id: 'e', events: [ended(9)] });
        expect(ids(await store().list())).toEqual(['s5', 's4', 's3', 's2', 's1']);
        expect(ids(await store().list({ state: 'ended' }))).toEqual(['s2']);
        expect(ids(await store().list({ state: ['ended', 'counting'], limit: 4 }))).toHaveLength(4);
        expect(ids(await store().list({ workspace: '/odd' }))).toEqual(['s5', 's3', 's1']);
        expect(await store().list({ kind: 'other' })).toEqual([]);
        const [first] = await store().list({ limit: 1 });
        expect(ids(await store().list({ before: first!, limit: 2 }))).toEqual(['s4', 's3']);
        expect(await store().countStates()).toEqual({ counting: 4, ended: 1 });
        expect(await store().countStates({ workspace: '/even' })).toEqual({ counting: 1, ended: 1 });
        expect(await store().countStates({ kind: 'other' })).toEqual({});
      });

      it('are found by how their id begins', async () => {
        for (const id of ['abc', 'abd', 'b']) await begin(store(), id);
        expect(ids(await store().withPrefix('ab')).toSorted()).toEqual(['abc', 'abd']);
        expect(await store().withPrefix('ab', 'other')).toEqual([]);
        expect(ids(await store().withPrefix('b'))).toEqual(['b']);
      });
    });

    describe('what is due', () => {
      const due = async (before = 1000, limit = 10) => ids(await store().due(before, limit));

      it('is what goes on by itself, until it has ended', async () => {
        await begin(store(), 'goes', begun({ at: 5 }));
        expect(await store().due(1000, 10)).toEqual([{ id: 'goes', seq: 1 }]);
        await store().append('goes', { id: 'n', events: [note(7)] });
        expect(await store().due(1000, 10)).toEqual([{ id: 'goes', seq: 2 }]);
        await store().append('goes', { id: 'e', events: [ended(9)] });
        expect(await due()).toEqual([]);
      });

      it('is what was to be woken, when its time has come', async () => {
        await begin(store(), 'naps', begun({ napUntil: 500 }));
        expect(await due(499)).toEqual([]);
        expect(await due(500)).toEqual(['naps']);
      });

      it('is a request that nobody has answered, from when it was made, though the stream has ended', async () => {
        await begin(store(), 'over', begun(), ended(2));
        await store().append('over', { id: 'r', events: [asked(40)] });
        expect(await due(39)).toEqual([]);
        expect(await due(40)).toEqual(['over']);
        const refused = fact(50, { type: 'toy-refused', answers: 3, code: 'ended' });
        await store().append('over', { id: 'f', events: [refused] });
        expect(await due()).toEqual([]);
      });

      it('changes for each of the streams that drivers write to at once, and for no other', async () => {
        const names = ['one', 'two', 'three'];
        for (const name of names) await begin(store(), name, begun(), ended(2), asked(40));
        const claims = await Promise.all(names.map((name) => taken(store(), name)));
        const refused = (answers: number) => fact(50, { type: 'toy-refused', answers, code: 'ended' });
        // The second time it is known how far each of them goes, and they are written in the same moment.
        for (const answers of [
          [99, 99, 99],
          [3, 99, 3],
        ])
          await Promise.all(
            claims.map(({ epoch }, n) =>
              store().append(names[n]!, { id: `${answers}`, epoch, events: [refused(answers[n]!)] }),
            ),
          );
        await Promise.all(claims.map((claim) => claim.release()));
        expect(await due()).toEqual(['two']);
      });

      it('is not what a living driver holds, and what a dead one held', async () => {
        await begin(store(), 'held');
        await taken(store(), 'held');
        const other = await world().party(2);
        expect(await other.due(1000, 10)).toEqual([]);
        world().kill(1);
        expect(ids(await other.due(1000, 10))).toEqual(['held']);
      });

      it('comes the longest due first, no more than asked for, those held not counted', async () => {
        for (let n = 1; n <= 6; n++) await begin(store(), `s${n}`, begun({ at: 100 - n }));
        for (const held of ['s6', 's5']) await taken(store(), held);
        expect(await due(1000, 2)).toEqual(['s4', 's3']);
      });
    });
  });
