import type { Kind } from './kind.ts';
import type { AnyEvent } from './ports.ts';
import type { Snapshots, Streams } from './store-ports.ts';

/** The state of a stream as it was after the event at `seq`. Never changed: what is newer is another one. */
export interface Folded<S> {
  state: S;
  seq: number;
}

/** One fold of each stream for everybody in this process: followers, drivers, views. */
export interface Folds<S> {
  /** As of the newest event; the initial state at 0 for an unknown stream. Costs by what is new since the last time. */
  at(stream: string): Promise<Folded<S>>;
  /** Somebody has folded further: a driver, which folds what it writes. */
  offer(stream: string, folded: Folded<S>): void;
}

export interface FoldsOptions<S, E extends AnyEvent> {
  // biome-ignore lint/suspicious/noExplicitAny: what the kind does besides folding does not matter here.
  kind: Pick<Kind<S, E, any, any, any>, 'initial' | 'evolve'>;
  streams: Pick<Streams<E>, 'read' | 'lastSeq'>;
  snapshots: Snapshots;
  /** Names the fold's own source: a snapshot of another one may say anything. Asked for long streams only. */
  version(): string;
  /** After so many events a snapshot is worth its write. */
  every?: number;
}

const defaultEvery = 1000;
/** How much is remembered, in events: a long stream weighs as much as many short ones. */
const keptEvents = 200_000;

interface Known<S> {
  folded: Folded<S>;
  /** Where the newest snapshot is. */
  saved: number;
}

/** The state at the newest event is a snapshot and the events after it, or else all of them. */
export function createFolds<S, E extends AnyEvent>(options: FoldsOptions<S, E>): Folds<S> {
  const { kind, streams, snapshots, version, every = defaultEvery } = options;
  const known = new Map<string, Known<S>>();
  let weight = 0;

  const forget = (stream: string): void => {
    weight -= known.get(stream)?.folded.seq ?? 0;
    known.delete(stream);
  };
  const remember = (stream: string, { folded, saved }: Known<S>): Known<S> => {
    const before = known.get(stream);
    const newest = before !== undefined && before.folded.seq > folded.seq ? before.folded : folded;
    const kept = { folded: newest, saved: Math.max(saved, before?.saved ?? 0) };
    forget(stream);
    known.set(stream, kept);
    weight += newest.seq;
    while (weight > keptEvents && known.size > 1) forget(known.keys().next().value!);
    return kept;
  };

  async function open(stream: string): Promise<Known<S>> {
    const isLong = (await streams.lastSeq(stream)) > every;
    const snapshot = isLong ? await snapshots.load(stream, version()) : null;
    if (snapshot === null) return { folded: { state: kind.initial, seq: 0 }, saved: 0 };
    return { folded: { state: snapshot.state as S, seq: snapshot.seq }, saved: snapshot.seq };
  }

  /** A snapshot that cannot be written is one that somebody else makes later. */
  const save = (stream: string, { folded }: Known<S>): void => {
    remember(stream, { folded, saved: folded.seq });
    snapshots.save(stream, version(), folded).catch(() => {});
  };

  return {
    async at(stream) {
      const from = known.get(stream) ?? (await open(stream));
      const { seq } = from.folded;
      const events = await streams.read(stream, seq);
      if (events.length === 0 && seq > 0 && (await streams.lastSeq(stream)) < seq) {
        // It has been removed, and perhaps begun anew.
        forget(stream);
        return this.at(stream);
      }
      const last = events.at(-1)?.seq ?? 0;
      if (seq === 0 && last === 0) return from.folded;
      const folded =
        last === 0
          ? from.folded
          : {
              state: events.reduce((before, stored) => kind.evolve(before, stored), from.folded.state),
              seq: last,
            };
      const now = remember(stream, { folded, saved: from.saved });
      if (now.folded.seq - now.saved > every) save(stream, now);
      return now.folded;
    },
    offer: (stream, folded) => void remember(stream, { folded, saved: 0 }),
  };
}
