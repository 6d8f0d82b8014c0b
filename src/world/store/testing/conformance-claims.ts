import { beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../core/contract/index.ts';
import type { Claim, Claims, Folder, Journal } from '../../../core/stream/index.ts';
import { note, planCreated } from '../test-support.ts';

/** One process's view of a store. */
export interface Party {
  journal: Journal<RunEvent>;
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

export const here = (path: string, worktree?: string): Folder => ({ host: 'host', path, worktree });

export async function taken(claims: Claims, stream: string, folder: string | null = null): Promise<Claim> {
  const result = await claims.claim(stream);
  if (!result.ok) throw new Error(`not claimed: ${result.why}`);
  const held = await result.claim.hold(folder === null ? null : here(folder));
  if (!held.ok) throw new Error(`not held: ${held.why}`);
  return result.claim;
}

/** What claims promise on every store. */
export function claimConformance(worldOf: () => World): void {
  describe('claims', () => {
    let world: World;
    let journal: Journal<RunEvent>;
    let claims: Claims;
    beforeEach(async () => {
      world = worldOf();
      ({ journal, claims } = await world.party(1));
    });
    const begin = () => journal.append('run', { id: 'begin', events: [planCreated()], expectedSeq: 0 });

    it('are held by one living driver at a time', async () => {
      await taken(claims, 'run');
      const other = await (await world.party(2)).claims.claim('run');
      expect(other).toMatchObject({ ok: false, why: 'claimed', by: { pid: 1 } });
      expect(await claims.claim('run')).toMatchObject({ ok: false, why: 'claimed' });
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
      expect(await claims.claim('run')).toMatchObject({ ok: false, why: 'claimed' });
      expect(second.lost.aborted).toBe(false);
    });

    it('go to exactly one of two who ask at once', async () => {
      const other = (await world.party(2)).claims;
      const both = await Promise.all([claims.claim('run'), other.claim('run')]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it.each(['/a/b', '/a', '/a/b/c/d', '/'])(
      'of a run in /a/b keep another run out of %s',
      async (workspace) => {
        await taken(claims, 'run', '/a/b');
        const other = await taken((await world.party(2)).claims, 'other');
        const held = await other.hold(here(workspace));
        expect(held).toMatchObject({ ok: false, why: 'workspace-busy', stream: 'run', by: { pid: 1 } });
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

    it('let go of a folder when another is held, or none', async () => {
      const other = (await world.party(2)).claims;
      const claim = await taken(claims, 'run', '/a');
      await claim.hold(here('/b'));
      const second = await taken(other, 'other', '/a');
      await second.hold(null);
      expect(await claim.hold(here('/a'))).toEqual({ ok: true });
    });

    it('hold nothing where the folder that they want is busy', async () => {
      await taken(claims, 'run', '/a');
      const other = await taken((await world.party(2)).claims, 'other', '/b');
      expect(await other.hold(here('/a'))).toMatchObject({ ok: false, stream: 'run' });
      await taken((await world.party(3)).claims, 'third', '/b');
    });

    it('of a folder on one machine are none on another', async () => {
      await taken(claims, 'run', '/a');
      const other = await taken((await world.party(2)).claims, 'other');
      expect(await other.hold({ host: 'elsewhere', path: '/a' })).toEqual({ ok: true });
    });

    it('of a worktree within a repository are apart from it, and keep others out of that worktree', async () => {
      await taken(claims, 'run', '/repo');
      const other = await taken((await world.party(2)).claims, 'other');
      expect(await other.hold(here('/repo/.trees/a', '/repo/.trees/a'))).toEqual({ ok: true });
      const third = await taken((await world.party(3)).claims, 'third');
      expect(await third.hold(here('/repo/.trees/a/src', '/repo/.trees/a'))).toMatchObject({
        stream: 'other',
      });
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
