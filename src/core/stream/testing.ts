import type { StoredEvent } from '../contract/index.ts';
import type { Machine } from './machine.ts';
import type { Append, Claim, Journal } from './ports.ts';

/** The smallest machine: it starts one piece of work, waits for it, and rests. */
export type Event = { type: 'claimed' | 'begun' | 'done' | 'poked' };
export interface State {
  seen: Event['type'][];
}

export const machine = (
  perform: Machine<State, Event, Event, 'work'>['perform'],
): Machine<State, Event, Event, 'work'> => ({
  initial: { seen: [] },
  evolve: (state, { event }) => ({ seen: [...state.seen, event.type] }),
  next({ seen }) {
    if (!seen.includes('begun')) return { kind: 'perform', intent: [{ type: 'begun' }], work: 'work' };
    return { kind: 'rest', why: 'finished', wakeAt: null };
  },
  attend: () => ({ kind: 'await', until: null }),
  holds: () => null,
  perform,
  crashed: () => [{ type: 'done' }],
  claimed: () => [{ type: 'claimed' }],
  epochOf: () => 0,
  stamp: (event) => event,
});

export function journalOf(change: Partial<Journal<Event>> = {}) {
  const events: StoredEvent<Event>[] = [];
  const appends: Append<Event>[] = [];
  const journal: Journal<Event> = {
    async append(stream, append) {
      appends.push(append);
      const seq = events.length + 1;
      for (const event of append.events) events.push({ stream, seq: events.length + 1, event });
      return { ok: true, seq, repeated: false };
    },
    read: async (_stream, after) => events.slice(after),
    changed: (_stream, _after, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
    ...change,
  };
  return { journal, events, appends };
}

export const claim = (lost = new AbortController()): Claim => ({
  stream: 'x',
  epoch: 1,
  lost: lost.signal,
  hold: async () => ({ ok: true }),
  release: async () => {},
});
export const clock = { now: () => 0, sleepUntil: () => new Promise<void>(() => {}) };
export const options = (
  journal: Journal<Event>,
  perform: Machine<State, Event, Event, 'work'>['perform'],
) => {
  let appended = 0;
  return { machine: machine(perform), journal, claim: claim(), clock, newId: () => `${++appended}` };
};
