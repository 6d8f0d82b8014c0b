import { beforeEach, expect, it } from 'vitest';
import { begin, note } from '../test-support.ts';
import { here, type MakeWorld, promises, taken } from './world.ts';

/** What claims promise on every store. */
export const claimsConformance = (make: MakeWorld): void =>
  promises('claims', make, (world, store) => {
    beforeEach(async () => {
      for (const stream of ['run', 'other', 'third']) await begin(store(), stream);
    });

    it('are held by one living driver at a time', async () => {
      await taken(store(), 'run');
      const other = await (await world().party(2)).claim('run');
      expect(other).toMatchObject({ ok: false, why: 'claimed', by: { pid: 1 } });
      expect(await store().claim('run')).toMatchObject({ ok: false, why: 'claimed' });
    });

    it('are taken from a dead driver at once', async () => {
      const old = await taken(store(), 'run', '/work');
      world().kill(1);
      const claim = await taken(await world().party(2), 'run', '/work');
      expect(claim.epoch).toBe(old.epoch + 1);
    });

    it('of so many at once are counted also of a stream that was seen while nobody had it', async () => {
      await taken(store(), 'run');
      const other = await world().party(2);
      await other.kindOf('other');
      expect(await other.claim('other', { kind: 'toy', most: 1 })).toEqual({ ok: false, why: 'full' });
      await other.kindOf('other');
      expect(await other.claim('other', { kind: 'toy', most: 2 })).toMatchObject({ ok: true });
    });

    it('that are taken from a dead driver hold none of its folders', async () => {
      await taken(store(), 'run', '/work');
      world().kill(1);
      await taken(await world().party(2), 'run');
      await taken(await world().party(3), 'other', '/work');
    });

    it('are free after a release, and a second release does no harm', async () => {
      const first = await taken(store(), 'run', '/work');
      await first.release();
      const other = await world().party(2);
      const second = await taken(other, 'run', '/work');
      await first.release();
      expect(await store().claim('run')).toMatchObject({ ok: false, why: 'claimed' });
      expect(second.lost.aborted).toBe(false);
      await second.release();
      const third = await taken(other, 'run');
      await second.release();
      expect(await store().claim('run')).toMatchObject({ ok: false, why: 'claimed' });
      expect(third.lost.aborted).toBe(false);
    });

    it('go to exactly one of two who ask at once', async () => {
      const other = await world().party(2);
      const both = await Promise.all([store().claim('run'), other.claim('run')]);
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    });

    it('are as they are now, whatever was seen of the stream before', async () => {
      const other = await world().party(2);
      expect(await store().kindOf('run')).toBe('toy');
      const second = await taken(other, 'run');
      expect(await store().claim('run')).toMatchObject({ ok: false, why: 'claimed', by: { pid: 2 } });
      // Seen while a living driver has it.
      await store().kindOf('run');
      expect(await store().claim('run')).toMatchObject({ ok: false, why: 'claimed', by: { pid: 2 } });
      await store().kindOf('run');
      await second.release();
      const third = await taken(store(), 'run');
      expect(third.epoch).toBe(second.epoch + 1);
      await third.release();
      // Seen while it was free, and written to since.
      await store().kindOf('run');
      await other.append('run', { id: 'asked', events: [note(2)] });
      const { epoch } = await taken(store(), 'run');
      const late = { id: 'late', epoch, expectedSeq: 1, events: [note(3)] };
      expect(await store().append('run', late)).toEqual({ ok: false, why: 'conflict' });
      const again = await store().append('run', { id: 'again', epoch, events: [note(3)] });
      expect(again).toMatchObject({ ok: true, seq: 3 });
    });

    it('go to exactly one of many who ask at once in one process', async () => {
      for (const stream of ['run', 'other', 'third']) {
        const all = await Promise.all(Array.from({ length: 5 }, () => store().claim(stream)));
        expect(all.filter(({ ok }) => ok)).toHaveLength(1);
      }
    });

    it('of many streams at once are given, and given back, each by itself', async () => {
      const [names, other] = [['run', 'other', 'third'], await world().party(2)];
      for (const name of names) await store().kindOf(name);
      const theirs = await taken(other, 'other');
      const all = await Promise.all(names.map((name) => store().claim(name)));
      expect(all.map(({ ok }) => ok)).toEqual([true, false, true]);
      await expect(other.claim('third')).resolves.toMatchObject({ ok: false, by: { pid: 1 } });
      await Promise.all(all.map((one) => (one.ok ? one.claim.release() : undefined)));
      expect(await store().claim('other')).toMatchObject({ ok: false, by: { pid: 2 } });
      for (const name of ['run', 'third']) expect((await taken(other, name)).epoch).toBe(2);
      await theirs.release();
      expect((await taken(store(), 'other')).epoch).toBe(2);
    });

    it.each(['/a/b', '/a', '/a/b/c/d', '/'])(
      'of a run in /a/b keep another run out of %s',
      async (workspace) => {
        await taken(store(), 'run', '/a/b');
        const other = await taken(await world().party(2), 'other');
        const held = await other.hold(here(workspace));
        expect(held).toMatchObject({ ok: false, why: 'workspace-busy', stream: 'run', by: { pid: 1 } });
      },
    );

    it.each(['/a/bc', '/a/c', '/b'])('of a run in /a/b let another run work in %s', async (workspace) => {
      await taken(store(), 'run', '/a/b');
      await taken(await world().party(2), 'other', workspace);
    });

    it('of many folders that are wanted at once are each held, or busy', async () => {
      const claims = await Promise.all(['run', 'other', 'third'].map((name) => taken(store(), name)));
      const hold = (paths: string[]) =>
        Promise.all(claims.map(async (claim, n) => (await claim.hold(here(paths[n]!))).ok));
      expect((await hold(['/a/b', '/a/b/c', '/a-b\ud800'])).toSorted()).toEqual([false, true, true]);
      expect(await hold(['/x', '/y "z"', '/x-y'])).toEqual([true, true, true]);
      await begin(store(), 'fourth');
      const theirs = await taken(await world().party(2), 'fourth');
      for (const busy of ['/x/in', '/y "z"', '/'])
        expect(await theirs.hold(here(busy))).toMatchObject({ ok: false });
      expect(await theirs.hold(here('/y'))).toEqual({ ok: true });
    });

    it('give the workspace back with the stream', async () => {
      const claim = await taken(store(), 'run', '/a');
      await claim.release();
      await taken(await world().party(2), 'other', '/a/b');
    });

    it('let go of a folder when another is held, or none', async () => {
      const other = await world().party(2);
      const claim = await taken(store(), 'run', '/a');
      await claim.hold(here('/b'));
      const second = await taken(other, 'other', '/a');
      await second.hold(null);
      expect(await claim.hold(here('/a'))).toEqual({ ok: true });
    });

    it('hold nothing where the folder that they want is busy', async () => {
      await taken(store(), 'run', '/a');
      const other = await taken(await world().party(2), 'other', '/b');
      expect(await other.hold(here('/a'))).toMatchObject({ ok: false, stream: 'run' });
      await taken(await world().party(3), 'third', '/b');
    });

    it('of a folder on one machine are none on another', async () => {
      await taken(store(), 'run', '/a');
      const other = await taken(await world().party(2), 'other');
      expect(await other.hold({ host: 'elsewhere', path: '/a' })).toEqual({ ok: true });
    });

    it('of a worktree within a repository are apart from it, and keep others out of that worktree', async () => {
      await taken(store(), 'run', '/repo');
      const other = await taken(await world().party(2), 'other');
      expect(await other.hold(here('/repo/.trees/a', '/repo/.trees/a'))).toEqual({ ok: true });
      const third = await taken(await world().party(3), 'third');
      expect(await third.hold(here('/repo/.trees/a/src', '/repo/.trees/a'))).toMatchObject({
        stream: 'other',
      });
    });

    it('shut a dead driver out of the run whose workspace was taken', async () => {
      const old = await taken(store(), 'run', '/a');
      world().kill(1);
      await taken(await world().party(2), 'other', '/a');
      expect(await store().append('run', { id: 'late', events: [note(2)], epoch: old.epoch })).toEqual({
        ok: false,
        why: 'stale',
      });
    });

    it('taken from a dead driver leave its folder to others', async () => {
      await taken(store(), 'run', '/a');
      world().kill(1);
      await taken(await world().party(2), 'run');
      await taken(await world().party(3), 'third', '/a');
    });

    it('taken anew by the same process are not given back with the old ones', async () => {
      const old = await taken(store(), 'run', '/a');
      world().silence(1);
      await world().advance(world().ttlMs);
      const now = await taken(store(), 'run', '/b');
      expect(now.epoch).toBe(old.epoch + 1);
      await old.release();
      const other = await world().party(2);
      expect(await other.claim('run')).toMatchObject({ ok: false, why: 'claimed', by: { pid: 1 } });
      const second = await taken(other, 'other', '/a');
      expect(await second.hold(here('/b'))).toMatchObject({ ok: false, stream: 'run' });
    });

    it('that were taken over hold no folder any more, and let go of none of the new driver', async () => {
      const old = await taken(store(), 'run', '/a');
      world().kill(1);
      await taken(await world().party(2), 'run', '/a');
      for (const folder of [here('/b'), here('/a')])
        expect(await old.hold(folder)).toEqual({ ok: false, why: 'lost' });
      const third = await taken(await world().party(3), 'third');
      expect(await third.hold(here('/a'))).toMatchObject({ ok: false, stream: 'run', by: { pid: 2 } });
      expect(await third.hold(here('/b'))).toEqual({ ok: true });
    });

    it('tell which streams nobody alive has, and when somebody last had them', async () => {
      await taken(store(), 'run');
      const other = await world().party(2);
      const claim = await taken(other, 'other');
      const silent = () => other.silent(['run', 'other', 'third']);
      expect(await silent()).toEqual(new Map([['third', null]]));
      const heard = world().now();
      world().kill(1);
      await claim.release();
      expect(await silent()).toEqual(
        new Map<string, number | null>([
          ['run', heard],
          ['other', null],
          ['third', null],
        ]),
      );
    });

    it('of what does not exist are refused', async () => {
      await expect(store().claim('none')).rejects.toMatchObject({ code: 'stream-unknown' });
    });

    it('stay with a living driver, however long', async () => {
      const claim = await taken(store(), 'run');
      await world().advance(10 * world().ttlMs);
      expect(await (await world().party(2)).claim('run')).toMatchObject({ ok: false });
      expect(claim.lost.aborted).toBe(false);
    });

    it('are free when their driver has been silent for its time-to-live by the clock of the store, not before', async () => {
      await taken(store(), 'run');
      const other = await world().party(2);
      world().silence(1);
      await world().advance(world().ttlMs - 1);
      expect(await other.claim('run')).toMatchObject({ ok: false });
      await world().advance(1);
      expect(await other.claim('run')).toMatchObject({ ok: true });
    });
  });
