import type { StoredEvent } from '../../src/core/contract/index.ts';
import type { AnyEvent, Append, Appended, Journal } from '../../src/core/stream/index.ts';

/** The process of a driver died here: its promise chain must never write again. */
export class SimulatedCrash extends Error {}

class LostAcknowledgement extends Error {
  readonly retryable = true;
}

/** What can go wrong around one append; decided by the world, append by append. */
export interface Fault {
  crash?: 'before' | 'after';
  loseAcknowledgement?: boolean;
}

/**
 * The journal of one simulated stream: the rules of the port, kept by a few lines that can be read at a
 * glance, and the faults that a real store can have.
 */
export class SimulatedJournal<E extends AnyEvent> {
  readonly stream: string;
  readonly events: StoredEvent<E>[] = [];
  epoch = 0;
  /** How many appends were refused, and why: worlds must reach both. */
  readonly refused = { conflict: 0, stale: 0 };
  repeated = 0;
  readonly #appends = new Map<string, number>();
  readonly #waiters = new Set<() => void>();
  readonly #onAppend: (batch: StoredEvent<E>[]) => void;

  constructor(stream: string, onAppend: (batch: StoredEvent<E>[]) => void) {
    this.stream = stream;
    this.#onAppend = onAppend;
  }

  append(append: Append<E>): Appended {
    const known = this.#appends.get(append.id);
    if (known !== undefined) {
      this.repeated += 1;
      return { ok: true, seq: known, repeated: true };
    }
    if (append.epoch !== undefined && append.epoch !== this.epoch) {
      this.refused.stale += 1;
      return { ok: false, why: 'stale' };
    }
    if (append.expectedSeq !== undefined && append.expectedSeq !== this.events.length) {
      this.refused.conflict += 1;
      return { ok: false, why: 'conflict' };
    }
    const seq = this.events.length + 1;
    this.#appends.set(append.id, seq);
    for (const event of append.events) {
      this.events.push({ stream: this.stream, seq: this.events.length + 1, event });
    }
    this.#onAppend(this.events.slice(seq - 1));
    for (const wake of [...this.#waiters]) wake();
    return { ok: true, seq, repeated: false };
  }

  /** What one driver sees of it, with faults before and after each append, until its process dies. */
  handle(fault: () => Fault, alive: { yes: boolean }): Journal<E> {
    const die = (): never => {
      alive.yes = false;
      throw new SimulatedCrash('killed');
    };
    const living = () => {
      if (!alive.yes) throw new SimulatedCrash('dead');
    };
    return {
      append: async (_stream, append) => {
        living();
        const { crash, loseAcknowledgement } = fault();
        if (crash === 'before') die();
        const answer = this.append(append);
        if (crash === 'after') die();
        if (loseAcknowledgement) throw new LostAcknowledgement('the answer was lost');
        return answer;
      },
      read: async (_stream, afterSeq) => {
        living();
        return this.events.slice(afterSeq);
      },
      changed: (_stream, afterSeq, signal) => this.#changed(afterSeq, signal),
    };
  }

  #changed(afterSeq: number, signal: AbortSignal): Promise<void> {
    if (this.events.length > afterSeq || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake);
        resolve();
      };
      this.#waiters.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
