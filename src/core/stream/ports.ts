import type { Driver, ModelCall, ModelCallEnd, ModelHop, StoredEvent } from '../contract/index.ts';

/** Time, as an argument. Tests and the simulator have their own. */
export interface Clock {
  now(): number;
  /** Resolves at `until` (milliseconds since the epoch) or when the signal aborts; never rejects. */
  sleepUntil(until: number, signal: AbortSignal): Promise<void>;
}

/** What every event of every kind has. */
export interface AnyEvent {
  v: number;
  type: string;
  at: number;
}

export interface Append<E> {
  /** Names this append. The same id again on the same stream writes nothing and answers as the first did. */
  id: string;
  events: E[];
  /** The stream's last sequence number as the writer knows it. Given for intents, left out for outcomes and requests. */
  expectedSeq?: number;
  /** The writer's claim. A driver always gives it; a request never does. */
  epoch?: number;
  /**
   * It tells of processes, which end with the machine: durable whatever ends this process, but a power cut may take it,
   * and with it nothing that was appended before. Left out, it is on the disk when the promise resolves.
   */
  ofThisBoot?: boolean;
}

export type Appended =
  /** `seq` is the first event's place; the rest follow without a gap. `repeated`: it had been written before. */
  | { ok: true; seq: number; repeated: boolean }
  /** Somebody else wrote first: read, fold, ask `next` again. */
  | { ok: false; why: 'conflict' }
  /** Another driver has taken the stream: stop writing, end what you started. */
  | { ok: false; why: 'stale' };

/**
 * An append-only list of events for each stream. An append is durable when its promise resolves, and whole
 * or not at all. Throws only a StoreError (disk full, database damaged), never for a conflict. An error with
 * `retryable: true` says that the answer was lost: the same append, by its id, may be sent again.
 */
export interface Journal<E> {
  append(stream: string, append: Append<E>): Promise<Appended>;
  /** Events after `afterSeq` in order, at most `limit` of them. An unknown stream has none. */
  read(stream: string, afterSeq: number, limit?: number): Promise<StoredEvent<E>[]>;
  /** Resolves once the stream may hold an event after `afterSeq`, or when the signal aborts. Never rejects. */
  changed(stream: string, afterSeq: number, signal: AbortSignal): Promise<void>;
}

/** The right to drive one stream. Whoever holds the newest epoch may write; all others are refused. */
export interface Claim {
  stream: string;
  epoch: number;
  /** Aborts when the claim was lost or could not be renewed for half its time-to-live. */
  lost: AbortSignal;
  /**
   * Takes a folder for this stream alone (overlaps included) and lets go of the one it had; null lets go only.
   * Holding what is held already costs nothing.
   */
  hold(folder: Folder | null): Promise<HoldResult>;
  /** Gives the stream and its folder back. Never throws. */
  release(): Promise<void>;
}

/** A folder on one machine, as claims compare it. */
export interface Folder {
  host: string;
  /** A real path. */
  path: string;
  /** The linked worktree of git that it lies in: worktrees of one repository do not lock each other, wherever they are. */
  worktree?: string | undefined;
}

export type HoldResult =
  | { ok: true }
  /** Another stream works in this folder, in one above it or in one below it. */
  | { ok: false; why: 'workspace-busy'; by: Driver; stream: string }
  /** The stream itself is another's by now. */
  | { ok: false; why: 'lost' };

export type ClaimResult =
  | { ok: true; claim: Claim }
  | { ok: false; why: 'claimed'; by: Driver }
  /** As many as may be are driven, by whomever. */
  | { ok: false; why: 'full' };

/** So many streams of a kind are driven at the same time, at most, over all machines. */
export interface AtOnce {
  kind: string;
  most: number;
}

export interface Claims {
  /** Takes the stream, unless a living driver has it. Who is alive is judged by the store's clock. */
  claim(stream: string, atOnce?: AtOnce): Promise<ClaimResult>;
  /** Those of the streams that no living driver has, and when their last was heard of; null where that is not known. */
  silent(streams: readonly string[]): Promise<Map<string, number | null>>;
}

/** Where every model call is written down before it is sent, and what came of it after. */
export interface CallLedger {
  /** The stream that it belongs to; left out, none. */
  readonly stream?: string;
  /**
   * Nobody is there who could do better than wait: a rate limit is waited for, until this time at most; null: as long
   * as makes sense. Left out, it is told at once.
   */
  readonly patience?: { readonly until: number | null };
  /**
   * Must be awaited before a call is sent. Checks the limits with its worst case, and keeps that reserved until the
   * call is settled: for ever, where it never is. On a refusal the call must not be sent.
   */
  reserve(call: ModelCall): Promise<{ ok: true } | { ok: false; why: 'limit' | 'lost'; message: string }>;
  settle(end: ModelCallEnd): Promise<void>;
  fellBack(hop: ModelHop): Promise<void>;
}

/** What a machine's `perform` is given besides its work. */
export interface PerformContext<B> {
  signal: AbortSignal;
  epoch: number;
  /** Appends facts in the middle of an effect. Resolves false where the claim is lost. */
  record(facts: B[], options?: Pick<Append<B>, 'ofThisBoot'>): Promise<boolean>;
}
