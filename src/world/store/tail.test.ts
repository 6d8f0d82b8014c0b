import { expect, test } from 'vitest';
import type { AnyEvent, ReadOf } from '../../core/stream/index.ts';
import { tail } from './tail.ts';

const event: AnyEvent = { v: 1, type: 'e', at: 1 };
const of = (incarnation: number, stream: string, after: number, last: number): ReadOf<AnyEvent> => ({
  incarnation,
  last,
  events: Array.from({ length: last - after }, (_, at) => ({ stream, seq: after + 1 + at, event })),
});

test('what is new is read once: nobody looks again before there is more', async () => {
  let last = 3;
  let reads = 0;
  const abort = new AbortController();
  const journal = {
    readOf: async (stream: string, after: number) => {
      reads += 1;
      return of(1, stream, after, last);
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

test('a stream that was removed is not gone on with by another of its name', async () => {
  let now = { incarnation: 1, last: 2 };
  const abort = new AbortController();
  const journal = {
    readOf: async (stream: string, after: number) => of(now.incarnation, stream, after, now.last),
    changed: async () => {
      if (now.incarnation === 2) abort.abort();
      now = { incarnation: 2, last: 4 };
    },
  };
  const seen: number[] = [];
  for await (const { seq } of tail(journal, 's', 0, abort.signal)) seen.push(seq);
  expect(seen).toEqual([1, 2]);
});
