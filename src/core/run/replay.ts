import {
  canonical,
  type FactBody,
  initialRunState,
  isRequest,
  type RunEvent,
  type RunState,
  type StoredEvent,
} from '../contract/index.ts';
import type { RunMachine } from './machine.ts';
import { endsOf, looking, type RunWork } from './work.ts';

/** Where a run would go another way today than it went then. */
export interface Divergence {
  /** The first event that is not as it was. */
  seq: number;
  recorded: string;
  now: string;
}

export interface Replayed {
  events: number;
  /** Decisions of the loop that came out the same. */
  decisions: number;
  /** Models that were asked again and answered the same. */
  answers: number;
  divergence: Divergence | null;
}

type EventType = RunEvent['type'];
type Ends = Partial<Record<EventType, readonly EventType[]>>;

const ends: Readonly<Record<RunWork['kind'], Ends>> = endsOf;
/** A request may come in before these in the journal. */
const looks = new Set(looking.flatMap((kind) => Object.keys(ends[kind])));
/** What an answer that is taken from the journal brings with it: all of it came of one piece of work. */
const followers = (type: EventType): readonly EventType[] =>
  Object.values(ends).flatMap((each) => each[type] ?? []);

/** Written while work is in flight: what the world reported. */
const reports: ReadonlySet<string> = new Set<EventType>([
  'driver-claimed',
  'environment-differs',
  'process-spawned',
  'step-listens',
  'change-prepared',
  'model-call-started',
  'model-call-finished',
  'model-fell-back',
  'context-summarised',
  'refused-at-door',
]);

/**
 * Drives a run again against its own journal: the loop decides anew at every point, and models are asked anew, which
 * answer from recordings; what the world did, and what brains said that looked at it, is taken from the journal. Runs
 * nothing, changes nothing. Stops at the first difference.
 */
export async function replayRun(
  events: readonly StoredEvent[],
  machine: RunMachine,
  /** Models are asked again; otherwise their answers are taken from the journal too. */
  { asksModels = true } = {},
): Promise<Replayed> {
  const replayed: Replayed = { events: events.length, decisions: 0, answers: 0, divergence: null };
  const diverge = (at: number, now: string): Replayed => ({
    ...replayed,
    divergence: { seq: events[at]?.seq ?? events.length + 1, recorded: tell(events[at]?.event), now },
  });
  let state = initialRunState;
  let at = 0;
  const fold = () => {
    state = machine.evolve(state, events[at]!);
    at += 1;
  };
  /** With what came of the same work. */
  const foldWhole = (type: EventType) => {
    fold();
    const rest = followers(type);
    while (at < events.length && rest.includes(events[at]!.event.type)) fold();
  };
  /** Folds these facts where the journal has them next; null, or what it should have had there. */
  const follow = (facts: readonly FactBody[]): FactBody | null => {
    for (const fact of facts) {
      while (at < events.length && (isRequest(events[at]!.event) || reports.has(events[at]!.event.type)))
        fold();
      if (at >= events.length || essence(events[at]!.event) !== essence(fact)) return fact;
      fold();
    }
    return null;
  };
  while (at < events.length) {
    const { event } = events[at]!;
    const isLate =
      (state.inbox.length > 0 && looks.has(event.type)) ||
      (state.inFlight !== null && event.type in ends.attempt);
    if (isLate) {
      foldWhole(event.type);
      continue;
    }
    if (state.options === null || isRequest(event) || reports.has(event.type)) {
      fold();
      continue;
    }
    if (isUnderWay(state)) {
      // The answer of somebody who cannot be asked again: what they looked at is no longer as it was.
      foldWhole(event.type);
      continue;
    }
    const effect = machine.next(state, event.at);
    if (effect.kind === 'rest') return diverge(at, `the run rests (${effect.why})`);
    const missing = follow(effect.kind === 'record' ? effect.facts : effect.intent);
    if (missing !== null) return diverge(at, tell(missing));
    replayed.decisions += 1;
    if (effect.kind !== 'perform' || at >= events.length) continue;
    const { work } = effect;
    if (work.kind === 'consult' || work.kind === 'plan') {
      if (!asksModels || isInterrupted(events, at) || !isFromModel(events, at)) continue;
      const facts = await askAgain(machine, work, state.epoch);
      const other = follow(facts);
      if (other !== null) return diverge(at, tell(other));
      replayed.answers += 1;
      continue;
    }
    if (effect.intent.length > 0) continue;
    const { type } = events[at]!.event;
    if (!(type in ends[work.kind])) return diverge(at, `something to ${work.kind}`);
    foldWhole(type);
  }
  return replayed;
}

/** Its driver died, or was stopped, before an answer came: there is nothing to hold an answer against. */
function isInterrupted(events: readonly StoredEvent[], from: number): boolean {
  for (const { event } of events.slice(from)) {
    if (event.type === 'driver-claimed') return true;
    if (isRequest(event)) {
      if (event.type === 'cancel-requested' || event.type === 'skip-requested') return true;
    } else if (!reports.has(event.type)) return false;
  }
  return true;
}

/** Rules, memories and programs look at a world that has moved on; a model answers from what was recorded. */
function isFromModel(events: readonly StoredEvent[], from: number): boolean {
  const answer = events.slice(from).find(({ event }) => !isRequest(event) && !reports.has(event.type))?.event;
  return answer?.type === 'correction-attempt'
    ? answer.correction.source.brain === 'model'
    : answer?.type === 'draft-received' || answer?.type === 'goal-restated' || answer?.type === 'hints-given';
}

const askAgain = (machine: RunMachine, work: RunWork, epoch: number): Promise<FactBody[]> =>
  machine
    .perform(work, { signal: new AbortController().signal, epoch, record: async () => true })
    .catch((error: unknown) => machine.crashed(work, error));

/** Moments and durations differ from one time to the next without meaning anything. */
const fleeting = new Set(['v', 'at', 'deadline', 'notBefore', 'until', 'durationMs']);
const essence = (event: RunEvent | FactBody): string =>
  canonical(Object.fromEntries(Object.entries(event).filter(([key]) => !fleeting.has(key))));

const MAX_TOLD = 300;
const tell = (event: RunEvent | FactBody | undefined): string =>
  event === undefined ? 'the end of the journal' : `${event.type} ${essence(event).slice(0, MAX_TOLD)}`;

/** The driver of this moment has begun something whose outcome is still to come. */
const isUnderWay = ({ epoch, inFlight, thinking, planning, rollback }: RunState): boolean =>
  inFlight?.epoch === epoch ||
  thinking !== null ||
  planning?.inFlight?.epoch === epoch ||
  (rollback?.epoch === epoch && !rollback.done);
