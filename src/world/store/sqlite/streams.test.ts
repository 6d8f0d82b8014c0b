import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ToyEvent, toyKind } from '../../../../test/support/toy-kind.ts';
import { kindsOf } from '../../../core/stream/index.ts';
import { blobThreshold, pack, unpack } from '../blobs.ts';
import { asked, awaits, begin, begun, ended, note, openTestStore } from '../test-support.ts';

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
  it('ends no stream without telling those that wait for it', async () => {
    const store = await openTestStore();
    await begin(store, 'child');
    await begin(store, 'parent', begun(), awaits(2, 'child'));
    const raw = new DatabaseSync(`${store.where}/planwright.db`);
    raw.exec(`CREATE TRIGGER fails BEFORE UPDATE ON streams WHEN NEW.name = 'parent'
      BEGIN SELECT RAISE(ABORT, 'planted'); END`);
    const end = { id: 'e', events: [ended(9)] };
    await expect(store.append('child', end)).rejects.toThrow();
    expect([await store.lastSeq('child'), await store.lastSeq('parent')]).toEqual([1, 2]);
    expect(await store.row('child')).toMatchObject({ endedAt: null });
    raw.exec('DROP TRIGGER fails');
    raw.close();
    expect(await store.append('child', end)).toEqual({ ok: true, seq: 2, repeated: false });
    expect(await store.lastSeq('parent')).toBe(3);
  });

  it('keeps long values beside the events and gives them back', async () => {
    const store = await openTestStore();
    const name = 'g'.repeat(blobThreshold + 1);
    await begin(store, 'one', begun({ name }));
    await begin(store, 'two', begun({ name }));
    expect((await store.read('one', 0))[0]!.event).toMatchObject({ name });
    const raw = new DatabaseSync(`${store.where}/planwright.db`, { readOnly: true });
    expect(raw.prepare('SELECT count(*) AS n FROM blobs').get()).toEqual({ n: 1 });
    expect(raw.prepare('SELECT max(length(body)) AS n FROM events').get()!['n']).toBeLessThan(1000);
    raw.close();
  });

  it('writes nothing of an append that fails', async () => {
    const textOf = ({ type }: ToyEvent) => {
      if (type === 'add-requested') throw new Error('planted');
      return '';
    };
    const store = await openTestStore({ kinds: kindsOf({ ...toyKind, textOf }) });
    await begin(store);
    await expect(store.append('run', { id: 'b', events: [note(2), asked(3)] })).rejects.toThrow('planted');
    expect(await store.read('run', 0)).toHaveLength(1);
    expect(await store.append('run', { id: 'b', events: [note(2)], expectedSeq: 1 })).toMatchObject({
      seq: 2,
      repeated: false,
    });
  });

  it('lets timers run during a long chain of appends', async () => {
    const store = await openTestStore();
    await begin(store);
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
    await begin(store);
    const appends = Array.from({ length: 200 }, (_, i) =>
      store.append('run', { id: `n${i}`, events: [note(i)] }),
    );
    const seqs = (await Promise.all(appends)).map((appended) => appended.ok && appended.seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => Number(a) - Number(b)));
  });
});
