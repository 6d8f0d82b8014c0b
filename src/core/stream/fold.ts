import type { StoredEvent } from '../contract/index.ts';
import type { Kind } from './kind.ts';
import type { AnyEvent } from './ports.ts';
import type { Snapshots, Streams } from './store-ports.ts';

/** The state of a stream as it was after the event at `seq`. Never changed: what is newer is another one. */
export interface Folded<S> {
  state: S;
  seq: number;
}

/** A name may be given again after its stream was removed: what was folded holds for one of them. */
export interface FoldedOne<S> extends Folded<S> {
  incarnation: number;
}

/** One fold of each stream for everybody in this process: followers, drivers, views. */
export interface Folds<S> {
  /** As of the newest event; the initial state at 0 for an unknown stream. Costs by what is new since the last time. */
  at(stream: string): Promise<FoldedOne<S>>;
  /** Somebody has folded further: a driver, which folds what it writes. */
  offer(stream: string, folded: FoldedOne<S>): void;
  /** It has come to rest as it was offered last: whoever opens it next finds a snapshot, where it has grown enough. */
  keep(stream: string): void;
}

export interface FoldsOptions<S, E extends AnyEvent> {
  // biome-ignore lint/suspicious/noExplicitAny: what the kind does besides folding does not matter here.
  kind: Pick<Kind<S, E, any, any, any>, 'initial' | 'evolve'>;
  streams: Pick<Streams<E>, 'readOf'>;
  snapshots: Snapshots;
  /** Names the fold's own source: a snapshot of another one may say anything. Asked for long streams only. */
  version(): string;
  /** After so many events a snapshot is worth its write. */
  every?: number;
  /** Lets others have their turn between two parts of a long stream. */
  breathe?(): Promise<void>;
}

const defaultEvery = 1000;
/** A long stream is folded in parts of so many events. */
const part = 1000;
/** How much is remembered, in events: a long stream weighs as much as many short ones. */
const keptEvents = 200_000;

interface Known<S> {
  folded: FoldedOne<S>;
  /** Where the newest snapshot is. */
  saved: number;
}

/** The state at the newest event is a snapshot and the events after it, or else all of them. */
export function createFolds<S, E extends AnyEvent>(options: FoldsOptions<S, E>): Folds<S> {
  const { kind, streams, snapshots, version, every = defaultEvery, breathe } = options;
  const known = new Map<string, Known<S>>();
  let weight = 0;

  const forget = (stream: string): void => {
    weight -= known.get(stream)?.folded.seq ?? 0;
    known.delete(stream);
  };
  const remember = (stream: string, now: Known<S>): Known<S> => {
    const before = known.get(stream);
    const isLate = before !== undefined && isNewer(before.folded, now.folded);
    const isSame = before?.folded.incarnation === now.folded.incarnation;
    const kept = {
      folded: isLate ? before.folded : now.folded,
      saved: isSame ? Math.max(now.saved, before.saved) : (isLate ? before : now).saved,
    };
    forget(stream);
    known.set(stream, kept);
    weight += kept.folded.seq;
    while (weight > keptEvents && known.size > 1) forget(known.keys().next().value!);
    return kept;
  };

  /** A short stream is read by the question how long it is. */
  async function open(stream: string): Promise<Known<S> & { isNewest: boolean }> {
    const { incarnation, last, events } = await streams.readOf(stream, 0, part, Math.min(part, every));
    const snapshot = last > every ? await snapshots.load(stream, version()) : null;
    if (snapshot !== null)
      return { folded: { ...snapshot, state: snapshot.state as S }, saved: snapshot.seq, isNewest: false };
    const folded = foldAll({ state: kind.initial, seq: 0, incarnation }, events);
    return { folded, saved: 0, isNewest: folded.seq === last };
  }

  const foldAll = (from: FoldedOne<S>, events: readonly StoredEvent<E>[]): FoldedOne<S> => {
    const seq = events.at(-1)?.seq;
    if (seq === undefined) return from;
    return {
      ...from,
      state: events.reduce((before, stored) => kind.evolve(before, stored), from.state),
      seq,
    };
  };

  /** A snapshot that cannot be written is one that somebody else makes later. */
  const save = (stream: string, { folded }: Known<S>): void => {
    remember(stream, { folded, saved: folded.seq });
    snapshots.save(stream, version(), folded).catch(() => {});
  };

  const saveGrown = (stream: string, now: Known<S>): void => {
    if (now.folded.seq - now.saved > every) save(stream, now);
  };

  /** All that is new, or null where the name means another stream by now. */
  async function foldOn(stream: string, { folded }: Known<S>): Promise<FoldedOne<S> | null> {
    const { incarnation } = folded;
    for (let now = folded; ; await breathe?.()) {
      const read = await streams.readOf(stream, now.seq, part);
      if (read.incarnation !== incarnation) return null;
      now = foldAll(now, read.events);
      if (read.events.length < part) return now;
    }
  }

  async function at(stream: string): Promise<FoldedOne<S>> {
    const from = known.get(stream) ?? (await open(stream));
    const folded = 'isNewest' in from && from.isNewest ? from.folded : await foldOn(stream, from);
    if (folded === null) {
      forget(stream);
      return at(stream);
    }
    if (folded.seq === 0) return folded;
    const now = remember(stream, { folded, saved: from.saved });
    saveGrown(stream, now);
    return now.folded;
  }

  /** Streams that are being folded from their beginning: whoever else wants one waits, and folds what is newer. */
  const opening = new Map<string, Promise<unknown>>();

  return {
    async at(stream) {
      while (opening.has(stream)) await opening.get(stream);
      if (known.has(stream)) return at(stream);
      const folding = at(stream);
      const done = folding.then(
        () => opening.delete(stream),
        () => opening.delete(stream),
      );
      opening.set(stream, done);
      return folding;
    },
    offer: (stream, folded) => void remember(stream, { folded, saved: 0 }),
    keep(stream) {
      const now = known.get(stream);
      if (now !== undefined) saveGrown(stream, now);
    },
  };
}

const isNewer = (one: FoldedOne<unknown>, other: FoldedOne<unknown>): boolean =>
  one.incarnation === other.incarnation ? one.seq > other.seq : one.incarnation > other.incarnation;
