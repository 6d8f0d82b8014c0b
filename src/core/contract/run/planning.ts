import type { EventOf, FactBody } from '../events.ts';
import { isPlanningFact, type PlannerChain, type PlanningFact } from '../facts/planning.ts';
import type { Shell } from '../plan.ts';
import type { DraftState, PlanningState } from './planning-state.ts';
import { given } from './plans.ts';
import type { RunState } from './state.ts';
import { turn, withdrawn } from './steps.ts';

/** After so many rejections a model has had its chance. */
const MAX_STRIKES = 3;

/** The plan is still to be made, or is being made anew; also where that was given up and there is none. */
export const isPlanning = ({ planning, plan }: RunState): boolean =>
  planning !== null && (planning.active || plan === null);

/** There is a plan to agree on, new or old: whatever was asked or given up before is over. */
export function planned(state: RunState, at: number): RunState {
  if (state.planning === null) return state;
  const planning = { ...state.planning, active: false, inFlight: null, question: null };
  return {
    ...turn({ ...state, planning }, 'agreeing', at),
    stopReason: null,
    message: null,
    pausedUntil: null,
  };
}

/** A resumed run goes on planning; one that had given up begins anew. */
export function resumedPlanning(state: RunState, at: number): RunState {
  const { planning } = state;
  if (planning === null) return state;
  return turn({ ...state, planning: planning.active ? planning : begunAnew(planning) }, 'planning', at);
}

export function applyPlanning(state: RunState, event: PlanningFact): RunState {
  if (event.type === 'goal-given') return begin(state, event);
  const { planning } = state;
  if (event.type === 'feedback-given') {
    return turn(withdrawn({ ...state, planning: replanned(state, event) }), 'planning', event.at);
  }
  if (planning === null) {
    return { ...state, unreadable: [...state.unreadable, `${event.type} before goal-given`] };
  }
  const next = { ...state, planning: changed(planning, event, state.epoch) };
  if (event.type === 'planning-question') return turn(next, 'waiting', event.at);
  if (event.type === 'planning-answered') return turn(next, 'planning', event.at);
  // A run that is planned again has its old plan still: it is to be agreed on, or declined, once more.
  if (event.type === 'planning-failed' && state.plan !== null) return turn(next, 'agreeing', event.at);
  return next;
}

/** Planning that has just begun. */
export const freshPlanning = (goal: string, chain: PlannerChain, shell: Shell = 'bash'): PlanningState => ({
  goal,
  chain,
  shell,
  attended: false,
  steppedFrom: null,
  active: true,
  restated: false,
  restatement: null,
  position: { planner: 0, fast: 0 },
  strikes: 0,
  asked: 0,
  drafts: [],
  hints: [],
  reflectedOn: 0,
  question: null,
  answers: [],
  feedback: [],
  failures: [],
  inFlight: null,
  proposal: null,
  failed: null,
});

function begin(state: RunState, event: EventOf<'goal-given'>): RunState {
  const { goal, options, chain, at } = event;
  const begun = {
    ...state,
    ...given(state, event),
    options,
    createdAt: at,
    planning: {
      ...freshPlanning(goal, chain, event.shell),
      attended: event.attended === true,
      ...(event.awaitedBy === undefined ? {} : { isAwaited: true as const }),
    },
  };
  return turn({ ...begun, session: { cwd: begun.workspace, env: {} } }, 'planning', at);
}

/** A run whose plan came from a file has no chain of its own: its planning begins, and finds no model. */
function replanned(state: RunState, { stepId, step, reason }: EventOf<'feedback-given'>): PlanningState {
  const before = state.planning ?? freshPlanning(state.plan?.goal ?? '', { planner: [], fast: [] });
  return { ...begunAnew(before), feedback: [...before.feedback, { stepId, step, reason }] };
}

/** The first model is asked again, and remembers everything. */
const begunAnew = (planning: PlanningState): PlanningState => ({
  ...planning,
  active: true,
  position: { planner: 0, fast: 0 },
  strikes: 0,
  asked: 0,
  failures: [],
  proposal: null,
  failed: null,
});

/**
 * Planning as facts leave it that are about to be written. What could not be read and is not written again either is
 * as good as rejected.
 */
export function planningAfter(
  before: PlanningState,
  facts: readonly FactBody[],
  epoch: number,
): PlanningState {
  const apply = (planning: PlanningState, body: FactBody) => {
    const event = { ...body, v: 1, at: 0 } as PlanningFact;
    return isPlanningFact(event) && event.type !== 'goal-given' && event.type !== 'feedback-given'
      ? changed(planning, event, epoch)
      : planning;
  };
  const after = facts.reduce(apply, before);
  const last = after.drafts.at(-1);
  if (last?.status !== 'unreadable' || !last.repairing) return after;
  const { n, model, reasons } = last;
  return apply(after, { type: 'draft-rejected', n, model, reasons: [...reasons] });
}

type Other = Exclude<PlanningFact, { type: 'goal-given' | 'feedback-given' }>;

function changed(planning: PlanningState, event: Other, epoch: number): PlanningState {
  switch (event.type) {
    case 'planner-called': {
      const { call, n, model, at } = event;
      const asked = planning.asked + (call === 'plan' ? 1 : 0);
      return { ...planning, asked, inFlight: { call, n, model, epoch, startedAt: at } };
    }
    case 'planner-call-failed':
      return callFailed(planning, event);
    case 'goal-restated':
      return { ...planning, inFlight: null, restated: true, restatement: event.restatement };
    case 'draft-received':
      return received(planning, event);
    case 'draft-unreadable': {
      const reason = { code: 'not-json', message: event.message, hint: 'Answer with valid JSON only.' };
      return withDraft(planning, event.n, { status: 'unreadable', reasons: [reason] });
    }
    case 'draft-repaired':
      return withDraft(planning, event.n, { how: event.how });
    case 'draft-rejected':
      return rejected(planning, event);
    case 'hints-given':
      return { ...planning, inFlight: null, hints: event.hints, reflectedOn: event.n };
    case 'planning-question':
      return { ...withDraft(planning, event.n, { status: 'asking' }), question: event.question };
    case 'planning-answered': {
      const { question } = planning;
      if (question === null) return planning;
      const answers = [...planning.answers, { question, answer: event.value }];
      return { ...planning, question: null, answers };
    }
    case 'plan-proposed':
      return { ...withDraft(planning, event.n, { status: 'proposed' }), proposal: event.proposal };
    case 'planning-failed': {
      const { cause, message, best, problems } = event;
      return { ...planning, active: false, inFlight: null, failed: { cause, message, best, problems } };
    }
  }
}

const withDraft = (planning: PlanningState, n: number, change: Partial<DraftState>): PlanningState => ({
  ...planning,
  drafts: planning.drafts.map((each) => (each.n === n ? { ...each, ...change } : each)),
});

function received(planning: PlanningState, event: EventOf<'draft-received'>): PlanningState {
  const { n, model, raw, digest, durationMs } = event;
  const seen = { n, model, raw, digest, durationMs };
  const next = { ...planning, inFlight: null };
  if (event.by === 'repair') return withDraft(next, n, { ...seen, status: 'received', repairing: true });
  const draft: DraftState = { ...seen, status: 'received', repairing: false, how: [], reasons: [] };
  return { ...next, drafts: [...next.drafts, draft] };
}

/** Three rejections, or the same words twice in a row, and the next model has its turn. */
function rejected(planning: PlanningState, { n, reasons }: EventOf<'draft-rejected'>): PlanningState {
  const next = withDraft(planning, n, { status: 'rejected', reasons });
  const at = next.drafts.findIndex((each) => each.n === n);
  const repeats = at > 0 && next.drafts[at]!.digest === next.drafts[at - 1]!.digest;
  const strikes = planning.strikes + 1;
  return strikes >= MAX_STRIKES || repeats ? withNextModel(next) : { ...next, strikes };
}

const withNextModel = (planning: PlanningState): PlanningState => ({
  ...planning,
  strikes: 0,
  position: { ...planning.position, planner: planning.position.planner + 1 },
});

/** Whoever was interrupted is asked again; every other failure makes the chain go on. */
function callFailed(planning: PlanningState, event: EventOf<'planner-call-failed'>): PlanningState {
  const { call, model, why, message } = event;
  const failures = [...planning.failures, { call, model, why, message }];
  const next = { ...planning, inFlight: null, failures };
  if (why === 'interrupted' || why === 'aborted') return next;
  if (call === 'plan') return withNextModel(next);
  // The draft stays unreadable; it is rejected without another try.
  if (call === 'repair') return withDraft(next, event.n, { repairing: true });
  return { ...next, position: { ...next.position, fast: next.position.fast + 1 } };
}
