import { describe, expect, test } from 'vitest';
import { StoreError } from '../errors.ts';
import { createTogether, type PlainAppend } from './together.ts';

const appendTo = (id: number, last = 0): PlainAppend => ({
  ...{ id, last, epoch: 1, name: `${id}-${last}`, after: { last: last + 1, row: '{}', ids: '' } },
  events: [{ packed: false, body: `${id}` }],
  logs: [],
});

/** A server of which the test says when, and what, it answers: the streams whose appends hold. */
function asked() {
  const sent: { ids: number[]; answer: PromiseWithResolvers<{ id: number }[]> }[] = [];
  const query = (_sql: string, [ids]: readonly unknown[] = []) => {
    const answer = Promise.withResolvers<{ id: number }[]>();
    sent.push({ ids: ids as number[], answer });
    return answer.promise as Promise<never[]>;
  };
  const until = async (count: number) => {
    while (sent.length < count) await new Promise(setImmediate);
    return sent.map(({ ids }) => ids);
  };
  const hold = (n: number, ids: number[]) => sent[n]!.answer.resolve(ids.map((id) => ({ id })));
  return { together: createTogether({ query }), sent, until, hold };
}

describe('appends that meet', () => {
  test('go in one statement: the first at once, the others when it is answered', async () => {
    const { together, until, hold } = asked();
    const all = [appendTo(1), appendTo(2), appendTo(3)].map(together);
    expect(await until(1)).toEqual([[1]]);
    hold(0, [1]);
    expect(await until(2)).toEqual([[1], [2, 3]]);
    hold(1, [3]);
    expect(await Promise.all(all)).toEqual([true, false, true]);
  });

  test('to one stream follow each other', async () => {
    const { together, until, hold } = asked();
    const all = [appendTo(1), appendTo(2), appendTo(2, 1), appendTo(3)].map(together);
    await until(1);
    hold(0, [1]);
    expect(await until(2)).toEqual([[1], [2, 3]]);
    hold(1, [2, 3]);
    expect(await until(3)).toEqual([[1], [2, 3], [2]]);
    hold(2, [2]);
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
  });

  test('do not fail with another: each is then asked about alone', async () => {
    const { together, sent, until, hold } = asked();
    const all = [appendTo(1), appendTo(2), appendTo(3)].map(together);
    const ended = Promise.allSettled(all);
    await until(1);
    hold(0, [1]);
    await until(2);
    sent[1]!.answer.reject(new Error('too much'));
    expect(await until(4)).toEqual([[1], [2, 3], [2], [3]]);
    hold(2, [2]);
    sent[3]!.answer.reject(new Error('too much'));
    expect((await ended).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  test('all fail where the server is away: whoever sent them knows how long to try', async () => {
    const { together, sent, until } = asked();
    const ended = Promise.allSettled([appendTo(1)].map(together));
    await until(1);
    sent[0]!.answer.reject(new StoreError('store-unreachable', 'away'));
    expect((await ended).map(({ status }) => status)).toEqual(['rejected']);
    expect(sent).toHaveLength(1);
  });
});
