import { beforeEach, describe, expect, it } from 'vitest';
import type { Claim, Claims, Journal } from '../../../core/engine/index.ts';
import { note, planCreated } from '../test-support.ts';

/** One process's view of a store. */
export interface Party {
  journal: Journal;
  claims: Claims;
}
/** A store that several processes share. */
export interface World {
  /** The party with this number; the same again gives the same. */
  party(number: number): Promise<Party>;
  /** The process behind this party dies. */
  kill(number: number): void;
  close(): Promise<void>;
}

export async function taken(claims: Claims, stream: string, workspace: string | null = null): Promise<Claim> {
  const result = await claims.claim(stream, workspace);
  if (!result.ok) throw new Error(`not claimed: ${result.why}`);
  return result.claim;
}

/** What claims promise on every store. */
export function claimConformance(worldOf: () => World): void {
  describe('claims', () => {
    let world: World;
    let journal: Journal;
    let claims: Claims;
    beforeEach(async () => {
      world = worldOf();
      ({ journal, claims } = await world.party(1));
    });
    const begin = () => journal.append('run', { id: 'begin', events: [planCreated()], expectedSeq: 0 });

    it('are held by one living driver at a time', async () => {
      await taken(claims, 'run');
      const other = await (await world.party(2)).claims.claim('run', null);
      expect(other).toMatchObject({ ok: false, why: 'claimed', by: { pid: 1 } });
      expect(await claims.claim('run', null)).toMatchObject({ ok: false, why: 'claimed' });
    });

    it('are taken from a dead driver at once', async () => {
      const old = await taken(claims, 'run', '/work');
      world.kill(1);
      const claim = await taken((await world.party(2)).claims, 'run', '/work');
      expect(claim.epoch).toBe(old.epoch + 1);
    });

    it('are free after a release, and a second release does no harm', async () => {
      const first = await taken(claims, 'run', '/work');
      await first.release();
      const other = await world.party(2);
      const second = await taken(other.claims, 'run', '/work');
      await first.release();
      expect(await claims.claim('run', null)).toMatchObject({ ok: false, why: 'claimed' });
      expect(second.lost.aborted).toBe(false);
    });

    it('go to exactly one of two who ask at once', async () => {
      const other = (await world.party(2)).claims;
      const both = await Promise.all([claims.claim('run', '/work'), other.claim('run', '/work')]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it.each(['/a/b', '/a', '/a/b/c/d', '/'])(
      'of a run in /a/b keep another run out of %s',
      async (workspace) => {
        await taken(claims, 'run', '/a/b');
        const other = await (await world.party(2)).claims.claim('other', workspace);
        expect(other).toMatchObject({ ok: false, why: 'workspace-busy', run: 'run', by: { pid: 1 } });
      },
    );

    it.each(['/a/bc', '/a/c', '/b'])('of a run in /a/b let another run work in %s', async (workspace) => {
      await taken(claims, 'run', '/a/b');
      await taken((await world.party(2)).claims, 'other', workspace);
    });

    it('give the workspace back with the stream', async () => {
      const claim = await taken(claims, 'run', '/a');
      await claim.release();
      await taken((await world.party(2)).claims, 'other', '/a/b');
    });

    it('of a refused run take no workspace', async () => {
      const other = (await world.party(2)).claims;
      await taken(claims, 'run', '/a');
      await other.claim('run', '/elsewhere');
      await taken(other, 'other', '/elsewhere');
    });

    it('shut a dead driver out of the run whose workspace was taken', async () => {
      await begin();
      const old = await taken(claims, 'run', '/a');
      world.kill(1);
      await taken((await world.party(2)).claims, 'other', '/a');
      expect(await journal.append('run', { id: 'late', events: [note(2)], epoch: old.epoch })).toEqual({
        ok: false,
        why: 'stale',
      });
    });
  });
}
