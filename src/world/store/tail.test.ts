import { describe, expect, it } from 'vitest';
import { note, openTestStore, planCreated, tempDir } from './test-support.ts';

async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) if (taken.push(item) === count) break;
  return taken;
}

describe('a tail', () => {
  it('gives what is there, then what comes, from this process and from another', async () => {
    const dir = tempDir();
    const [here, there] = [await openTestStore({ dir }), await openTestStore({ dir })];
    const abort = new AbortController();
    await here.append('run', { id: 'a', events: [planCreated(), note(2)], expectedSeq: 0 });
    const tails = [take(here.tail('run', 1, abort.signal), 3), take(there.tail('run', 1, abort.signal), 3)];
    await here.append('run', { id: 'b', events: [note(3)] });
    await there.append('run', { id: 'c', events: [note(4)] });
    for (const tail of tails) expect((await tail).map(({ seq }) => seq)).toEqual([2, 3, 4]);
  });

  it('ends when its signal aborts and when the store closes', async () => {
    const store = await openTestStore();
    const abort = new AbortController();
    const tail = take(store.tail('run', 0, abort.signal), 1);
    abort.abort();
    expect(await tail).toEqual([]);
    const other = take(store.tail('run', 0, new AbortController().signal), 1);
    await store.close();
    expect(await other).toEqual([]);
  });

  it('over all streams gives the order of the commits', async () => {
    const dir = tempDir();
    const [here, there] = [await openTestStore({ dir }), await openTestStore({ dir })];
    const abort = new AbortController();
    const tail = take(there.tailAll(0, abort.signal), 4);
    await here.append('one', { id: 'a', events: [planCreated()], expectedSeq: 0 });
    await here.append('two', { id: 'a', events: [planCreated()], expectedSeq: 0 });
    await there.append('one', { id: 'b', events: [note(2), note(3)] });
    const events = await tail;
    expect(events.map(({ stream, seq }) => `${stream} ${seq}`)).toEqual(['one 1', 'two 1', 'one 2', 'one 3']);
    expect(events.map(({ pos }) => pos)).toEqual([1, 2, 3, 4]);
    expect((await take(here.tailAll(events[2]!.pos, abort.signal), 1))[0]).toMatchObject({
      stream: 'one',
      seq: 3,
    });
  });
});
