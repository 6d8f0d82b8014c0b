import type { Driver, StreamRow } from '../../src/core/contract/index.ts';
import type { Effect, Kind, Machine, ModelNote, PerformContext } from '../../src/core/stream/index.ts';

/**
 * A tiny kind of stream, to show that nothing around streams is about plan runs: it counts to a target.
 *
 *   toy-begun ──▶ napping ──▶ waiting for a child ──▶ counting ──▶ ended
 *                                                       ▲  │
 *                                                       └──┘ count-started, counted
 *
 * People ask it to count further or to stop.
 */
type Timed<T> = T & { v: 1; at: number };
export type ToyFact =
  | {
      type: 'toy-begun';
      target: number;
      /** What it is found by. */
      name?: string;
      workspace?: string;
      /** Nothing happens before. */
      napUntil?: number;
      /** Another stream, which has to end first. */
      child?: string;
      secret?: string;
    }
  | { type: 'toy-claimed'; epoch: number; driver: Driver }
  | { type: 'target-raised'; amount: number; answers: number }
  | { type: 'child-seen'; ended: boolean }
  | { type: 'count-started'; n: number }
  | { type: 'counted'; n: number }
  /** It is not known to be counted: begun by a driver that is gone, or ended on the way. */
  | { type: 'count-lost'; n: number }
  | { type: 'toy-noted'; note: ModelNote }
  | { type: 'toy-ended'; answers?: number }
  | { type: 'toy-refused'; answers: number; code: string };
type ToyRequest =
  | { type: 'add-requested'; key: string; by: string; amount: number }
  | { type: 'stop-requested'; key: string; by: string };
export type ToyEvent = Timed<ToyFact | ToyRequest>;

export type ToyWork = { kind: 'count'; n: number; since: number } | { kind: 'look'; child: string };

export interface ToyState {
  target: number | null;
  counted: number;
  inFlight: { n: number; epoch: number } | null;
  napUntil: number | null;
  child: string | null;
  /** The epoch in which the child was looked at last. */
  lookedIn: number;
  inbox: readonly { seq: number; request: Timed<ToyRequest> }[];
  epoch: number;
  seq: number;
  ended: boolean;
  secret: string | null;
}

const initial: ToyState = {
  target: null,
  counted: 0,
  inFlight: null,
  napUntil: null,
  child: null,
  lookedIn: 0,
  inbox: [],
  epoch: 0,
  seq: 0,
  ended: false,
  secret: null,
};

const isRequest = (event: { type: string }): event is Timed<ToyRequest> =>
  event.type === 'add-requested' || event.type === 'stop-requested';

function evolve(before: ToyState, { seq, event }: { seq: number; event: ToyEvent }): ToyState {
  if (isRequest(event)) return { ...before, seq, inbox: [...before.inbox, { seq, request: event }] };
  const answers = 'answers' in event ? event.answers : undefined;
  const state = { ...before, seq, inbox: before.inbox.filter((pending) => pending.seq !== answers) };
  switch (event.type) {
    case 'toy-begun': {
      const { target, napUntil = null, child = null, secret = null } = event;
      return { ...state, target, napUntil, child, secret };
    }
    case 'toy-claimed':
      return { ...state, epoch: event.epoch };
    case 'target-raised':
      return { ...state, target: (state.target ?? 0) + event.amount };
    case 'child-seen':
      return { ...state, lookedIn: state.epoch, child: event.ended ? null : state.child };
    case 'count-started':
      return { ...state, napUntil: null, inFlight: { n: event.n, epoch: state.epoch } };
    case 'counted':
      return { ...state, inFlight: null, counted: event.n };
    case 'count-lost':
      return { ...state, inFlight: null };
    case 'toy-ended':
      return { ...state, ended: true };
    case 'toy-noted':
    case 'toy-refused':
      return state;
    default:
      // What it does not know it skips.
      return { ...before, seq };
  }
}

type ToyEffect = Effect<ToyFact, ToyWork>;
const record = (...facts: ToyFact[]): ToyEffect => ({ kind: 'record', facts });

function next(state: ToyState, now: number): ToyEffect {
  const { target, counted, inFlight, napUntil, child, inbox, ended, epoch } = state;
  if (target === null) return { kind: 'rest', why: 'unreadable', wakeAt: null };
  if (inFlight !== null) return record({ type: 'count-lost', n: inFlight.n });
  const pending = inbox[0];
  if (pending !== undefined) {
    const { seq: answers, request } = pending;
    if (ended) return record({ type: 'toy-refused', answers, code: 'ended' });
    if (request.type === 'stop-requested') return record({ type: 'toy-ended', answers });
    return record({ type: 'target-raised', amount: request.amount, answers });
  }
  if (ended) return { kind: 'rest', why: 'finished', wakeAt: null };
  if (napUntil !== null && napUntil > now) return { kind: 'rest', why: 'later', wakeAt: napUntil };
  if (child !== null) {
    if (state.lookedIn === epoch && epoch > 0) return { kind: 'rest', why: 'waiting', wakeAt: null };
    return { kind: 'perform', intent: [], work: { kind: 'look', child } };
  }
  if (counted >= target) return record({ type: 'toy-ended' });
  const n = counted + 1;
  return {
    kind: 'perform',
    intent: [{ type: 'count-started', n }],
    work: { kind: 'count', n, since: state.seq },
  };
}

function project(
  row: StreamRow | null,
  { stream, event }: { stream: string; event: ToyEvent },
): StreamRow | null {
  const { at } = event;
  if (event.type === 'toy-begun') {
    const { workspace = '', napUntil: wakeAt = null, child: awaits = null } = event;
    const state = wakeAt !== null ? 'napping' : awaits !== null ? 'waiting' : 'counting';
    const times = { createdAt: at, updatedAt: at, endedAt: null, wakeAt };
    return {
      id: stream,
      kind: 'toy',
      state,
      workspace,
      ...times,
      goesOn: state === 'counting',
      awaits,
      unanswered: [],
    };
  }
  if (row === null) return null;
  const now = { ...row, updatedAt: at };
  if (event.type === 'toy-ended')
    return { ...now, state: 'ended', endedAt: at, goesOn: false, wakeAt: null, awaits: null };
  if (event.type === 'count-started') return { ...now, state: 'counting', goesOn: true, wakeAt: null };
  if (event.type === 'child-seen' && event.ended)
    return { ...now, state: 'counting', goesOn: true, awaits: null };
  return now;
}

export const toyKind: Kind<ToyState, ToyEvent, ToyFact, ToyWork, StreamRow> = {
  name: 'toy',
  initial,
  evolve,
  next,
  attend(state, work) {
    const stops = state.inbox.some(({ request }) => request.type === 'stop-requested');
    return stops && work.kind === 'count'
      ? { kind: 'abort', why: 'cancelled' }
      : { kind: 'await', until: null };
  },
  epochOf: ({ epoch }) => epoch,
  project,
  titleOf: ({ id }) => id,
  textOf: (event) => (event.type === 'toy-begun' ? (event.name ?? '') : ''),
  isRequest,
  cancel: { type: 'stop-requested' },
  scopeOf: (event) => (event.type === 'stop-requested' ? 'ask' : 'decide'),
  noteOf: (event) => (event.type === 'toy-noted' ? event.note : null),
  sealedIn: () => [],
  secretsIn: ({ secret }) => (secret === null ? [] : [secret]),
};

export interface ToyPorts {
  /** Resolves true when it is counted, false where the signal came first. */
  count(n: number, signal: AbortSignal): Promise<boolean>;
  hasEnded(stream: string): Promise<boolean>;
}

export const createToyMachine = (
  driver: Driver,
  ports: ToyPorts,
): Machine<ToyState, ToyEvent, ToyFact, ToyWork> => ({
  ...toyKind,
  holds: () => null,
  async perform(work: ToyWork, { signal }: PerformContext<ToyFact>): Promise<ToyFact[]> {
    if (work.kind === 'look') return [{ type: 'child-seen', ended: await ports.hasEnded(work.child) }];
    const { n } = work;
    return [{ type: (await ports.count(n, signal)) ? 'counted' : 'count-lost', n }];
  },
  crashed: (work) => (work.kind === 'count' ? [{ type: 'count-lost', n: work.n }] : []),
  claimed: (epoch) => [{ type: 'toy-claimed', epoch, driver }],
  stamp: (fact, at) => ({ v: 1, at, ...fact }),
});
