import { expect, test } from 'vitest';
import { untilLooked } from './page.ts';

test('a page that is waited for is there when it follows something, or is given up', async () => {
  let open = 0;
  let waits = 0;
  const streams = { count: () => open, handedOut: () => 0 };
  const opensAt = (at: number) => async (): Promise<void> => {
    if (++waits === at) open = 1;
  };
  expect(await untilLooked(streams, 15_000, opensAt(3))).toBe('looked');
  expect(waits).toBe(3);
  open = 0;
  waits = 0;
  expect(await untilLooked(streams, 1000, opensAt(-1))).toBe('alone');
  expect(waits).toBe(10);
});
