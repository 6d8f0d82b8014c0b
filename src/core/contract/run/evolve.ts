import { type EventOf, isKnownEvent, type RunEvent } from '../events.ts';
import { isPlanningFact } from '../facts/planning.ts';
import { isRequest, type RequestEvent } from '../requests.ts';
import { callFinished, callStarted, callsInterrupted } from '../stream/spending.ts';
import { evolveStream, type Stored } from '../stream/state.ts';
import * as agent from './agent.ts';
import { agreed, asked, decided } from './approvals.ts';
import { frozen, kept, released, surveyed } from './keep.ts';
import { applyPlanning, isPlanning, planned, resumedPlanning } from './planning.ts';
import { created, revised } from './plans.ts';
import { initialRunState, type RunState, type StepState } from './state.ts';
import { itemDone, settled, stepState, turn, withdrawn, withStep } from './steps.ts';
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

function apply(state: RunState, event: Fact, lastAt: number): RunState {
  if (isPlanningFact(event)) return applyPlanning(state, event);
  switch (event.type) {
    case 'plan-created':
      return planned(created(state, event), event.at);
    case 'plan-confirmed':
      return turn(agreed(state, event), 'running', event.at);
    case 'plan-rejected':
      return state;
    case 'plan-revised':
      return isPlanning(state) ? planned(revised(state, event), event.at) : revised(state, event);
    case 'driver-claimed':
      return claimed(state, event, lastAt);
    case 'environment-differs':
      return { ...state, sealed: [...state.sealed, ...(event.sealed ?? [])] };
    case 'step-offered':
      return turn(withStep(withdrawn(state), event.stepId, { offered: true }), 'waiting', event.at);
    case 'step-accepted':
      return turn(withStep(state, event.stepId, { offered: false, accepted: true }), 'running', event.at);
    case 'step-judged': {
      const { verdict, subject, fingerprint, warnings } = event;
      const judged = { verdict, subject, fingerprint, ...(warnings === undefined ? {} : { warnings }) };
      return withStep(state, subject.stepId, { judged });
    }
    case 'approval-needed':
      return turn(asked(withdrawn(state), event), 'waiting', event.at);
    case 'approval-granted':
      return turn(decided(state, event.approvalId, 'granted', null), 'running', event.at);
    case 'approval-denied':
      return turn(decided(state, event.approvalId, 'denied', event.reason ?? null), 'running', event.at);
    case 'step-started':
      return rangeStarted(started(state, event), event.stepId);
    case 'process-spawned': {
      const { group, heldBefore } = event;
      return state.inFlight === null
        ? state
        : { ...state, hasStrays: true, inFlight: { ...state.inFlight, spawned: { group, heldBefore } } };
    }
    case 'change-prepared':
      return state.inFlight === null
        ? state
        : { ...state, inFlight: { ...state.inFlight, prepared: event.changes } };
    case 'loop-frozen':
      return frozen(state, event);
    case 'item-completed':
      return kept(settled(state, event, itemDone(state, event.stepId)), state, event.result);
    case 'question-asked':
      return turn(withStep(withdrawn(state), event.stepId, { asked: true }), 'waiting', event.at);
    case 'services-surveyed':
      return surveyed(state, event.gone);
    case 'step-completed':
      return completed(state, event);
    case 'step-failed':
      return settled(state, event, {
        status: 'failed',
        result: event.result,
        ...struck(state, event),
      });
    case 'step-interrupted':
      return event.finding === 'not-started'
        ? settled(rangeDropped(state, event.stepId), event, { status: 'pending', accepted: true })
        : {
            ...settled(state, event, { status: 'interrupted' }),
            interrupted: {
              stepId: event.stepId,
              attemptIndex: event.attemptIndex,
              detail: event.detail,
              asked: false,
            },
          };
    case 'interrupt-asked': {
      const interrupted = state.interrupted && { ...state.interrupted, asked: true };
      return turn({ ...withdrawn(state), interrupted }, 'waiting', event.at);
    }
    case 'interrupt-resolved':
      return resolved(state, event);
    case 'step-skipped': {
      const skipped = withStep(state, event.stepId, {
        status: 'skipped',
        skipReason: event.reason,
        offered: false,
        asked: false,
      });
      if (event.reason === 'corrected') return turn(skippedBy(skipped, event.stepId), 'running', event.at);
      return event.reason === 'declined' ? turn(withdrawn(skipped), 'running', event.at) : skipped;
    }
    case 'step-reset':
      return withStep(state, event.stepId, {
        status: 'pending',
        skipReason: null,
        judged: null,
        grants: event.grants ?? null,
        strikes: 0,
        ...anew,
      });
    case 'mode-changed':
      return modeChanged(state, event);
    case 'run-paused':
      return paused(state, event);
    case 'run-resumed':
      return resumed(checkpointsRetried(state), event);
    case 'processes-released':
      return released(state, event.services);
    case 'run-finished':
      return {
        ...turn(state, event.outcome, event.at),
        ended: true,
        endedAt: event.at,
        stopReason: event.reason,
        message: event.message ?? null,
        pausedUntil: null,
      };
    case 'request-refused':
    case 'budget-warning':
    case 'plan-cancelled':
    case 'model-fell-back':
      return state;
    case 'agent-thinking':
      return agent.thinking(state, event);
    case 'correction-attempt':
      return agent.proposed(state, event);
    case 'correction-refused':
      return agent.refused(state, event);
    case 'correction-success':
      return agent.succeeded(state, event);
    case 'correction-failed':
      return agent.failed(state, event);
    case 'retry-attempt':
      return agent.retried(state, event);
    case 'grant-wanted':
      return agent.wanted(state, event);
    case 'agent-stuck':
    case 'agent-error':
      return agent.givenUp(state, event);
    case 'precheck-overruled':
      return agent.overruled(state, event);
    case 'hint-given':
      return agent.hinted(state, event);
    case 'model-call-started':
      return { ...state, spending: callStarted(state.spending, event) };
    case 'model-call-finished':
      return { ...state, spending: callFinished(state.spending, event) };
    case 'checkpoint-taken':
      return checkpointTaken(state, event);
    case 'checkpoint-failed':
      return checkpointFailed(state, event);
    case 'rollback-started':
      return rollbackStarted(state, event);
    case 'rolled-back':
      return rolledBack(state, event);
  }
}

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

/** The correction that was to skip this step has been applied. */
function skippedBy(state: RunState, stepId: string): RunState {
  const last = state.corrections.findLast((known) => known.stepId === stepId);
  return last === undefined ? state : agent.applied(state, last.id);
}

function claimed(state: RunState, event: EventOf<'driver-claimed'>, lastAt: number): RunState {
  const { epoch, driver, at } = event;
  // What an earlier driver judged may have changed since.
  const stale = state.steps.some((step) => step.judged !== null);
  const steps = stale ? state.steps.map((step) => ({ ...step, judged: null })) : state.steps;
  // A consultation of theirs came to nothing.
  const next = { ...state, epoch, driver, steps, thinking: null, spending: callsInterrupted(state.spending) };
  if (state.activeSince === null) return next;
  // Between the last event and this claim nobody was driving: that time does not count.
  const counted = Math.max(0, lastAt - state.activeSince);
  return { ...next, activeMs: state.activeMs + counted, activeSince: at };
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
  };
  const change = { status: 'running', attempts: attemptIndex + 1, startedAt: at, accepted: false } as const;
  return turn({ ...withStep(withdrawn(state), stepId, change), inFlight }, 'running', at);
}

function completed(before: RunState, event: EventOf<'step-completed'>): RunState {
  const { result } = event;
  // A person may say of any step that it is done, whatever else the run was asking.
  const state = withdrawn(before);
  const done = settled(state, event, { status: 'done', result, offered: false, asked: false });
  const next = { ...kept(done, state, result), session: result.session ?? state.session };
  return turn(next, 'running', event.at);
}

function resolved(state: RunState, event: EventOf<'interrupt-resolved'>): RunState {
  const change: Record<typeof event.decision, Partial<StepState>> = {
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

/** A pause takes back every question: what is still needed is asked again after the run is resumed. */
function paused(state: RunState, event: EventOf<'run-paused'>): RunState {
  return {
    ...turn(withdrawn(state), event.reason === 'step-failed' ? 'failed' : 'paused', event.at),
    stopReason: event.reason,
    message: event.message ?? null,
    pausedUntil: event.until ?? null,
  };
}

function modeChanged(state: RunState, event: EventOf<'mode-changed'>): RunState {
  if (state.options === null) return state;
  const next = { ...state, options: { ...state.options, mode: event.mode } };
  const offered = event.mode !== 'teacher' && state.steps.some((step) => step.offered);
  return offered ? turn(withdrawn(next), 'running', event.at) : next;
}

function resumed(state: RunState, event: EventOf<'run-resumed'>): RunState {
  const next = { ...state, options: event.options };
  if (state.status !== 'paused' && state.status !== 'failed') return next;
  if (event.planning === true) return resumedPlanning(next, event.at);
  const again = (step: StepState) =>
    step.status === 'failed' && (event.options.onFailure !== 'continue' || step.result?.why === 'aborted');
  return {
    ...turn(next, 'running', event.at),
    steps: state.steps.map((step) =>
      again(step) ? { ...step, ...anew, status: 'pending', judged: null } : step,
    ),
  };
}
