import {
  type Actor,
  type ChildFact,
  type ChildState,
  childEnded,
  type Driver,
  evolveStream,
  freshStream,
  isChildFact,
  limitsLeft,
  noSpending,
  type Spending,
  type StreamRow,
  type StreamState,
  withChild,
  withChildSpending,
} from '../../src/core/contract/index.ts';
import {
  awaitChild,
  type Children,
  type ChildWork,
  type Effect,
  type Kind,
  type Machine,
  type ModelNote,
  type PerformContext,
  performChild,
  wantChild,
} from '../../src/core/stream/index.ts';

/**
 * A tiny kind of stream, to show that nothing around streams is about plan runs: it counts to a target, at a dollar each.
 *
 *   toy-begun ──▶ napping ──▶ waiting for a child ──▶ counting ──▶ ended
 *                                                       ▲  │
 *                                                       └──┘ count-started, counted
 *
 * People ask it to count further or to stop. Where it waits for a child, the child is told to stop first.
 */
type Timed<T> = T & { v: 1; at: number };
type Untimed<T> = T extends unknown ? Omit<T, 'v' | 'at'> : never;

interface Begun {
  type: 'toy-begun';
  target: number;
  /** What it is found by. */
  name?: string;
  workspace?: string;
  /** Nothing happens before. */
  napUntil?: number;
  /** Another stream, which it begins and which has to end first; and how far that one counts. */
  child?: string;
  childTarget?: number;
  secret?: string;
  /** What it may spend, its child included. */
  money?: number;
}

export type ToyFact =
  | Begun
  | { type: 'toy-claimed'; epoch: number; driver: Driver }
  | { type: 'target-raised'; amount: number; answers: number }
  | Untimed<ChildFact>
  | { type: 'count-started'; n: number }
  | { type: 'counted'; n: number }
  /** It is not known to be counted: begun by a driver that is gone, or ended on the way. */
  | { type: 'count-lost'; n: number }
  | { type: 'toy-noted'; note: ModelNote }
  | { type: 'toy-stopping'; answers: number; by: Actor }
  | { type: 'toy-ended' }
  | { type: 'toy-refused'; answers: number; code: string };
export type ToyRequestBody = { type: 'add-requested'; amount: number } | { type: 'stop-requested' };
type ToyRequest = ToyRequestBody & { key: string; by: Actor };
export type ToyEvent = Timed<ToyFact | ToyRequest>;

type CountWork = { kind: 'count'; n: number };
export type ToyWork = CountWork | (ChildWork & { by: Actor });

export interface ToyState extends StreamState<Timed<ToyRequest>> {
  begun: Timed<Begun> | null;
  target: number;
  counted: number;
  inFlight: { n: number; epoch: number } | null;
  children: readonly ChildState[];
  stoppedBy: Actor | null;
  ended: boolean;
  spending: Spending;
}
export interface ToyRow extends StreamRow {
  spending: Spending;
}

const initial: ToyState = {
  ...freshStream,
  begun: null,
  target: 0,
  counted: 0,
  inFlight: null,
  children: [],
  stoppedBy: null,
  ended: false,
  spending: noSpending,
};

const isRequest = (event: { type: string }): event is Timed<ToyRequest> =>
  event.type === 'add-requested' || event.type === 'stop-requested';

const paid = (before: Spending): Spending => ({ ...before, usd: before.usd + 1, calls: before.calls + 1 });

export const toyEvents = [
  'add-requested',
  'child-begun',
  'child-cancelled',
  'child-ended',
  'child-started',
  'count-lost',
  'count-started',
  'counted',
  'stop-requested',
  'target-raised',
  'toy-begun',
  'toy-claimed',
  'toy-ended',
  'toy-noted',
  'toy-refused',
  'toy-stopping',
] as const satisfies ToyEvent['type'][];

function apply(state: ToyState, event: Exclude<ToyEvent, Timed<ToyRequest>>): ToyState {
  if (isChildFact(event)) {
    const spending =
      event.type === 'child-ended' ? withChildSpending(state.spending, event.spending) : state.spending;
    return { ...state, children: withChild(state.children, event), spending };
  }
  switch (event.type) {
    case 'toy-begun':
      return { ...state, begun: event, target: event.target };
    case 'toy-claimed':
      return { ...state, epoch: event.epoch, driver: event.driver };
    case 'target-raised':
      return { ...state, target: state.target + event.amount };
    case 'count-started':
      return { ...state, inFlight: { n: event.n, epoch: state.epoch } };
    case 'counted':
      return { ...state, inFlight: null, counted: event.n, spending: paid(state.spending) };
    case 'count-lost':
      return { ...state, inFlight: null };
    case 'toy-stopping':
      return { ...state, stoppedBy: event.by };
    case 'toy-ended':
      return { ...state, ended: true };
    case 'toy-noted':
    case 'toy-refused':
      return state;
  }
}

const evolve = (state: ToyState, stored: { seq: number; event: ToyEvent }): ToyState =>
  evolveStream<ToyState, ToyEvent, Timed<ToyRequest>>(state, stored, {
    isKnown: ({ type }) => (toyEvents as readonly string[]).includes(type),
    isRequest,
    apply,
  });

const limits = ({ money = 1000 }: Begun) => ({ money, tokens: 0 });

/** What a toy's child begins with: the same each time it is asked. */
function childEvents({ begun, spending }: ToyState): Timed<Begun>[] {
  const { money } = limitsLeft(spending, limits(begun!));
  return [{ v: 1, at: begun!.at, type: 'toy-begun', target: begun!.childTarget ?? 1, money }];
}

type ToyEffect = Effect<ToyFact, ToyWork>;
const record = (...facts: ToyFact[]): ToyEffect => ({ kind: 'record', facts });
const nobody: Actor = { person: 'the toy', door: 'worker' };

function next(state: ToyState, now: number): ToyEffect {
  const { begun, target, counted, inFlight, inbox, ended, stoppedBy, children } = state;
  if (begun === null || state.unreadable.length > 0) return { kind: 'rest', why: 'unreadable', wakeAt: null };
  if (inFlight !== null) return record({ type: 'count-lost', n: inFlight.n });
  const pending = inbox[0];
  if (pending !== undefined) {
    const { seq: answers, request } = pending;
    if (ended || stoppedBy !== null)
      return record({ type: 'toy-refused', answers, code: ended ? 'ended' : 'stopping' });
    if (request.type === 'stop-requested') return record({ type: 'toy-stopping', answers, by: request.by });
    return record({ type: 'target-raised', amount: request.amount, answers });
  }
  if (ended) return { kind: 'rest', why: 'finished', wakeAt: null };
  const waits = awaitChild(children, stoppedBy !== null, () => childEvents(state));
  if (waits !== null)
    return waits.kind === 'perform'
      ? { ...waits, work: { ...waits.work, by: stoppedBy ?? nobody } }
      : (waits as ToyEffect);
  if (stoppedBy !== null) return record({ type: 'toy-ended' });
  const { napUntil = 0, child } = begun;
  if (napUntil > now) return { kind: 'rest', why: 'later', wakeAt: napUntil };
  if (child !== undefined && children.length === 0) return wantChild(child, 'toy') as ToyEffect;
  if (counted >= target || limitsLeft(state.spending, limits(begun)).money < 1)
    return record({ type: 'toy-ended' });
  const n = counted + 1;
  return { kind: 'perform', intent: [{ type: 'count-started', n }], work: { kind: 'count', n } };
}

function project(row: ToyRow | null, { stream, event }: { stream: string; event: ToyEvent }): ToyRow | null {
  const { at } = event;
  if (event.type === 'toy-begun') {
    const { workspace = '', napUntil: wakeAt = null } = event;
    const times = { createdAt: at, updatedAt: at, endedAt: null, wakeAt };
    const rests = { goesOn: wakeAt === null, awaits: null, unanswered: [] };
    const state = wakeAt === null ? 'counting' : 'napping';
    return { id: stream, kind: 'toy', state, workspace, ...times, ...rests, spending: noSpending };
  }
  return row === null ? null : { ...row, ...changes(row, event), updatedAt: at };
}

function changes({ spending }: ToyRow, event: ToyEvent): Partial<ToyRow> {
  const counting = { state: 'counting', goesOn: true, wakeAt: null, awaits: null };
  switch (event.type) {
    case 'child-started':
      return { state: 'waiting', goesOn: true, wakeAt: null, awaits: event.child };
    case 'child-begun':
    case 'child-cancelled':
      return { goesOn: false };
    case 'toy-stopping':
      return { goesOn: true };
    case 'child-ended':
      return { ...counting, spending: withChildSpending(spending, event.spending) };
    case 'count-started':
      return counting;
    case 'counted':
      return { spending: paid(spending) };
    case 'toy-ended':
      return { state: 'ended', endedAt: event.at, goesOn: false, wakeAt: null, awaits: null };
    default:
      return {};
  }
}

export const toyKind: Kind<ToyState, ToyEvent, ToyFact, ToyWork, ToyRow> = {
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
  childEnded,
  noteOf: (event) => (event.type === 'toy-noted' ? event.note : null),
  hides: {
    sealedIn: () => [],
    secretsIn: ({ begun }) => (begun?.secret === undefined ? [] : [begun.secret]),
  },
};

export interface ToyPorts {
  /** Resolves true when it is counted, false where the signal came first. */
  count(n: number, signal: AbortSignal): Promise<boolean>;
  children: Children;
}

export const createToyMachine = (
  driver: Driver,
  ports: ToyPorts,
): Machine<ToyState, ToyEvent, ToyFact, ToyWork> => ({
  ...toyKind,
  holds: () => null,
  async perform(work: ToyWork, { signal }: PerformContext<ToyFact>): Promise<ToyFact[]> {
    if (work.kind !== 'count') return performChild(ports.children, work, work.by);
    const { n } = work;
    return [{ type: (await ports.count(n, signal)) ? 'counted' : 'count-lost', n }];
  },
  crashed(work, error) {
    if (work.kind === 'count') return [{ type: 'count-lost', n: work.n }];
    throw error;
  },
  claimed: (epoch) => [{ type: 'toy-claimed', epoch, driver }],
  stamp: (fact, at) => ({ v: 1, at, ...fact }),
});
