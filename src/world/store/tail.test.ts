import { expect, test } from 'vitest';
import type { StoredEvent } from '../../core/contract/index.ts';
import { tail } from './tail.ts';

test('what is new is read once: nobody looks again before there is more', async () => {
  let last = 3;
  let reads = 0;
  const abort = new AbortController();
  const journal = {
    read: async (stream: string, after: number): Promise<StoredEvent<string>[]> => {
      reads += 1;
      return Array.from({ length: last - after }, (_, at) => ({ stream, seq: after + 1 + at, event: 'e' }));
    },
    changed: async () => {
      if (last === 6) abort.abort();
      last += 1;
    },
  };
  const seen: number[] = [];
  for await (const { seq } of tail(journal, 's', 0, abort.signal)) seen.push(seq);
  expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
  expect(reads).toBe(4);
});
