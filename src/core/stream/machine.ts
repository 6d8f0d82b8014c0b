import type { StoredEvent } from '../contract/index.ts';
import type { Attention, Effect } from './effects.ts';
import type { Folder, PerformContext } from './ports.ts';

/**
 * A machine is four functions over one stream. `evolve`, `next` and `attend` are pure; `perform` touches the world
 * and resolves with the facts that came of it. `perform` never rejects on its own account; where it does
 * all the same, `crashed` turns the error into facts.
 */
export interface Machine<S, E, B, W> {
  initial: S;
  evolve(state: S, stored: Pick<StoredEvent<E>, 'seq' | 'event'>): S;
  next(state: S, now: number): Effect<B, W>;
  /** Asked while work is under way, at each event that others append: whether it goes on. */
  attend(state: S, work: W, now: number): Attention<B>;
  /**
   * The folder that nobody else may work in while this is done; null lets go of it, `as-is` needs none and keeps it. What
   * is the same object as the last time is held already.
   */
  holds(state: S, work: W): Folder | null | 'as-is';
  perform(work: W, context: PerformContext<B>): Promise<B[]>;
  /** Work to do beside whatever else is done, one at a time; nobody waits for it but work that `waitsForAside`. */
  aside?(state: S): W | null;
  waitsForAside?(work: W): boolean;
  /** A wait up to this long is sat out; left out, up to a minute. */
  residentMs?: number;
  /** Nothing more is written after these facts: what goes on beside is ended first. */
  ends?(facts: readonly B[]): boolean;
  crashed(work: W, error: unknown): B[];
  /** The facts that open an activation: from here on this driver's epoch is the one that counts. */
  claimed(epoch: number): B[];
  /** The newest epoch that the stream has seen: a driver whose own is older has been overtaken. */
  epochOf(state: S): number;
  /** Gives a fact its version and time. */
  stamp(body: B, at: number): E;
}
