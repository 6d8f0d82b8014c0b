import type { Scope, StoredEvent, StreamRow, TurnedAway } from '../contract/index.ts';
import type { Attention, Effect } from './effects.ts';
import type { AnyEvent } from './ports.ts';
import type { ModelNote } from './store-ports.ts';

/**
 * One kind of stream, as one value. Everything here is pure. Store, search, retention, drivers, tails, API, simulator and
 * crash suite take a kind as an argument, or find it by the name on a stream's row.
 */
export interface Kind<S, E extends AnyEvent, B, W, R extends StreamRow> extends KeptKind<S, E, R> {
  next(state: S, now: number): Effect<B, W>;
  attend(state: S, work: W, now: number): Attention<B>;
}

/** The part of a kind that keeping, listing and finding its streams needs: whoever only looks loads no more. */
export interface KeptKind<S, E extends AnyEvent, R extends StreamRow> {
  name: string;
  initial: S;
  /** The state after one more event. Total: never throws; what it does not know it notes and skips. */
  evolve(state: S, stored: Pick<StoredEvent<E>, 'seq' | 'event'>): S;
  /** The newest epoch that the stream has seen. */
  epochOf(state: S): number;
  /** The listing row after one more event; null until there is something to list. */
  project(row: R | null, stored: StoredEvent<E>): R | null;
  /** What a listing calls it, in one line. */
  titleOf(row: R): string;
  /** What the event adds to the text that the stream is found by; empty for nearly all. */
  textOf(event: E): string;
  isRequest(event: E): boolean;
  /** What is asked of a stream of this kind that is to end. */
  cancel: { type: string };
  /** What whoever writes this request must be allowed. */
  scopeOf(request: E): Scope;
  /**
   * What is written to a stream of this kind when the stream that its row awaits has ended: in the transaction that ended
   * it, or in the one that began to wait where it had ended before. The row awaits it no longer after that. Left out by
   * kinds that wait for none.
   */
  childEnded?(child: StreamRow, at: number): E;
  /** What is written where somebody who may not ask was turned away. Left out by kinds that keep no such thing. */
  turnedAway?(refusal: TurnedAway, at: number): E;
  /** What the event says about a model's answers. */
  noteOf(event: E): ModelNote | null;
  /** Left out by kinds whose streams have nothing of their own that must not be shown. */
  hides?: {
    /** As sealed by the store: they are opened by the filter alone. */
    sealedIn(state: S): readonly string[];
    /** Those that stand in the state. */
    secretsIn(state: S): readonly string[];
  };
}

/** A kind whose own types do not matter to whoever holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a table of kinds holds kinds of any type.
export type AnyKind = KeptKind<any, any, any>;

/** The kinds that a program knows, by name. */
export type Kinds = ReadonlyMap<string, AnyKind>;

export const kindsOf = (...kinds: AnyKind[]): Kinds => new Map(kinds.map((kind) => [kind.name, kind]));

/**
 * The row after one more event, with what is kept for every kind alike: which requests nobody has answered yet. An event
 * answers a request by naming its place in `answers`.
 */
export function projectRow<R extends StreamRow>(
  kind: Pick<AnyKind, 'project' | 'isRequest'>,
  row: R | null,
  stored: StoredEvent<AnyEvent & { answers?: number | undefined }>,
): R | null {
  const next: R | null = kind.project(row, stored);
  if (next === null) return null;
  const { seq, event } = stored;
  const before = row?.unanswered ?? [];
  if (kind.isRequest(event)) return { ...next, unanswered: [...before, { seq, at: event.at }] };
  const { answers } = event;
  const unanswered = answers === undefined ? before : before.filter((request) => request.seq !== answers);
  return next.unanswered === unanswered ? next : { ...next, unanswered };
}
