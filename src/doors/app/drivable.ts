import type { Driver } from '../../core/contract/index.ts';
import type { AnyKind, Children, Machine, RestReason } from '../../core/stream/index.ts';
import type { Asker } from './asker.ts';

/** How an activation ended. The last ones mean that this process could not or did not go on. */
export interface Rested<S = unknown> {
  why: RestReason | 'lost' | 'stopped' | 'claimed' | 'full';
  state: S;
  /** The last event that was looked at. */
  seq: number;
  wakeAt: number | null;
  /** Who has the stream or its folder. */
  by?: Driver;
  /** The stream that works in this folder. */
  busyWith?: string;
}

/** A kind that this program can drive, and how a stream of it is driven. */
export interface Drivable {
  kind: AnyKind;
  /** Names the source of its fold; where it is left out, no snapshots are kept. */
  foldVersion?(): string;
  /** Of one activation; closed when it has come to rest. */
  open(id: string, state: unknown, children: Children): Promise<OpenedMachine>;
}

export interface OpenedMachine {
  // biome-ignore lint/suspicious/noExplicitAny: its types are those of its kind.
  machine: Machine<any, any, any, any>;
  close(): Promise<void>;
}

/** A request as somebody makes it; the store adds nothing but its place in the stream. */
export interface Asking {
  by: Asker;
  /** The same key twice is one request. */
  key?: string;
}

/** `mostRuns`: so many runs are driven at the same time, at most. */
export type HowDriven = { signal?: AbortSignal; mostRuns?: number | null };
