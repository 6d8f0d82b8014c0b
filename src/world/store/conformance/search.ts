import { expect, it } from 'vitest';
import { begin, begun, ended } from '../test-support.ts';
import { ids, type MakeWorld, promises } from './world.ts';

/** What searching promises on every store. */
export const searchConformance = (make: MakeWorld): void =>
  promises('search', make, (world, store) => {
    const add = (id: string, at: number, name: string, workspace = '/w') =>
      begin(store(), id, begun({ at, name, workspace }));
    const found = async (text: string, limit = 10) =>
      (await store().find(text, limit)).map(({ row }) => row.id);

    it('finds where every word is, short ones and parts of words too, the newest first', async () => {
      await add('one', 1, 'Deploy the site\nto production');
      await add('two', 2, 'deploy nothing at all');
      expect(await found('deploy')).toEqual(['two', 'one']);
      expect(await found('prod DEPLOY')).toEqual(['one']);
      expect(await found('at al')).toEqual(['two']);
      expect(await found('deploy', 1)).toEqual(['two']);
      expect(await found('absent')).toEqual([]);
      expect(await found('  ')).toEqual([]);
      expect(ids(await store().list({ text: 'site' }))).toEqual(['one']);
    });

    it('takes what is typed for text, whatever it looks like', async () => {
      await add('one', 1, 'say "100%" or a_b');
      for (const text of ['"100%"', '100%', 'a_b', '%']) expect(await found(text)).toEqual(['one']);
      for (const text of ['axb', '" OR 1', 'NOT x', '*', '"']) await found(text);
      expect(await found('axb')).toEqual([]);
    });

    it('says in which line a word was; null where only the id fits', async () => {
      await add('abcdef', 1, 'first\nthe second line');
      expect(await store().find('second', 5)).toMatchObject([{ found: 'the second line' }]);
      expect(await store().find('abcd', 5)).toMatchObject([{ row: { id: 'abcdef' }, found: null }]);
    });

    it('keeps to a kind', async () => {
      await add('one', 1, 'deploy');
      expect(await store().find('deploy', 5, 'other')).toEqual([]);
    });

    it('finds what is alike by any of the words, the most alike first, in one workspace', async () => {
      await add('one', 1, 'build the site');
      await add('two', 2, 'build and deploy the site');
      await add('far', 3, 'build and deploy the site', '/elsewhere');
      const alike = (words: string[], kind = 'toy') =>
        store().alike(words, { kind, workspace: '/w', limit: 10 });
      expect(ids(await alike(['deploy', 'site']))[0]).toBe('two');
      expect(ids(await alike(['site', 'nowhere'])).toSorted()).toEqual(['one', 'two']);
      expect(await alike(['of'])).toEqual([]);
      expect(await alike(['site'], 'other')).toEqual([]);
    });

    it('finds nothing of what was removed', async () => {
      await begin(store(), 'old', begun({ name: 'deploy' }), ended(2));
      await world().advance(1);
      await store().gc({ keepDays: 0, keepLast: 0 });
      expect(await found('deploy')).toEqual([]);
    });
  });
