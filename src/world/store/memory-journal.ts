import type { Driver, RunEvent, StoredEvent } from '../../core/contract/index.ts';
import type { Claim, Claims, Journal } from '../../core/engine/index.ts';
import { StoreError } from './errors.ts';
import { overlaps } from './overlaps.ts';

/**
 * A journal and its claims in memory, for the simulator and for tests. It answers as the SQLite store does
 * (one conformance suite holds both to it), only at once. Events are kept as they are given: do not change them.
 */
export interface MemoryJournal<E = RunEvent> extends Journal<E> {
  /** The claims as this driver makes them. Drivers are told apart by identity, not by content. */
  claims(driver: Driver): Claims;
  /** The driver dies: what it holds can be taken at once. */
  kill(driver: Driver): void;
}

interface Stream<E> {
  events: StoredEvent<E>[];
  appends: Map<string, number>;
  epoch: number;
  holder: Holder | null;
  waiters: Set<{ afterSeq: number; wake(): void }>;
}
interface Holder {
  driver: Driver;
  workspace: string | null;
  lost: AbortController;
}

export function createMemoryJournal<E = RunEvent>(): MemoryJournal<E> {
  const streams = new Map<string, Stream<E>>();
  const dead = new WeakSet<Driver>();
  const streamOf = (name: string): Stream<E> => {
    let stream = streams.get(name);
    if (!stream) {
      stream = { events: [], appends: new Map(), epoch: 0, holder: null, waiters: new Set() };
      streams.set(name, stream);
    }
    return stream;
  };
  const seize = (stream: Stream<E>): void => {
    stream.epoch++;
    stream.holder?.lost.abort(new Error('another driver has taken the stream'));
    stream.holder = null;
  };
  const livingHolder = (stream: Stream<E> | undefined): Holder | null =>
    stream?.holder && !dead.has(stream.holder.driver) ? stream.holder : null;

  const claims = (driver: Driver): Claims => ({
    async claim(name, workspace) {
      const holder = livingHolder(streams.get(name));
      if (holder) return { ok: false, why: 'claimed', by: holder.driver };
      if (workspace !== null) {
        for (const [run, other] of streams) {
          const held = other.holder?.workspace ?? null;
          if (run === name || held === null || !overlaps(held, workspace)) continue;
          const owner = livingHolder(other);
          if (owner) return { ok: false, why: 'workspace-busy', by: owner.driver, run };
          seize(other);
        }
      }
      const stream = streamOf(name);
      seize(stream);
      const own: Holder = { driver, workspace, lost: new AbortController() };
      stream.holder = own;
      const claim: Claim = {
        stream: name,
        epoch: stream.epoch,
        lost: own.lost.signal,
        async release() {
          if (stream.holder === own) stream.holder = null;
        },
      };
      return { ok: true, claim };
    },
  });

  return {
    claims,
    kill: (driver) => void dead.add(driver),
    async append(name, { id, events, expectedSeq, epoch }) {
      const stream = streams.get(name);
      const before = stream?.appends.get(id);
      if (before !== undefined) return { ok: true, seq: before, repeated: true };
      if (epoch !== undefined && epoch !== stream?.epoch) return { ok: false, why: 'stale' };
      const last = stream?.events.length ?? 0;
      if (expectedSeq !== undefined && expectedSeq !== last) return { ok: false, why: 'conflict' };
      if (expectedSeq === undefined && last === 0) {
        throw new StoreError('stream-unknown', `There is no run ${name}.`);
      }
      if (events.length === 0) return { ok: true, seq: last + 1, repeated: false };
      const target = stream ?? streamOf(name);
      for (const event of events) {
        target.events.push({ stream: name, seq: target.events.length + 1, event });
      }
      target.appends.set(id, last + 1);
      for (const waiter of target.waiters) {
        if (target.events.length > waiter.afterSeq) waiter.wake();
      }
      return { ok: true, seq: last + 1, repeated: false };
    },
    async read(name, afterSeq, limit) {
      const events = streams.get(name)?.events ?? [];
      return events.slice(afterSeq, limit === undefined ? undefined : afterSeq + limit);
    },
    async changed(name, afterSeq, signal) {
      const stream = streamOf(name);
      if (stream.events.length > afterSeq || signal.aborted) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiter = { afterSeq, wake: () => resolve() };
      stream.waiters.add(waiter);
      signal.addEventListener('abort', waiter.wake, { once: true });
      await promise;
      stream.waiters.delete(waiter);
      signal.removeEventListener('abort', waiter.wake);
    },
  };
}
