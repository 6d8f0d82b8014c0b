import { describe, expect, test } from 'vitest';
import { StoreError } from '../errors.ts';
import { createTogether, type PlainAppend } from './together.ts';

const appendTo = (id: number, last = 0): PlainAppend => ({
  ...{ id, last, epoch: 1, name: `${id}-${last}`, after: { last: last + 1, row: '{}', ids: '' } },
  events: [{ packed: false, body: `${id}` }],
  listed: null,
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
  /** The first is under way, and the others have come since. */
  const afterFirst = async (...others: PlainAppend[]) => {
    const world = asked();
    const first = world.together(appendTo(1));
    await world.until(1);
    return { ...world, all: [first, ...others.map(world.together)] };
  };

  test('go in one statement: those of one turn at once, the others when it is answered', async () => {
    const { together, until, hold } = asked();
    const first = [appendTo(1), appendTo(2)].map(together);
    expect(await until(1)).toEqual([[1, 2]]);
    const others = [appendTo(3), appendTo(4)].map(together);
    hold(0, [1, 2]);
    expect(await until(2)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    hold(1, [4]);
    expect(await Promise.all([...first, ...others])).toEqual([true, true, false, true]);
  });

  test('to one stream follow each other', async () => {
    const { all, until, hold } = await afterFirst(appendTo(2), appendTo(2, 1), appendTo(3));
    hold(0, [1]);
    expect(await until(2)).toEqual([[1], [2, 3]]);
    hold(1, [2, 3]);
    expect(await until(3)).toEqual([[1], [2, 3], [2]]);
    hold(2, [2]);
    expect(await Promise.all(all)).toEqual([true, true, true, true]);
  });

  test('do not fail with another: each is then asked about alone', async () => {
    const { all, sent, until, hold } = await afterFirst(appendTo(2), appendTo(3));
    const ended = Promise.allSettled(all);
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
