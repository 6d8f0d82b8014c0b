import { z } from 'zod';

/** The process that drives a stream, named so that it can be told from a later one with the same pid. */
export const Driver = z.strictObject({ pid: z.int(), host: z.string(), boot: z.string() });
export type Driver = z.infer<typeof Driver>;

/** An event at its place in a stream. `seq` counts from 1 without a gap. */
export interface Stored<E> {
  stream: string;
  seq: number;
  event: E;
}

export interface Pending<Q> {
  seq: number;
  request: Q;
}

/** What the state of every kind has. */
export interface StreamState<Q> {
  /** The last event folded in, known or not. */
  seq: number;
  updatedAt: number;
  /** When a driver last wrote. What people ask of a stream is no sign that anybody drives it. */
  heardAt: number;
  /** The newest claim that the stream has seen, and whose it is. */
  epoch: number;
  driver: Driver | null;
  /** Requests that no fact has answered yet, oldest first. */
  inbox: readonly Pending<Q>[];
  /** Events that this version cannot read, or that do not fit: a driver refuses such a stream. */
  unreadable: readonly string[];
}

export const freshStream: StreamState<never> = {
  seq: 0,
  updatedAt: 0,
  heardAt: 0,
  epoch: 0,
  driver: null,
  inbox: [],
  unreadable: [],
};

interface Anything {
  v: number;
  type: string;
  at: number;
}

/** What a kind says of its events. `apply` is asked about facts that are known, and about nothing else. */
export interface Folding<S, E, Q extends E> {
  isKnown(event: E): boolean;
  isRequest(event: E): event is Q;
  /** `lastAt`: when the fact before it was written. */
  apply(state: S, fact: Exclude<E, Q>, lastAt: number): S;
}

/**
 * The state after one more event, with what is the same for every kind: a request goes into the inbox until a fact
 * answers it, and what cannot be read is noted and skipped. Total where `apply` is.
 */
export function evolveStream<S extends StreamState<Q>, E extends Anything, Q extends E>(
  state: S,
  { seq, event }: Pick<Stored<E>, 'seq' | 'event'>,
  { isKnown, isRequest, apply }: Folding<S, E, Q>,
): S {
  if (!isKnown(event)) {
    return { ...state, seq, unreadable: [...state.unreadable, `${event.type} v${event.v}`] };
  }
  if (isRequest(event)) {
    return { ...state, seq, updatedAt: event.at, inbox: [...state.inbox, { seq, request: event }] };
  }
  const answered = 'answers' in event ? event.answers : undefined;
  const inbox =
    answered === undefined || state.inbox.length === 0
      ? state.inbox
      : state.inbox.filter((pending) => pending.seq !== answered);
  const { at } = event;
  return apply({ ...state, seq, inbox, updatedAt: at, heardAt: at }, event as Exclude<E, Q>, state.heardAt);
}
