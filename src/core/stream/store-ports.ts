import type {
  ClaimSeen,
  ModelRole,
  Scope,
  StoredEvent,
  StreamRow,
  WorkerReport,
  WorkerSeen,
  Workload,
} from '../contract/index.ts';
import type { Output } from './output-ports.ts';
import type { AnyEvent, Append, Appended, Claims, Journal } from './ports.ts';

/**
 * What a store is, port by port. Each is implemented on SQLite and on PostgreSQL, and one conformance suite holds
 * for every implementation of every one of them. All are asynchronous, and throw nothing but a StoreError.
 */

/** Begins a stream: the only append that says of what kind it is. */
export interface Begin<E> extends Pick<Append<E>, 'id' | 'events'> {
  kind: string;
}

/**
 * How far a reader of everything has come. Opaque: only the store that gave it can read it. Whatever is committed after
 * it was given is told by a later call, at least once; between streams no order is promised, within one that of `seq`.
 */
export type Cursor = string;

/** An append that ends a stream writes to those that wait for it too, in the same transaction: `childEnded` of their kind. */
export interface Streams<E extends AnyEvent = AnyEvent> extends Journal<E> {
  /** A conflict where the stream is there already. */
  begin(stream: string, begin: Begin<E>): Promise<Appended>;
  /** The name of its kind; null for an unknown stream. */
  kindOf(stream: string): Promise<string | null>;
  /** How far a stream goes; 0 for an unknown one. */
  lastSeq(stream: string): Promise<number>;
  /** The names of its appends and where each began, for another store to know them by. */
  appends(stream: string): Promise<ReadonlyMap<string, number>>;
  /**
   * Tells a stream from those that had its name before it and were removed: a number that is greater for the later one and
   * never used twice. 0 for an unknown stream.
   */
  incarnation(stream: string): Promise<number>;
  /**
   * What `read` gives, how far the stream goes, and which one of its name it is, all as of one moment. No events of a stream that
   * goes further than `unlessBeyond`.
   */
  readOf(stream: string, afterSeq: number, limit?: number, unlessBeyond?: number): Promise<ReadOf<E>>;
  /**
   * Events after `afterSeq`, then each new one as it is written, until the signal aborts, the store is closed, or the name means
   * another stream.
   */
  tail(stream: string, afterSeq: number, signal: AbortSignal): AsyncIterable<StoredEvent<E>>;
  /** Where to go on after this one; now, without one and for one that is not this store's. */
  cursor(after?: Cursor): Promise<Cursor>;
  /** Which streams were written to after the cursor, `limit` of them at most, and the cursor after that. */
  changedSince(cursor: Cursor, limit: number): Promise<{ cursor: Cursor; streams: string[] }>;
  /** Resolves once any stream may have been written to after the cursor, or when the signal aborts. Never rejects. */
  changedAny(cursor: Cursor, signal: AbortSignal): Promise<void>;
}

export interface ReadOf<E> {
  incarnation: number;
  last: number;
  events: StoredEvent<E>[];
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
  /** How many there are in each state, of all that fit. */
  countStates(query?: Pick<ListingQuery, 'kind' | 'workspace' | 'text'>): Promise<Record<string, number>>;
  row<R extends StreamRow>(stream: string): Promise<R | null>;
  /** Rows whose id begins so, the newest first, a handful at most. */
  withPrefix<R extends StreamRow>(prefix: string, kind?: string): Promise<R[]>;
  /**
   * What a driver has something to do for, the longest due first: unanswered requests, what goes on by itself, what was to
   * be woken. Not what a living driver holds: that one sees to it. `due` is written in the transaction of the append that
   * made it so.
   */
  due(before: number, limit: number): Promise<Due[]>;
}

/** No more than tells it from itself at another time: very many may be due, and whoever looks does so every second. */
export interface Due {
  id: string;
  /** How far it goes. */
  seq: number;
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

/** A fix that led to success, and how it has fared since. */
export interface FixRow {
  /** The same wherever it is kept. */
  id: string;
  /** `user`, or the real path of a workspace. */
  scope: string;
  /** The failures that it is for. */
  key: string;
  /** The fix as its owner understands it: JSON. */
  general: string;
  successes: number;
  /** Since the last success. */
  failures: number;
  /** When it last helped or did not. */
  at: number;
}

/** What has mended failures before. */
export interface Fixes {
  /** Those for this key, the one that helped most often first. */
  fixes(query: { scope?: string; key?: string }): Promise<FixRow[]>;
  /** Keeps a fix that led to success. The same one again counts as one more success. */
  keepFix(fix: Pick<FixRow, 'id' | 'scope' | 'key' | 'general'>): Promise<FixRow>;
  fixHelped(scope: string, id: string): Promise<void>;
  /** It did not help. At the `forgetAfter`th time in a row it is forgotten. */
  fixFailed(scope: string, id: string, forgetAfter: number): Promise<void>;
  /** How many were forgotten. */
  forgetFixes(query: { scope?: string; id?: string }): Promise<number>;
}

/** How often the answers of a model were good enough for what it was asked for. */
export interface ModelScore {
  /** `PROVIDER/MODEL`. */
  model: string;
  role: string;
  asked: number;
  accepted: number;
}

export interface Scores {
  /** Of all streams that there ever were, those that have been removed included. */
  modelScores(role?: ModelRole): Promise<ModelScore[]>;
}

/** The state of a stream as it was after an event, for those who would otherwise fold it from the beginning. */
export interface Snapshot {
  /** The one of that name which it is a snapshot of. */
  incarnation: number;
  seq: number;
  state: unknown;
}

/**
 * Kept aside, and never needed: a snapshot of another version than the reader's is thrown away, and one of a stream that
 * was removed is not kept.
 */
export interface Snapshots {
  load(stream: string, version: string): Promise<Snapshot | null>;
  save(stream: string, version: string, snapshot: Snapshot): Promise<void>;
}

export interface GcOptions {
  /** Streams that ended within so many days stay. */
  keepDays?: number;
  /** So many of each kind that ended last stay, however old they are. */
  keepLast?: number;
  /** Of those that have ended only these go, however young. */
  only?: readonly string[];
  /** These stay, however old: something that they started still lives. */
  spare?: readonly string[];
  /** Says what would be removed, and removes nothing. */
  dryRun?: boolean;
}

export interface GcResult {
  /** The streams removed, the one that ended first leading. */
  streams: string[];
  events: number;
  blobs: number;
  /** Bytes of events, blobs and output logs. */
  freedBytes: number;
}

export interface Retention {
  /**
   * Removes what has ended, and all that belongs to it. Never what has not ended, however old, nor what a living driver
   * holds.
   */
  gc(options?: GcOptions): Promise<GcResult>;
}

/** Who drives, and what there is to do, over all machines. */
export interface Workers {
  /** This process drives; said again before `silentMs` have passed. */
  report(worker: WorkerReport): Promise<void>;
  /** It drives no more. */
  leave(): Promise<void>;
  /** Those that were heard of last first; who is silent for an hour is forgotten. */
  list(): Promise<WorkerSeen[]>;
  claims(limit: number): Promise<ClaimSeen[]>;
  workload(query: { now: number; since: number }): Promise<Workload>;
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

/** What lets somebody in: a token that a program sends, the cookie of a page, or a code that makes one of those once. */
export interface Pass {
  /** Of the secret, which nobody keeps. */
  hash: string;
  kind: 'token' | 'page' | 'code';
  /** Who comes in by it, as the journal names them. */
  person: string;
  scope: Scope;
  madeAt: number;
  /** By the store's clock; null: until it is revoked. */
  until: number | null;
}

/** Passes hold for every server of the store alike, and from the moment on that they are kept. */
export interface Passes {
  /** Holds for so long; null: until it is revoked. False where there is a token of this person already: they have one. */
  keep(pass: Omit<Pass, 'madeAt' | 'until'>, forMs: number | null): Promise<boolean>;
  /** Null where it does not hold, or holds no longer. */
  find(hash: string): Promise<Pass | null>;
  /** A code, which holds no longer then: of several who take it at once, one gets it. */
  take(hash: string): Promise<Pass | null>;
  /** Those that hold and are no codes, by person; the oldest first. */
  list(): Promise<Pass[]>;
  /** All of a person, or one. How many there were. */
  revoke(which: { person: string } | { hash: string }): Promise<number>;
}

/** All of it. `E` is what the streams hold: the events of the kinds that it was opened with. */
export interface Store<E extends AnyEvent = AnyEvent>
  extends Streams<E>,
    Claims,
    Listing,
    Search,
    Fixes,
    Scores,
    Retention {
  /** Where it is, for people. */
  where: string;
  snapshots: Snapshots;
  workers: Workers;
  output: Output;
  sealing: Sealing;
  /** Loaded when it is first asked for. */
  passes(): Promise<Passes>;
  /** Reads everything and says what is damaged: nothing, where all is well. Slow on a large store. */
  check(): Promise<string[]>;
  /** Gives claims back, ends tails and waits. What is used afterwards throws `store-closed`. */
  close(): Promise<void>;
}
