import { expect, it } from 'vitest';
import type { WorkerReport } from '../../../core/contract/index.ts';
import { begin, begun, ended } from '../test-support.ts';
import { type MakeWorld, promises, taken } from './world.ts';

const report: WorkerReport = {
  as: 'worker',
  version: '1.2.3',
  concurrency: 4,
  active: 1,
  load: 0.5,
  startedAt: 7,
};

/** What is promised of who drives, and of what there is to do. */
export const workersConformance = (make: MakeWorld): void =>
  promises('workers', make, (world, store) => {
    it('says who drives, on which machine, how busy it is and what it holds', async () => {
      const other = await world().party(2);
      await store().workers.report(report);
      await other.workers.report({ ...report, as: 'server', active: 0 });
      await begin(store(), 'a', begun());
      const claim = await taken(store(), 'a');
      await store().workers.report({ ...report, active: 2 });
      const seen = await other.workers.list();
      expect(seen.toSorted((one, two) => one.pid - two.pid)).toEqual([
        { ...report, active: 2, host: 'here', pid: 1, heardAt: world().now(), isSilent: false, claims: 1 },
        {
          ...report,
          as: 'server',
          active: 0,
          host: 'here',
          pid: 2,
          heardAt: world().now(),
          isSilent: false,
          claims: 0,
        },
      ]);
      expect(await other.workers.claims(9)).toEqual([{ stream: 'a', kind: 'toy', host: 'here', pid: 1 }]);
      await claim.release();
      await store().workers.leave();
      expect((await other.workers.list()).map(({ pid }) => pid)).toEqual([2]);
      expect(await other.workers.claims(9)).toEqual([]);
    });

    it('lets so many of a kind be driven at the same time, whoever drives them, and counts no dead', async () => {
      const other = await world().party(2);
      for (const stream of ['a', 'b', 'c', 'd']) await begin(store(), stream, begun());
      const most = { kind: 'toy', most: 2 };
      const first = await store().claim('a', most);
      expect(first).toMatchObject({ ok: true });
      expect(await other.claim('b', most)).toMatchObject({ ok: true });
      expect(await store().claim('c', most)).toEqual({ ok: false, why: 'full' });
      // Of another kind, and without a limit, it is no matter.
      const free = await store().claim('c');
      expect(free).toMatchObject({ ok: true });
      if (free.ok) await free.claim.release();
      if (first.ok) await first.claim.release();
      const both = await Promise.all([store().claim('c', most), other.claim('d', most)]);
      expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
      world().kill(2);
      const left = both[0].ok ? 'd' : 'c';
      expect(await store().claim(left, most)).toMatchObject({ ok: true });
    });

    it('says who has not been heard of, and forgets them after an hour', async () => {
      await store().workers.report(report);
      const heardAt = world().now();
      await world().advance(31_000);
      expect(await store().workers.list()).toMatchObject([{ heardAt, isSilent: true }]);
      await world().advance(60 * 60_000);
      expect(await store().workers.list()).toEqual([]);
    });

    it('counts what is due and nobody drives, what is driven, and what has ended', async () => {
      for (const stream of ['a', 'b', 'c']) await begin(store(), stream, begun());
      await begin(store(), 'later', begun({ napUntil: 5000 }));
      await taken(store(), 'a');
      await store().append('c', { id: 'e', events: [ended(600)] });
      const workload = (now: number) => store().workers.workload({ now, since: 0 });
      expect(await workload(1000)).toEqual({ due: 1, claimed: 1, ended: 0 });
      expect(await workload(9000)).toEqual({ due: 2, claimed: 1, ended: 0 });
    });
  });
