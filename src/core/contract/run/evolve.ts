import { added } from '../blocks.ts';
import type { EventOf, RunEvent } from '../events.ts';
import { isPlanningFact, type PlanningFact } from '../facts/planning.ts';
import { isRequest, type RequestEvent } from '../requests.ts';
import { callFinished, callStarted, callsInterrupted } from '../stream/spending.ts';
import { evolveStream, type Stored } from '../stream/state.ts';
import * as agent from './agent.ts';
import { agreed, asked, decided } from './approvals.ts';
import { remembered, summarised } from './context.ts';
import { frozen, kept, released, stopped, surveyed } from './keep.ts';
import { applyPlanning, isPlanning, planned, resumedPlanning } from './planning.ts';
import { created, revised } from './plans.ts';
import { carried, placeTaken } from './source.ts';
import { initialRunState, type PerformedAction, type RunState, type StepState } from './state.ts';
import {
  itemDone,
  judgementOf,
  parkedQuestion,
  type StepMove,
  settled,
  stepState,
  turn,
  unjudged,
  withdrawn,
  withStep,
} from './steps.ts';
import {
  checkpointFailed,
  checkpointsRetried,
  checkpointTaken,
  rangeDropped,
  rangeStarted,
  rollbackStarted,
  rolledBack,
} from './undo.ts';

/**
 * The state after one more event. Total and pure: it never throws, never reads a clock, and an event that
 * it does not know or that does not fit is noted in `unreadable` and otherwise skipped.
 */
export const evolve = (state: RunState, stored: Folded): RunState => evolveStream(state, stored, folding);

type Folded = Pick<Stored<RunEvent>, 'seq' | 'event'>;

export const fold = (events: Iterable<Folded>, from = initialRunState): RunState => {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
};

type Fact = Exclude<RunEvent, RequestEvent>;

const same = (state: RunState): RunState => state;

type Other = Exclude<Fact, PlanningFact>;

/** What each fact makes of a run. Those of planning have their own, in planning.ts. */
const folds: {
  readonly [T in Other['type']]: (state: RunState, event: EventOf<T>, lastAt: number) => RunState;
} = {
  'plan-created': (state, event) => planned(created(state, event), event.at),
  'plan-confirmed': (state, event) => turn(agreed(state, event), 'running', event.at),
  'plan-rejected': same,
  'plan-revised': (state, event) =>
    isPlanning(state) ? planned(revised(state, event), event.at) : revised(state, event),
  'driver-claimed': claimed,
  'environment-differs': (state, event) => ({ ...state, sealed: [...state.sealed, ...(event.sealed ?? [])] }),
  'step-offered': (state, event) =>
    turn(withStep(withdrawn(state), event.stepId, { offered: true }), 'waiting', event.at),
  // What was looked at before the person was asked is looked at again before it runs.
  'step-accepted': (state, event) =>
    turn(
      withStep(state, event.stepId, { offered: false, accepted: true, judged: null }),
      'running',
      event.at,
    ),
  'step-judged': (state, event) => {
    const { verdict, subject, fingerprint, warnings, missing } = event;
    const judged = {
      verdict,
      subject,
      fingerprint,
      ...(warnings === undefined ? {} : { warnings }),
      ...(missing === undefined ? {} : { missing }),
    };
    return { ...state, judgements: { ...state.judgements, [subject.stepId]: judged } };
  },
  'approval-needed': (state, event) => turn(asked(withdrawn(state), event), 'waiting', event.at),
  'approval-granted': (state, event) =>
    turn(decided(state, event.approvalId, 'granted', null), 'running', event.at),
  'approval-denied': (state, event) => {
    const next = decided(state, event.approvalId, 'denied', event.reason ?? null);
    return event.overruled ? next : turn(next, 'running', event.at);
  },
  'step-started': (state, event) => rangeStarted(started(state, event), event.stepId),
  'process-spawned': (state, event) => {
    const { group, heldBefore } = event;
    return state.inFlight === null
      ? state
      : { ...state, hasStrays: true, inFlight: { ...state.inFlight, spawned: { group, heldBefore } } };
  },
  'step-listens': (state, event) =>
    state.inFlight === null ? state : { ...state, inFlight: { ...state.inFlight, listens: event.ports } },
  'change-prepared': (state, event) =>
    state.inFlight === null ? state : { ...state, inFlight: { ...state.inFlight, prepared: event.changes } },
  'loop-frozen': frozen,
  'item-completed': (state, event) =>
    kept(settled(state, event, itemDone(state, event.stepId)), state, event.result),
  'question-asked': (state, event) =>
    turn(withStep(withdrawn(state), event.stepId, { asked: true }), 'waiting', event.at),
  'services-surveyed': (state, event) => surveyed(state, event.gone),
  'service-missed': (state, event) =>
    withStep(state, event.stepId, { status: 'pending', judged: null, ...anew }),
  'services-stopped': (state, event) => stopped(state, event.services),
  'step-completed': completed,
  'step-failed': (state, event) =>
    settled(remembered(state, event), event, {
      status: 'failed',
      result: event.result,
      ...struck(state, event),
    }),
  'step-retried': (state, event) => {
    const { stepId, retry, notBefore = null } = event;
    const { strikes = 0 } = stepState(state, stepId) ?? {};
    const again = {
      status: 'pending',
      judged: null,
      retries: retry,
      strikes: Math.max(0, strikes - 1),
    } as const;
    return turn(withStep(state, stepId, { ...again, notBefore }), 'running', event.at);
  },
  'step-interrupted': (state, event) => {
    const { stepId, attemptIndex, detail } = event;
    if (event.finding === 'not-started')
      return settled(rangeDropped(state, stepId), event, { status: 'pending', accepted: true });
    const where = event.host === undefined ? {} : { host: event.host };
    const interrupted = { stepId, attemptIndex, detail, asked: false, ...where };
    return { ...settled(state, event, { status: 'interrupted' }), interrupted };
  },
  'interrupt-asked': (state, event) => {
    const interrupted = state.interrupted && { ...state.interrupted, asked: true };
    return turn({ ...withdrawn(state), interrupted }, 'waiting', event.at);
  },
  'interrupt-resolved': resolved,
  'step-skipped': (state, event) => {
    const skipped = withStep(remembered(state, event), event.stepId, {
      status: 'skipped',
      skipReason: event.reason,
      offered: false,
      asked: false,
    });
    if (event.reason === 'corrected') return turn(skippedBy(skipped, event.stepId), 'running', event.at);
    return event.reason === 'declined' ? turn(withdrawn(skipped), 'running', event.at) : skipped;
  },
  'step-reset': (state, event) =>
    withStep(state, event.stepId, {
      status: 'pending',
      skipReason: null,
      judged: null,
      grants: event.grants ?? null,
      strikes: 0,
      ...anew,
      ...untried(stepState(state, event.stepId)),
    }),
  'mode-changed': modeChanged,
  'run-paused': paused,
  'run-resumed': (state, event) => resumed(checkpointsRetried(state), event),
  'processes-released': (state, event) => released(state, event.services),
  'run-finished': (state, event) => ({
    ...turn(state, event.outcome, event.at),
    ended: true,
    endedAt: event.at,
    stopReason: event.reason,
    message: event.message ?? null,
    pausedUntil: null,
  }),
  'request-refused': same,
  'refused-at-door': same,
  'budget-warning': same,
  'plan-cancelled': same,
  'model-fell-back': same,
  'context-summarised': summarised,
  'agent-thinking': agent.thinking,
  'correction-attempt': agent.proposed,
  'correction-refused': agent.refused,
  'correction-success': agent.succeeded,
  'correction-failed': agent.failed,
  'retry-attempt': agent.retried,
  'grant-wanted': agent.wanted,
  'agent-stuck': agent.givenUp,
  'agent-error': agent.givenUp,
  'precheck-overruled': agent.overruled,
  'hint-given': agent.hinted,
  'model-call-started': (state, event) => ({ ...state, spending: callStarted(state.spending, event) }),
  'model-call-finished': (state, event) => ({ ...state, spending: callFinished(state.spending, event) }),
  'checkpoint-taken': checkpointTaken,
  'checkpoint-failed': checkpointFailed,
  'rollback-started': rollbackStarted,
  'rolled-back': rolledBack,
  'place-taken': placeTaken,
  'work-carried': carried,
};

function apply(state: RunState, event: Fact, lastAt: number): RunState {
  if (isPlanningFact(event)) return applyPlanning(state, event);
  const fold: (state: RunState, event: never, lastAt: number) => RunState = folds[event.type];
  return fold(state, event as never, lastAt);
}

/** Views skip an event that this version does not know; drivers refuse the run. Whatever is known has its fold here. */
export const isKnownEvent = (event: { type: string; v: number }): boolean =>
  event.v === 1 && (Object.hasOwn(folds, event.type) || isPlanningFact(event) || isRequest(event));

const folding = { isKnown: isKnownEvent, isRequest, apply };

/** Where a person or the sandbox said no, it does not count towards the limits of the brain. */
function struck(state: RunState, { stepId, result: { why } }: EventOf<'step-failed'>): Partial<StepState> {
  const { failures = 0, strikes = 0 } = stepState(state, stepId) ?? {};
  if (why === 'precheck') return { prechecked: true };
  const counts = why !== 'denied' && why !== 'sandbox-denied';
  return { failures: failures + 1, strikes: strikes + (counts ? 1 : 0) };
}

/** A person has stepped in: what the loop made of the step no longer holds. */
const anew = { wants: null, notBefore: null, givenUp: null } as const;

/** What its plan allows it begins anew with it. */
const untried = (step: StepState | undefined) => (step?.retries === undefined ? {} : { retries: 0 });

/** The correction that was to skip this step has been applied. */
function skippedBy(state: RunState, stepId: string): RunState {
  const last = state.corrections.findLast((known) => known.stepId === stepId);
  return last === undefined ? state : agent.applied(state, last.id);
}

function claimed(state: RunState, event: EventOf<'driver-claimed'>, lastAt: number): RunState {
  const { epoch, driver, at } = event;
  // What an earlier driver judged may have changed since.
  // A consultation of theirs came to nothing.
  const next = {
    ...state,
    ranOn:
      state.ranOn.at(-1)?.host === driver.host
        ? state.ranOn
        : [...state.ranOn, { host: driver.host, since: at }],
    epoch,
    driver,
    mayTake: event.takes === true,
    judgements: {},
    thinking: null,
    spending: callsInterrupted(state.spending),
  };
  if (state.activeSince === null) return next;
  // Between the last event and this claim nobody was driving: that time does not count.
  const counted = Math.max(0, lastAt - state.activeSince);
  return { ...next, activeMs: state.activeMs + counted, activeSince: at };
}

/** What belongs to the same correction was judged with it: this step may change what it would do. */
function rejudged(state: RunState, stepId: string): RunState {
  const correction = stepState(state, stepId)?.correction ?? null;
  if (correction === null) return state;
  const isStale = (id: string) => id !== stepId && stepState(state, id)?.correction === correction;
  return { ...state, ...unjudged(state, isStale) };
}

function started(state: RunState, event: EventOf<'step-started'>): RunState {
  const { stepId, attemptIndex, deadline, at, item = null } = event;
  const inFlight = {
    stepId,
    attemptIndex,
    epoch: state.epoch,
    host: state.driver?.host ?? '',
    boot: state.driver?.boot ?? '',
    startedAt: at,
    deadline,
    item,
    spawned: null,
    prepared: null,
    listens: [],
  };
  const change = { status: 'running', attempts: attemptIndex + 1, startedAt: at, accepted: false } as const;
  const begun = withStep(withdrawn(rejudged(state, stepId)), stepId, change);
  return turn({ ...begun, performed: performedSince(state, stepId), inFlight }, 'running', at);
}

/** What was begun so far, with what begins now. */
function performedSince(state: RunState, id: string): RunState['performed'] {
  const { performed } = state;
  const { attempts = 0 } = stepState(state, id) ?? {};
  const judged = judgementOf(state, id);
  if (judged === null) return performed;
  const { subject } = judged;
  const { stepId, revision, action, cwd, env } = subject;
  const isSame = (known: PerformedAction) =>
    known.stepId === stepId && known.revision === revision && known.cwd === cwd;
  return attempts > 0 && performed.some((block) => block.some(isSame))
    ? performed
    : added(performed, { stepId, revision, action, cwd, ...(env === undefined ? {} : { env }) });
}

function completed(before: RunState, event: EventOf<'step-completed'>): RunState {
  const { result } = event;
  // A person may say of any step that it is done, whatever else the run was asking.
  const state = withdrawn(remembered(before, event));
  const done = settled(state, event, { status: 'done', result, offered: false, asked: false });
  const next = { ...kept(done, state, result), session: result.session ?? state.session };
  return turn(next, 'running', event.at);
}

function resolved(state: RunState, event: EventOf<'interrupt-resolved'>): RunState {
  const change: Record<typeof event.decision, StepMove> = {
    rerun: { status: 'pending', accepted: true },
    skip: { status: 'skipped', skipReason: 'interrupted' },
    done: stepState(state, event.stepId)?.loop ? itemDone(state, event.stepId) : { status: 'done' },
  };
  return turn(
    { ...withStep(state, event.stepId, change[event.decision]), interrupted: null },
    'running',
    event.at,
  );
}

/**
 * A pause takes back every question: what is still needed is asked again after the run is resumed. One that it stopped for
 * because nobody was there stays.
 */
function paused(state: RunState, event: EventOf<'run-paused'>): RunState {
  const asking = event.reason === 'decision-needed' ? state.steps.find(({ asked }) => asked) : undefined;
  const quiet = withdrawn(state);
  const parked = asking === undefined ? quiet : withStep(quiet, asking.id, { asked: true });
  return {
    ...turn(parked, event.reason === 'step-failed' ? 'failed' : 'paused', event.at),
    stopReason: event.reason,
    message: event.message ?? null,
    pausedUntil: event.until ?? null,
  };
}

function modeChanged(state: RunState, event: EventOf<'mode-changed'>): RunState {
  if (state.options === null) return state;
  const { mode } = state.options;
  const steppedFrom = event.stepByStep ? (state.planning?.steppedFrom ?? mode) : null;
  const planning = state.planning === null ? null : { ...state.planning, steppedFrom };
  const next = { ...state, planning, options: { ...state.options, mode: event.mode } };
  const offered = event.mode !== 'teacher' && state.steps.some((step) => step.offered);
  return offered ? turn(withdrawn(next), 'running', event.at) : next;
}

function resumed(before: RunState, event: EventOf<'run-resumed'>): RunState {
  const state = parkedQuestion(before) === null ? before : withdrawn(before);
  const next = { ...state, options: event.options };
  if (state.status !== 'paused' && state.status !== 'failed') return next;
  if (event.planning === true) return resumedPlanning(next, event.at);
  const again = (step: StepState | undefined) =>
    step?.status === 'failed' && (event.options.onFailure !== 'continue' || step.result?.why === 'aborted');
  return {
    ...turn(next, 'running', event.at),
    steps: state.steps.map(
      (step): StepState => (again(step) ? { ...step, ...anew, ...untried(step), status: 'pending' } : step),
    ),
    ...unjudged(state, (id) => again(stepState(state, id))),
  };
}
