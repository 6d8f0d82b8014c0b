import { expect, test, vi } from 'vitest';
import { type ClaimRecords, createClaiming } from './claiming.ts';
import { fakeClock } from './test-support.ts';

test('who never claimed anything writes nothing when it closes: it would wait for a lock that others hold', async () => {
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

test('a renewal counts from when it was sent: the store may have heard of it then, and judges by that', async () => {
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
