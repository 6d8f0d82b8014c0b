import { setImmediate as turn } from 'node:timers/promises';
import type {
  AtOnce,
  Claim,
  ClaimResult,
  Claims,
  Clock,
  Folder,
  HoldResult,
} from '../../core/stream/index.ts';
import { isSameFolder } from './claim-rules.ts';

/** A stream as this process has taken it. */
export interface TakenStream {
  /** Its incarnation. */
  id: number;
  epoch: number;
}

/** What is written of claims, each call in one transaction. All times are those of the store's clock. */
export interface ClaimRecords extends Pick<Claims, 'silent'> {
  /** Takes the stream unless a living process has it; with `beats`, a heartbeat goes with it. */
  take(
    stream: string,
    beats: boolean,
    atOnce?: AtOnce,
  ): Promise<TakenStream | Extract<ClaimResult, { ok: false }>>;
  hold(claim: TakenStream, folder: Folder | null): Promise<HoldResult>;
  /** Lets go of those that are still ours. */
  drop(claims: readonly TakenStream[]): Promise<void>;
  /** This process lives; and lets go of these. */
  beat(released: readonly TakenStream[]): Promise<void>;
  /** Those that are not ours any more. */
  taken<T extends TakenStream>(claims: readonly T[]): Promise<T[]>;
  /** This process holds nothing any more, these the last. */
  leave(claims: readonly TakenStream[]): Promise<void>;
}

export interface ClaimingOptions {
  clock: Clock;
  ttlMs: number;
  /** Has the claims looked at when others have written, until the function returned is called. */
  keepOn(): () => void;
}

/** The claims of one process. */
export interface Claiming extends Claims {
  /** Others have written: maybe they took what was held here. */
  look(): void;
  /** Gives everything back and stops the heartbeat. Never throws. */
  close(): Promise<void>;
}

interface Held extends TakenStream {
  stream: string;
  lost: AbortController;
  /** Undefined while nobody knows: what was asked for has no answer, or none came. */
  folder: Folder | null | undefined;
}

/**
 * Who may drive a stream, on every store. The life of a claim:
 *
 *   free ──claim──▶ held ──release──▶ free
 *                    │
 *                    ├── its owner is dead, or silent for ttl: the next claimer takes it, epoch + 1
 *                    └── its owner cannot renew for ttl/2: it gives up by itself (`lost`), before anybody
 *                        may take it
 *
 * One heartbeat row a process, renewed every ttl/6 while it holds anything. Whether it could be renewed is judged by this
 * process's own clock, from before the renewal was sent: the store's may only be later.
 */
export function createClaiming(records: ClaimRecords, { clock, ttlMs, keepOn }: ClaimingOptions): Claiming {
  const held = new Map<string, Held>();
  /** Claims whose release could not be written: tried again at each beat. */
  const unreleased = new Set<Held>();
  const stopping = new AbortController();
  let lastBeat = 0;
  let isBeating = false;
  let mayHold = false;
  /** How often others were said to have written. */
  let told = 0;

  const lose = (claims: Iterable<Held>, why: string): void => {
    for (const claim of claims) {
      if (held.get(claim.stream) === claim) held.delete(claim.stream);
      claim.lost.abort(new Error(why));
    }
  };
  /** Listeners of `lost` run outside any transaction. */
  const look = (): void => {
    if (held.size === 0) return;
    records.taken([...held.values()]).then(
      (taken) => lose(taken, 'another driver has taken the stream'),
      () => {},
    );
  };

  async function hold(claim: Held, folder: Folder | null): Promise<HoldResult> {
    if (claim.folder !== undefined && isSameFolder(claim.folder, folder)) return { ok: true };
    claim.folder = undefined;
    const result = await records.hold(claim, folder);
    claim.folder = result.ok ? folder : null;
    return result;
  }

  async function renew(): Promise<void> {
    const now = clock.now();
    const released = [...unreleased];
    await records.beat(released);
    lastBeat = now;
    for (const claim of released) unreleased.delete(claim);
    look();
  }

  async function keepBeating(): Promise<void> {
    if (isBeating) return;
    isBeating = true;
    const letGo = keepOn();
    let renewing: Promise<void> | undefined;
    // What was taken may have had to wait for its answer, and the beat before it is as old as that.
    let next = lastBeat + ttlMs / 6;
    while (held.size + unreleased.size > 0) {
      await clock.sleepUntil(next, stopping.signal);
      if (stopping.signal.aborted) break;
      renewing ??= renew()
        .catch(() => {})
        .finally(() => {
          renewing = undefined;
        });
      // A renewal that has to wait for the store must not delay giving up.
      await Promise.race([renewing, turn()]);
      if (clock.now() - lastBeat >= ttlMs / 2) lose(held.values(), 'the claim could not be renewed');
      next = clock.now() + ttlMs / 6;
    }
    letGo();
    isBeating = false;
  }

  /** Also for a claim that was lost because it could not be renewed: in the store it may still be ours. */
  async function release(claim: Held): Promise<void> {
    if (held.get(claim.stream) === claim) held.delete(claim.stream);
    await records.drop([claim]).catch(() => {
      unreleased.add(claim);
      void keepBeating();
    });
  }

  return {
    async claim(stream, atOnce) {
      mayHold = true;
      const now = clock.now();
      const before = { isBeating, told };
      // Many are claimed at once: all of them would write the same row, one after the other.
      const beats = now - lastBeat >= ttlMs / 6;
      const taken = await records.take(stream, beats, atOnce);
      if ('ok' in taken) return taken;
      if (beats) lastBeat = now;
      const claim: Held = { ...taken, stream, lost: new AbortController(), folder: null };
      held.set(stream, claim);
      // Whoever took it since has said so to those who were listening by then.
      if (!before.isBeating || told !== before.told) look();
      void keepBeating();
      const given: Claim = {
        stream,
        epoch: claim.epoch,
        lost: claim.lost.signal,
        hold: (folder) => hold(claim, folder),
        release: () => release(claim),
      };
      return { ok: true, claim: given };
    },
    silent: records.silent,
    look() {
      told += 1;
      look();
    },
    async close() {
      stopping.abort();
      const claims = [...held.values(), ...unreleased];
      lose(claims, 'the store was closed');
      // Who never held anything has nothing to give back: it does not wait for a store that others keep locked.
      if (mayHold) await records.leave(claims).catch(() => {});
    },
  };
}
