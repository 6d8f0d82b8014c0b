import { describe, expect, it } from 'vitest';
import { type ToyEvent, type ToyState, toyKind } from '../../../test/support/toy-kind.ts';
import type { StoredEvent } from '../contract/index.ts';
import { createFolds } from './fold.ts';
import type { Snapshot } from './store-ports.ts';

/** A stream in memory that counts what is read of it, and a place for one snapshot. */
function world(length: number) {
  const events: StoredEvent<ToyEvent>[] = [];
  const add = (count: number) => {
    for (let n = 0; n < count; n++) {
      const seq = events.length + 1;
      const event: ToyEvent =
        seq === 1
          ? { v: 1, at: 1, type: 'toy-begun', target: 9 }
          : { v: 1, at: seq, type: 'counted', n: seq };
      events.push({ stream: 's', seq, event });
    }
  };
  add(length);
  const kept = new Map<string, Snapshot>();
  const counts = { folded: 0, loads: 0, saves: 0, reads: 0, breaths: 0, asked: 0 };
  const one = { incarnation: 1 };
  /** What others do before the next read. */
  const meanwhile: (() => void)[] = [];
  let begun = 1;
  /** Removes the stream, and begins another under its name. */
  const anew = (count: number) => {
    events.length = 0;
    begun += 1;
    one.incarnation = count === 0 ? 0 : begun;
    add(count);
  };
  const open = (version = 'v1', every = 10) =>
    createFolds<ToyState, ToyEvent>({
      kind: {
        initial: toyKind.initial,
        evolve(state, stored) {
          counts.folded += 1;
          return toyKind.evolve(state, stored);
        },
      },
      streams: {
        async readOf(_, after, limit = Number.POSITIVE_INFINITY, unlessBeyond = Number.POSITIVE_INFINITY) {
          const head = { incarnation: one.incarnation, last: events.length };
          counts.asked += 1;
          if (limit === 0 || head.last > unlessBeyond) return { ...head, events: [] };
          meanwhile.pop()?.();
          counts.reads += 1;
          return {
            incarnation: one.incarnation,
            last: events.length,
            events: events.slice(after, after + limit),
          };
        },
      },
      snapshots: {
        async load(_, wanted) {
          counts.loads += 1;
          return kept.get(wanted) ?? null;
        },
        async save(_, saved, snapshot) {
          counts.saves += 1;
          kept.clear();
          kept.set(saved, JSON.parse(JSON.stringify(snapshot)));
        },
      },
      version: () => version,
      every,
      breathe: async () => {
        counts.breaths += 1;
      },
    });
  const whole = () =>
    events.reduce<ToyState>((state, stored) => toyKind.evolve(state, stored), toyKind.initial);
  return { events, add, anew, meanwhile, kept, counts, open, whole };
}

describe('a fold', () => {
  it('of a short stream is opened by one question', async () => {
    const { counts, open, whole } = world(8);
    expect(await open().at('s')).toEqual({ state: whole(), seq: 8, incarnation: 1 });
    expect(counts.asked).toBe(1);
  });

  it('is folded once, whoever asks, and then costs by what is new', async () => {
    const { add, counts, open, whole } = world(8);
    const folds = open();
    const first = await folds.at('s');
    expect(await folds.at('s')).toBe(first);
    expect(counts.folded).toBe(8);
    add(1);
    expect(await folds.at('s')).toEqual({ incarnation: 1, seq: 9, state: whole() });
    expect(counts.folded).toBe(9);
  });

  it('of a very long stream is made in parts, and others have their turn between them', async () => {
    const { counts, open, whole } = world(2500);
    expect(await open('v1', 10_000).at('s')).toEqual({ incarnation: 1, seq: 2500, state: whole() });
    expect(counts).toMatchObject({ folded: 2500, reads: 3, breaths: 2 });
  });

  it('that several want at once is made once, where nobody knows the stream yet', async () => {
    const { counts, open } = world(2500);
    const folds = open('v1', 10_000);
    const all = await Promise.all([folds.at('s'), folds.at('s'), folds.at('s')]);
    expect(new Set(all.map(({ seq }) => seq))).toEqual(new Set([2500]));
    expect(counts.folded).toBe(2500);
  });

  it('that is begun anew between two parts is that of the new one', async () => {
    const { counts, open, anew, meanwhile, whole } = world(1500);
    meanwhile.push(
      () => anew(3),
      () => {},
    );
    expect(await open('v1', 10_000).at('s')).toEqual({ incarnation: 2, seq: 3, state: whole() });
    expect(counts.breaths).toBe(1);
  });

  it('goes on from what a driver folded, and never back', async () => {
    const { add, counts, open, whole } = world(5);
    const folds = open();
    const old = await folds.at('s');
    add(2);
    folds.offer('s', { incarnation: 1, seq: 7, state: whole() });
    folds.offer('s', old);
    expect(await folds.at('s')).toEqual({ incarnation: 1, seq: 7, state: whole() });
    expect(counts.folded).toBe(5);
  });

  it('of a short stream needs no snapshot, and asks for none', async () => {
    const { counts, open } = world(9);
    await open().at('s');
    expect(counts).toMatchObject({ loads: 0, saves: 0 });
  });

  it('of a long one is opened from a snapshot: it costs by what came after', async () => {
    const { add, counts, open, whole } = world(25);
    await open().at('s');
    expect(counts).toMatchObject({ folded: 25, saves: 1 });
    add(3);
    counts.folded = 0;
    const folds = open();
    expect(await folds.at('s')).toEqual({ incarnation: 1, seq: 28, state: whole() });
    expect(counts).toMatchObject({ folded: 3, saves: 1 });
    add(8);
    await folds.at('s');
    expect(counts.saves).toBe(2);
  });

  it('throws away a snapshot of another version, whatever it says', async () => {
    const { counts, kept, open, whole } = world(25);
    kept.set('v0', { incarnation: 1, seq: 20, state: { ...toyKind.initial, counted: 4711 } });
    expect(await open('v1').at('s')).toEqual({ incarnation: 1, seq: 25, state: whole() });
    expect(counts.folded).toBe(25);
    expect([...kept.keys()]).toEqual(['v1']);
  });

  it.each([2, 8, 15])(
    'of a stream that was removed and begun anew with %i events is that of the new one',
    async (n) => {
      const { events, anew, open, whole } = world(8);
      const folds = open();
      const old = await folds.at('s');
      anew(0);
      expect(await folds.at('s')).toEqual({ incarnation: 0, seq: 0, state: toyKind.initial });
      folds.offer('s', old);
      anew(n);
      events[0]!.event = { v: 1, at: 1, type: 'toy-begun', target: 4711 };
      expect(await folds.at('s')).toEqual({ incarnation: 3, seq: n, state: whole() });
    },
  );

  it('is never that of an earlier stream of the name, however late a driver or a reader comes', async () => {
    const { anew, kept, open, whole } = world(25);
    const folds = open();
    const old = await folds.at('s');
    expect(kept.get('v1')).toMatchObject({ incarnation: 1, seq: 25 });
    kept.clear();
    anew(27);
    expect(await folds.at('s')).toEqual({ incarnation: 2, seq: 27, state: whole() });
    expect(kept.get('v1')).toMatchObject({ incarnation: 2, seq: 27 });
    folds.offer('s', { ...old, seq: 99 });
    expect(await folds.at('s')).toEqual({ incarnation: 2, seq: 27, state: whole() });
  });

  it('is that of what was read, though it was removed and begun anew in the middle of that', async () => {
    const { anew, meanwhile, open, whole } = world(8);
    const folds = open();
    await folds.at('s');
    meanwhile.push(() => anew(9));
    expect(await folds.at('s')).toEqual({ incarnation: 2, seq: 9, state: whole() });
  });
});
