import {
  canonical,
  type EventType,
  type FactBody,
  isRequest,
  type RunEvent,
  type RunState,
  type StoredEvent,
} from '../../contract/index.ts';
import type { RunMachine } from './machine.ts';
import type { RunEffect, RunWork } from './work.ts';

/** Where a run would now go another way. */
export interface Divergence {
  seq: number;
  recorded: EventType;
  /** What would be written in its place, or what would happen instead. */
  instead: string;
}

export interface Replayed {
  /** How many decisions were taken anew. */
  decisions: number;
  /** How many pieces of work were done anew, from recordings. */
  redone: number;
  divergence: Divergence | null;
}

export interface ReplayOptions {
  machine: RunMachine;
  signal: AbortSignal;
  /** Work that can be done anew without touching the world: that of models, whose answers are recorded. */
  redoes?: (work: RunWork) => boolean;
}

/** What came of work. In a replay the world says again what it said then. */
const outcomes: ReadonlySet<EventType> = new Set([
  'step-judged',
  'step-completed',
  'item-completed',
  'step-failed',
  'step-interrupted',
  'services-surveyed',
  'processes-released',
  'process-spawned',
  'change-prepared',
  'model-call-started',
  'model-call-finished',
  'model-fell-back',
]);
/** What nobody decides: how a run begins, and who drives it. */
const given: ReadonlySet<EventType> = new Set(['plan-created', 'driver-claimed']);

/**
 * Drives a run once more along its own journal: requests and what came of work are taken from it, decisions are
 * taken anew, and the first that comes out otherwise is named. Touches nothing, and needs no clock: every event has
 * its time.
 */
export async function replayRun(
  events: readonly Pick<StoredEvent, 'seq' | 'event'>[],
  { machine, signal, redoes = () => false }: ReplayOptions,
): Promise<Replayed> {
  let state: RunState = machine.initial;
  const done = { decisions: 0, redone: 0 };
  const diverges = (at: number, instead: string): Replayed => {
    const { seq, event } = events[at]!;
    return { ...done, divergence: { seq, recorded: event.type, instead } };
  };
  let at = 0;
  const fold = (count: number): void => {
    for (const stored of events.slice(at, at + count)) state = machine.evolve(state, stored);
    at += count;
  };
  while (at < events.length && !signal.aborted) {
    const { event } = events[at]!;
    if (isRequest(event) || given.has(event.type)) {
      fold(1);
      continue;
    }
    const effect = machine.next(state, event.at);
    const facts = factsOf(effect);
    const misfit = facts.findIndex((fact, index) => !isSame(fact, events[at + index]?.event));
    const isDecision = facts.length > 0 && misfit === -1;
    if (!isDecision && !outcomes.has(event.type)) return diverges(at + Math.max(0, misfit), inWords(effect));
    if (isDecision) done.decisions += 1;
    if (isDecision) fold(facts.length);
    if (effect.kind === 'perform' && redoes(effect.work) && (isDecision || facts.length === 0)) {
      const made = await redo(machine, effect.work, state.epoch, signal);
      const wrong = made.findIndex((fact, index) => !isSame(fact, events[at + index]?.event));
      if (wrong !== -1 && at + wrong < events.length) return diverges(at + wrong, made[wrong]!.type);
      done.redone += 1;
      fold(made.length);
    } else if (!isDecision) fold(1);
  }
  return { ...done, divergence: null };
}

const factsOf = (effect: RunEffect): FactBody[] =>
  effect.kind === 'record' ? effect.facts : effect.kind === 'perform' ? effect.intent : [];

async function redo(
  machine: RunMachine,
  work: RunWork,
  epoch: number,
  signal: AbortSignal,
): Promise<FactBody[]> {
  const recorded: FactBody[] = [];
  const record = async (facts: FactBody[]) => {
    recorded.push(...facts);
    return true;
  };
  const came = await machine.perform(work, { signal, epoch, record });
  return [...recorded, ...came];
}

/** Times, and what is counted or named anew each time, do not matter. */
const passing = new Set([
  'v',
  'at',
  'deadline',
  'until',
  'callId',
  'durationMs',
  'usage',
  'usd',
  'reserved',
  'replayed',
]);

function isSame(fact: FactBody, event: RunEvent | undefined): boolean {
  if (event === undefined || event.type !== fact.type) return false;
  const essence = (body: object) =>
    Object.fromEntries(Object.entries(body).filter(([key]) => !passing.has(key)));
  return canonical(essence(fact)) === canonical(essence(event));
}

function inWords(effect: RunEffect): string {
  const facts = factsOf(effect);
  if (facts.length > 0) return facts.map(({ type }) => type).join(', ');
  if (effect.kind === 'perform') return effect.work.kind;
  return effect.kind === 'rest' ? `rest (${effect.why})` : effect.kind;
}
