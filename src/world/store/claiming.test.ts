import { expect, it, vi } from 'vitest';
import { type ClaimRecords, createClaiming } from './claiming.ts';
import { fakeClock } from './test-support.ts';

const ttlMs = 60_000;

/** A process whose claims are written as a test says. */
function claimingBy(records: Partial<ClaimRecords>) {
  const clock = fakeClock();
  const nothing = async () => {};
  const all: ClaimRecords = {
    take: async () => ({ id: 1, epoch: 1 }),
    hold: async () => ({ ok: true }),
    drop: nothing,
    beat: nothing,
    taken: async () => [],
    leave: nothing,
    silent: async () => new Map(),
    ...records,
  };
  return { clock, claiming: createClaiming(all, { clock, ttlMs, keepOn: () => () => {} }) };
}

const claimOf = async ({ claim }: ReturnType<typeof createClaiming>, stream: string) => {
  const result = await claim(stream);
  if (!result.ok) throw new Error('it is taken');
  return result.claim;
};

it('what is taken after a long wait, by a process that nobody can hear any more, is given up before anybody may take it', async () => {
  const answers = Promise.withResolvers<void>();
  const away = Promise.reject(new Error('away'));
  away.catch(() => {});
  const { clock, claiming } = claimingBy({
    take: async (stream) => {
      if (stream === 'late') await answers.promise;
      return { id: 1, epoch: 1 };
    },
    beat: () => away,
  });
  await (await claimOf(claiming, 'first')).release();
  const taking = claimOf(claiming, 'late');
  await clock.advance(ttlMs - 1);
  answers.resolve();
  const claim = await taking;
  await clock.advance(0);
  expect(claim.lost.aborted).toBe(true);
  await claiming.close();
});

it('a process that took something after a long wait says at once that it lives', async () => {
  const answers = Promise.withResolvers<void>();
  let beats = 0;
  const { clock, claiming } = claimingBy({
    take: async (stream) => {
      if (stream === 'late') await answers.promise;
      return { id: 1, epoch: 1 };
    },
    beat: async () => void (beats += 1),
  });
  await (await claimOf(claiming, 'first')).release();
  const taking = claimOf(claiming, 'late');
  await clock.advance(ttlMs / 2);
  const before = beats;
  answers.resolve();
  const claim = await taking;
  await clock.advance(0);
  expect(beats).toBe(before + 1);
  await clock.advance(ttlMs * 3);
  expect(claim.lost.aborted).toBe(false);
  await claiming.close();
});

it.each([{ host: 'here', path: '/a' }, null])(
  'a folder of which nobody knows whether it is still held (%o was asked for) is asked for again',
  async (wanted) => {
    const asked: unknown[] = [];
    const { claiming } = claimingBy({
      hold: async (_, folder) => {
        asked.push(folder);
        if (asked.length === 2) throw new Error('away');
        return { ok: true };
      },
    });
    const claim = await claimOf(claiming, 'one');
    const b = { host: 'here', path: '/b' };
    await claim.hold(b);
    await expect(claim.hold(wanted)).rejects.toThrow('away');
    await claim.hold(b);
    expect(asked).toEqual([b, wanted, b]);
    await claim.hold(b);
    expect(asked).toHaveLength(3);
    await claiming.close();
  },
);

it('who never claimed anything writes nothing when it closes: it would wait for a lock that others hold', async () => {
  const leave = vi.fn(async () => {});
  const records: Partial<ClaimRecords> = {
    take: async () => ({ id: 1, epoch: 1 }),
    taken: async () => [],
    leave,
  };
  const open = () =>
    createClaiming(records as ClaimRecords, {
      clock: fakeClock(1e12),
      ttlMs: 30_000,
      keepOn: () => () => {},
    });
  await open().close();
  expect(leave).not.toHaveBeenCalled();
  const claiming = open();
  await claiming.claim('x');
  await claiming.close();
  expect(leave).toHaveBeenCalledOnce();
});

it('a renewal counts from when it was sent: the store may have heard of it then, and judges by that', async () => {
  const clock = fakeClock(1e12);
  let answer = () => {};
  const records: Partial<ClaimRecords> = {
    take: async () => ({ id: 1, epoch: 1 }),
    taken: async () => [],
    beat: () => new Promise((resolve) => (answer = resolve)),
    leave: async () => {},
  };
  const claiming = createClaiming(records as ClaimRecords, { clock, ttlMs: 30_000, keepOn: () => () => {} });
  const claimed = await claiming.claim('x');
  const isLost = () => claimed.ok && claimed.claim.lost.aborted;
  await clock.advance(13_000);
  // Sent after 5 seconds.
  answer();
  await clock.advance(6_999);
  expect(isLost()).toBe(false);
  await clock.advance(1);
  expect(isLost()).toBe(true);
  await claiming.close();
});
