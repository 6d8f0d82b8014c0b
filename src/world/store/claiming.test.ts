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
