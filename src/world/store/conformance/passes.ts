import { expect, it } from 'vitest';
import { type MakeWorld, promises } from './world.ts';

/** What lets people in, on every store. */
export const passesConformance = (make: MakeWorld): void =>
  promises('passes', make, (world, store) => {
    const pass = (hash: string, kind: 'token' | 'page' | 'code', person = 'ana') => ({
      ...{ hash, kind, person },
      scope: 'ask' as const,
    });

    it('hold for every process until their time is over, by the clock of the store', async () => {
      await (await store().passes()).keep(pass('p', 'page'), 1000);
      const other = await (await world().party(2)).passes();
      expect(await other.find('p')).toMatchObject({ ...pass('p', 'page') });
      await world().advance(999);
      expect(await other.find('p')).not.toBeNull();
      await world().advance(1);
      expect(await other.find('p')).toBeNull();
      expect(await other.take('p')).toBeNull();
      expect(await other.list()).toEqual([]);
    });

    it('are taken once, by one of several', async () => {
      await (await store().passes()).keep(pass('c', 'code'), 1000);
      const parties = [store(), await world().party(2), await world().party(3)];
      const taken = await Promise.all(parties.map(async (party) => (await party.passes()).take('c')));
      expect(taken.filter((one) => one !== null)).toHaveLength(1);
      expect(await (await store().passes()).find('c')).toBeNull();
    });

    it('that are no codes are not taken', async () => {
      await (await store().passes()).keep(pass('t', 'token'), null);
      expect(await (await store().passes()).take('t')).toBeNull();
      expect(await (await store().passes()).find('t')).not.toBeNull();
    });

    it('of a person are one token and many pages, and go together', async () => {
      const passes = await store().passes();
      expect(await passes.keep(pass('t', 'token'), null)).toBe(true);
      await world().advance(1);
      expect(await passes.keep(pass('t2', 'token'), null)).toBe(false);
      expect(await passes.find('t2')).toBeNull();
      expect(await passes.keep(pass('other', 'token', 'bob'), null)).toBe(true);
      await passes.keep(pass('p', 'page'), 1000);
      await passes.keep(pass('c', 'code'), 1000);
      expect((await passes.list()).map(({ hash }) => hash)).toEqual(['t', 'p', 'other']);
      expect(await passes.revoke({ person: 'ana' })).toBe(3);
      expect(await passes.revoke({ person: 'ana' })).toBe(0);
      expect((await passes.list()).map(({ hash }) => hash)).toEqual(['other']);
      expect(await passes.revoke({ hash: 'other' })).toBe(1);
      expect(await passes.find('other')).toBeNull();
    });
  });
