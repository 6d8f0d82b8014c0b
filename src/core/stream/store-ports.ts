import type { ModelRole, StoredEvent, StreamRow } from '../contract/index.ts';
import type { AnyEvent, Append, Appended, Journal } from './ports.ts';

/**
 * What a store is, port by port. Each is implemented on SQLite (and later on Postgres), and one conformance suite holds
 * for every implementation of every one of them. All are asynchronous, and throw nothing but a StoreError.
 */

/** Begins a stream: the only append that says of what kind it is. */
export interface Begin<E> {
  kind: string;
  append: Omit<Append<E>, 'expectedSeq' | 'epoch'>;
}

/**
 * How far a reader of everything has come. Opaque: only the store that gave it can read it. Whatever is committed after
 * it was given is told by a later call, at least once; between streams no order is promised, within one that of `seq`.
 */
export type Cursor = string;

export interface Streams<E extends AnyEvent = AnyEvent> extends Journal<E> {
  /** A conflict where the stream is there already. */
  begin(stream: string, begin: Begin<E>): Promise<Appended>;
  /** The name of its kind; null for an unknown stream. */
  kindOf(stream: string): Promise<string | null>;
  /** How far a stream goes; 0 for an unknown one. */
  lastSeq(stream: string): Promise<number>;
  /** Events after `afterSeq`, then each new one as it is written, until the signal aborts or the store is closed. */
  tail(stream: string, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent<E>>;
  cursor(): Promise<Cursor>;
  /** Which streams were written to after the cursor, and the cursor after that; `limit` counts appends. */
  changedSince(cursor: Cursor, limit: number): Promise<{ cursor: Cursor; streams: string[] }>;
  /** Resolves once any stream may have been written to after the cursor, or when the signal aborts. Never rejects. */
  changedAny(cursor: Cursor, signal: AbortSignal): Promise<void>;
}

export interface ListingQuery {
  kind?: string;
  state?: string | readonly string[];
  /** Streams of exactly this workspace. */
  workspace?: string;
  /** Streams in whose text every one of these words is, or whose id begins so. */
  text?: string;
  limit?: number;
  /** Older than this one: the last row of the page before. */
  before?: Pick<StreamRow, 'createdAt' | 'id'>;
}

export interface Listing {
  /** The newest first. */
  list<R extends StreamRow>(query?: ListingQuery): Promise<R[]>;
  row<R extends StreamRow>(stream: string): Promise<R | null>;
  /** Rows whose id begins so, the newest first, a handful at most. */
  withPrefix<R extends StreamRow>(prefix: string, kind?: string): Promise<R[]>;
  /**
   * What a driver has something to do for, the longest due first: unanswered requests, what goes on by itself, what was to
   * be woken, what waited for a stream that has ended. Not what a living driver holds: that one sees to it. `due` is
   * written in the transaction of the append that made it so.
   */
  due(before: number, limit: number): Promise<StreamRow[]>;
}

/** A stream that was found, and the line in which a word was. */
export interface Found<R> {
  row: R;
  found: string | null;
}

export interface Search {
  find<R extends StreamRow>(text: string, limit: number, kind?: string): Promise<Found<R>[]>;
  /** Streams of a kind and workspace in whose text any of the words is, the most alike first. */
  alike<R extends StreamRow>(
    words: readonly string[],
    query: { kind: string; workspace: string; limit: number },
  ): Promise<R[]>;
}

/** What an event says about a model's answers: whether one was good enough is often known only later, by its id. */
export type ModelNote =
  | { kind: 'tried'; id: string; model: string; role: ModelRole }
  | { kind: 'judged'; id: string; accepted: boolean; unless?: readonly ModelRole[] }
  | { kind: 'dropped'; id: string }
  | { kind: 'scored'; model: string; role: ModelRole; accepted: boolean };

/** The state of a stream as it was after an event, for those who would otherwise fold it from the beginning. */
export interface Snapshot {
  seq: number;
  state: unknown;
}

/** Kept aside, and never needed: a snapshot of another version than the reader's is thrown away. */
export interface Snapshots {
  load(stream: string, version: string): Promise<Snapshot | null>;
  save(stream: string, version: string, snapshot: Snapshot): Promise<void>;
}

/** What is known without being said: with a key that is the store's own and leaves it in no other way. */
export interface Sealing {
  /** A text that only this store can open again; the same value gives another each time. */
  seal(value: string): string;
  /** Null for what it has not sealed. */
  open(sealed: string): string | null;
  /** Names a value without telling it: equal values, equal names. */
  nameOf(value: string): string;
}
