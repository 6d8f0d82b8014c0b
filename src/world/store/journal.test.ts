import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../core/contract/index.ts';
import { blobThreshold, pack, unpack } from './blobs.ts';
import { cancel, finished, note, openTestStore, planCreated } from './test-support.ts';

describe('packing an event', () => {
  const roundTrip = (value: unknown) => {
    const { body, packed, blobs } = pack(value);
    const texts = new Map(blobs.map(({ hash, text }) => [hash, text]));
    return { value: unpack(body, packed, (hash) => texts.get(hash)!), packed, blobs };
  };

  it('gives every value back as it was', () => {
    const long = fc.constantFrom(
      'x'.repeat(blobThreshold + 1),
      '\ud800'.repeat(blobThreshold),
      'é'.repeat(40_000),
    );
    const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null), long);
    const key = fc.constantFrom('a', '$blob', '$$blob', '__proto__', 'blob');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(roundTrip(value).value).toEqual(plain);
      }),
      { numRuns: 60 },
    );
  });

  it('moves out exactly the strings over 64 kB, each once', () => {
    const long = 'x'.repeat(blobThreshold + 1);
    expect(roundTrip({ a: 'x'.repeat(blobThreshold) }).packed).toBe(false);
    expect(roundTrip({ a: long, b: [long], c: 'short' }).blobs).toHaveLength(1);
    expect(roundTrip({ many: Array.from({ length: 20 }, () => 'y'.repeat(10_000)) }).packed).toBe(false);
  });
});

describe('the journal on SQLite', () => {
  it('keeps long values beside the events and gives them back', async () => {
    const store = await openTestStore();
    const goal = 'g'.repeat(blobThreshold + 1);
    await store.append('one', { id: 'a', events: [planCreated({ goal })], expectedSeq: 0 });
    await store.append('two', { id: 'a', events: [planCreated({ goal })], expectedSeq: 0 });
    const [stored] = await store.read('one', 0);
    expect((stored!.event as EventOf<'plan-created'>).plan.goal).toBe(goal);
    const raw = new DatabaseSync(`${store.dir}/planwright.db`, { readOnly: true });
    expect(raw.prepare('SELECT count(*) AS n FROM blobs').get()).toEqual({ n: 1 });
    expect(raw.prepare('SELECT max(length(body)) AS n FROM events').get()!['n']).toBeLessThan(1000);
    raw.close();
  });

  it('writes nothing of an append that fails', async () => {
    const store = await openTestStore({
      project: (row, { event }) => {
        if (event.type === 'cancel-requested') throw new Error('planted');
        return row;
      },
    });
    await store.append('run', { id: 'a', events: [planCreated()], expectedSeq: 0 });
    await expect(store.append('run', { id: 'b', events: [note(2), cancel(3)] })).rejects.toThrow('planted');
    expect(await store.read('run', 0)).toHaveLength(1);
    expect(await store.append('run', { id: 'b', events: [note(2)], expectedSeq: 1 })).toMatchObject({
      seq: 2,
      repeated: false,
    });
  });

  it('lets timers run during a long chain of appends', async () => {
    const store = await openTestStore();
    await store.append('run', { id: 'a', events: [planCreated()], expectedSeq: 0 });
    let ticked = false;
    setTimeout(() => {
      ticked = true;
    }, 1);
    for (let i = 0; !ticked; i++) {
      if (i > 20_000) throw new Error('the timer was starved');
      await store.append('run', { id: `n${i}`, events: [note(i)] });
    }
  });

  it('keeps appends of one process in order', async () => {
    const store = await openTestStore();
    await store.append('run', { id: 'a', events: [planCreated()], expectedSeq: 0 });
    const appends = Array.from({ length: 200 }, (_, i) =>
      store.append('run', { id: `n${i}`, events: [note(i)] }),
    );
    const seqs = (await Promise.all(appends)).map((appended) => appended.ok && appended.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => Number(a) - Number(b)));
  });
});

describe('listings', () => {
  it('follow the events in the same transaction', async () => {
    const store = await openTestStore();
    await store.append('run', { id: 'a', events: [planCreated({ at: 5, goal: 'tidy' })], expectedSeq: 0 });
    expect(await store.run('run')).toMatchObject({
      id: 'run',
      state: 'agreeing',
      goal: 'tidy',
      createdAt: 5,
    });
    await store.append('run', { id: 'b', events: [note(6), finished(7)] });
    expect(await store.run('run')).toMatchObject({ state: 'done', updatedAt: 7, endedAt: 7 });
    expect(await store.run('none')).toBeNull();
  });

  it('filter by state and workspace, newest first, page by page', async () => {
    const store = await openTestStore();
    for (let i = 0; i < 6; i++) {
      const workspace = i % 2 === 0 ? '/even' : '/odd';
      await store.append(`run-${i}`, {
        id: 'a',
        events: [planCreated({ at: 10 + Math.floor(i / 2), workspace })],
        expectedSeq: 0,
      });
      if (i < 2) await store.append(`run-${i}`, { id: 'b', events: [finished(20)] });
    }
    const ids = async (query: Parameters<typeof store.runs>[0]) =>
      (await store.runs(query)).map(({ id }) => id);
    expect(await ids({})).toEqual(['run-5', 'run-4', 'run-3', 'run-2', 'run-1', 'run-0']);
    expect(await ids({ state: 'done' })).toEqual(['run-1', 'run-0']);
    expect(await ids({ state: ['agreeing', 'done'], workspace: '/even' })).toEqual([
      'run-4',
      'run-2',
      'run-0',
    ]);
    const first = await store.runs({ limit: 2 });
    expect(await ids({ limit: 2, before: first[1]! })).toEqual(['run-3', 'run-2']);
  });

  it('find runs by the beginning of their id, taken literally', async () => {
    const store = await openTestStore();
    for (const id of ['abc', 'abd', 'a%c', 'b']) {
      await store.append(id, { id: 'a', events: [planCreated()], expectedSeq: 0 });
    }
    const ids = async (prefix: string) => (await store.findRuns(prefix)).map(({ id }) => id).sort();
    expect(await ids('ab')).toEqual(['abc', 'abd']);
    expect(await ids('a%')).toEqual(['a%c']);
    expect(await ids('abc')).toEqual(['abc']);
    expect(await ids('zz')).toEqual([]);
    expect(await ids('')).toHaveLength(4);
  });

  it('know which runs are due', async () => {
    const store = await openTestStore();
    const paused = (until: number): EventOf<'run-paused'> => ({
      v: 1,
      type: 'run-paused',
      at: 1,
      reason: 'paused',
      until,
    });
    for (const [id, until] of [
      ['late', 50],
      ['soon', 10],
      ['never', null],
    ] as const) {
      await store.append(id, { id: 'a', events: [planCreated()], expectedSeq: 0 });
      if (until !== null) await store.append(id, { id: 'b', events: [paused(until)] });
    }
    const ids = async (now: number) => (await store.dueRuns(now)).map(({ id }) => id);
    expect(await ids(9)).toEqual([]);
    expect(await ids(10)).toEqual(['soon']);
    expect(await ids(99)).toEqual(['soon', 'late']);
  });
});
