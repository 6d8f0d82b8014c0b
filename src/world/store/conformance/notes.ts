import { describe, expect, it } from 'vitest';
import type { ModelNote } from '../../../core/stream/index.ts';
import { begin, begun, ended, fact, type ToyStore } from '../test-support.ts';
import { type MakeWorld, promises } from './world.ts';

/** What is known of fixes and of models, on every store. */
export const notesConformance = (make: MakeWorld): void =>
  promises('notes', make, (world, store) => {
    describe('fixes', () => {
      const fix = (id: string, scope = 'user', key = 'cp <1>') => ({ id, scope, key, general: '{}' });

      it('that come again are one more success, and lose their failures', async () => {
        await store().keepFix(fix('a'));
        await store().fixFailed('user', 'a', 2);
        expect(await store().keepFix(fix('a'))).toMatchObject({ successes: 2, failures: 0 });
        expect(await store().fixes({})).toHaveLength(1);
      });

      it('are forgotten after two failures in a row, not after two with a success between them', async () => {
        await store().keepFix(fix('a'));
        await store().fixFailed('user', 'a', 2);
        await store().fixHelped('user', 'a');
        await store().fixFailed('user', 'a', 2);
        expect(await store().fixes({ scope: 'user' })).toMatchObject([{ successes: 2, failures: 1 }]);
        await store().fixFailed('user', 'a', 2);
        expect(await store().fixes({ scope: 'user' })).toEqual([]);
      });

      it('are kept apart by scope and key, and the one that helped most comes first', async () => {
        for (const one of [fix('a'), fix('b'), fix('b'), fix('a', '/work'), fix('c', 'user', 'other')])
          await store().keepFix(one);
        const { key } = fix('a');
        expect((await store().fixes({ scope: 'user', key })).map(({ id }) => id)).toEqual(['b', 'a']);
        expect((await store().fixes({ scope: '/work' })).map(({ id }) => id)).toEqual(['a']);
        expect(await store().fixes({})).toHaveLength(4);
      });

      it('are forgotten when told, and it is said how many they were', async () => {
        for (const one of [fix('a'), fix('a', '/work'), fix('b')]) await store().keepFix(one);
        expect(await store().forgetFixes({ id: 'a' })).toBe(2);
        expect(await store().forgetFixes({ id: 'a' })).toBe(0);
        expect((await store().fixes({})).map(({ id }) => id)).toEqual(['b']);
        expect(await store().forgetFixes({})).toBe(1);
      });

      it('are there for every process', async () => {
        await store().keepFix(fix('a'));
        expect(await (await world().party(2)).fixes({})).toEqual(await store().fixes({}));
      });
    });

    describe('scores', () => {
      let appends = 0;
      const tell = (to: ToyStore, stream: string, ...notes: ModelNote[]) =>
        to.append(stream, {
          id: `append-${appends++}`,
          events: notes.map((note) => fact(1, { type: 'toy-noted', note })),
        });
      const tried = (id: string, role: 'brain' | 'fast' = 'brain'): ModelNote => ({
        kind: 'tried',
        id,
        model: 'p/m',
        role,
      });
      const judged = (id: string, accepted: boolean): ModelNote => ({ kind: 'judged', id, accepted });

      it('count what is judged at once, by model and role', async () => {
        await begin(store());
        const scored = (model: string, accepted: boolean): ModelNote => ({
          kind: 'scored',
          model,
          role: 'planner',
          accepted,
        });
        await tell(store(), 'run', scored('p/b', true), scored('p/a', false), scored('p/b', false));
        expect(await store().modelScores('planner')).toEqual([
          { model: 'p/a', role: 'planner', asked: 1, accepted: 0 },
          { model: 'p/b', role: 'planner', asked: 2, accepted: 1 },
        ]);
        expect(await store().modelScores('brain')).toEqual([]);
      });

      it('count what is judged later once, and in its own stream', async () => {
        await begin(store());
        await begin(store(), 'other');
        await tell(store(), 'run', tried('1'), tried('2'), tried('3'), tried('open'));
        expect(await store().modelScores()).toEqual([]);
        await tell(store(), 'other', judged('3', true));
        await tell(store(), 'run', judged('1', true), judged('2', false), judged('1', true));
        expect(await store().modelScores()).toEqual([{ model: 'p/m', role: 'brain', asked: 2, accepted: 1 }]);
      });

      it('leave out what was dropped, and roles whose judgement is still to come', async () => {
        await begin(store());
        const unless = ['brain'] as const;
        await tell(store(), 'run', tried('1'), { kind: 'dropped', id: '1' }, judged('1', true));
        await tell(store(), 'run', tried('2'), { ...judged('2', true), unless } as ModelNote);
        await tell(store(), 'run', tried('3', 'fast'), { ...judged('3', true), unless } as ModelNote);
        expect(await store().modelScores()).toEqual([{ model: 'p/m', role: 'fast', asked: 1, accepted: 1 }]);
      });

      it('count an append that is repeated or refused once or not at all', async () => {
        await begin(store());
        const note: ModelNote = { kind: 'scored', model: 'p/m', role: 'fast', accepted: true };
        const append = { id: 'once', events: [fact(1, { type: 'toy-noted', note })], expectedSeq: 1 };
        for (const again of [append, append, { ...append, id: 'late' }]) await store().append('run', again);
        expect(await store().modelScores()).toMatchObject([{ asked: 1, accepted: 1 }]);
      });

      it('outlive the streams that they were made of', async () => {
        await begin(store(), 'run', begun());
        await tell(
          store(),
          'run',
          { kind: 'scored', model: 'p/m', role: 'fast', accepted: true },
          tried('1'),
        );
        await store().append('run', { id: 'end', events: [ended(2)] });
        await world().advance(1);
        expect((await store().gc({ keepDays: 0, keepLast: 0 })).streams).toEqual(['run']);
        expect(await store().modelScores()).toMatchObject([{ model: 'p/m', asked: 1 }]);
      });
    });
  });
