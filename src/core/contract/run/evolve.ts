import { hashPlan } from '../canonical.ts';
import { type EventOf, isKnownEvent, type RunEvent, type StoredEvent } from '../events.ts';
import { applyPatch } from '../patch.ts';
import type { Plan, PlanPatch, Step } from '../plan.ts';
import { isRequest } from '../requests.ts';
import {
  type ApprovalState,
  initialRunState,
  type RunState,
  type RunStatus,
  type StepState,
} from './state.ts';

/**
 * The state after one more event. Total and pure: it never throws, never reads a clock, and an event that
 * it does not know or that does not fit is noted in `unreadable` and otherwise skipped.
 */
export function evolve(state: RunState, { seq, event }: Pick<StoredEvent, 'seq' | 'event'>): RunState {
  if (!isKnownEvent(event))
    return { ...state, seq, unreadable: [...state.unreadable, `${event.type} v${event.v}`] };
  if (isRequest(event)) {
    return { ...state, seq, updatedAt: event.at, inbox: [...state.inbox, { seq, request: event }] };
  }
  const answered = 'answers' in event ? event.answers : undefined;
  const inbox =
    answered === undefined ? state.inbox : state.inbox.filter((pending) => pending.seq !== answered);
  return apply({ ...state, seq, inbox, updatedAt: event.at }, event, state.updatedAt);
}

export const fold = (
  events: Iterable<Pick<StoredEvent, 'seq' | 'event'>>,
  from = initialRunState,
): RunState => {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
};

type Fact = Exclude<RunEvent, { key: string }>;

function apply(state: RunState, event: Fact, lastAt: number): RunState {
  switch (event.type) {
    case 'plan-created':
      return created(state, event);
    case 'plan-confirmed':
      return turn(state, 'running', event.at);
    case 'plan-rejected':
      return state;
    case 'plan-revised':
      return revised(state, event);
    case 'driver-claimed':
      return {
        ...state,
        epoch: event.epoch,
        driver: event.driver,
        // Between the last event and this claim nobody was driving: that time does not count.
        ...(state.activeSince === null
          ? {}
          : { activeMs: state.activeMs + Math.max(0, lastAt - state.activeSince), activeSince: event.at }),
      };
    case 'step-offered':
      return turn(withStep(withdrawn(state), event.stepId, { offered: true }), 'waiting', event.at);
    case 'step-accepted':
      return turn(withStep(state, event.stepId, { offered: false, accepted: true }), 'running', event.at);
    case 'step-judged': {
      const { verdict, subject, fingerprint } = event;
      return withStep(state, subject.stepId, { judged: { verdict, subject, fingerprint } });
    }
    case 'approval-needed':
      return turn(asked(withdrawn(state), event), 'waiting', event.at);
    case 'approval-granted':
      return turn(decided(state, event.approvalId, 'granted', null), 'running', event.at);
    case 'approval-denied':
      return turn(decided(state, event.approvalId, 'denied', event.reason ?? null), 'running', event.at);
    case 'step-started':
      return started(state, event);
    case 'process-spawned': {
      const { group, heldBefore } = event;
      return state.inFlight === null
        ? state
        : { ...state, inFlight: { ...state.inFlight, spawned: { group, heldBefore } } };
    }
    case 'step-completed':
      return completed(state, event);
    case 'step-failed':
      return settled(state, event, {
        status: 'failed',
        result: event.result,
        failures: (stepState(state, event.stepId)?.failures ?? 0) + 1,
      });
    case 'step-interrupted':
      return event.finding === 'not-started'
        ? settled(state, event, { status: 'pending', accepted: true })
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
      });
      return event.reason === 'declined' ? turn(withdrawn(skipped), 'running', event.at) : skipped;
    }
    case 'step-reset':
      return withStep(state, event.stepId, { status: 'pending', skipReason: null, judged: null });
    case 'mode-changed':
      return modeChanged(state, event);
    case 'run-paused':
      return paused(state, event);
    case 'run-resumed':
      return resumed(state, event);
    case 'processes-released':
      return { ...state, groups: [] };
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
      return state;
  }
}

/** Changes the run's status, and with it whether time counts. A run that goes on has no stop reason. */
function turn(before: RunState, status: RunStatus, at: number): RunState {
  const counts = status === 'running';
  const state = counts && before.stopReason !== null ? { ...before, ...goingOn } : before;
  if (counts === (state.activeSince !== null)) return state.status === status ? state : { ...state, status };
  return counts
    ? { ...state, status, activeSince: at }
    : {
        ...state,
        status,
        activeSince: null,
        activeMs: state.activeMs + Math.max(0, at - (state.activeSince ?? at)),
      };
}

const goingOn = { stopReason: null, message: null, pausedUntil: null } as const;

/**
 * Takes back every open question. At most one is open at a time, so whatever asks anew or moves on does
 * this first; what still has to be asked is asked again.
 */
function withdrawn(state: RunState): RunState {
  if (state.status !== 'waiting') return state;
  const open = state.approvals.some((approval) => approval.status === 'needed');
  const offered = state.steps.some((step) => step.offered);
  return {
    ...state,
    approvals: open
      ? state.approvals.map((a) => (a.status === 'needed' ? { ...a, status: 'withdrawn' } : a))
      : state.approvals,
    steps: offered
      ? state.steps.map((step) => (step.offered ? { ...step, offered: false } : step))
      : state.steps,
    interrupted: state.interrupted?.asked ? { ...state.interrupted, asked: false } : state.interrupted,
  };
}

const indexes = new WeakMap<Plan, Map<string, number>>();

/** Where a step stands in the plan. Plans are immutable, so this is counted once for each. */
function indexOf(plan: Plan | null, id: string): number {
  if (plan === null) return -1;
  let index = indexes.get(plan);
  if (index === undefined) {
    index = new Map(plan.steps.map((step, at) => [step.id, at]));
    indexes.set(plan, index);
  }
  return index.get(id) ?? -1;
}

export const stepState = (state: RunState, id: string): StepState | undefined =>
  state.steps[indexOf(state.plan, id)];

/** The step as the plan has it. */
export const planStep = (state: RunState, id: string): Step | undefined =>
  state.plan?.steps[indexOf(state.plan, id)];

function withStep(state: RunState, id: string, change: Partial<StepState>): RunState {
  const at = indexOf(state.plan, id);
  const step = state.steps[at];
  return step === undefined ? state : { ...state, steps: state.steps.with(at, { ...step, ...change }) };
}

const freshStep = (id: string, revision: number): StepState => ({
  id,
  status: 'pending',
  revision,
  attempts: 0,
  failures: 0,
  startedAt: null,
  result: null,
  skipReason: null,
  offered: false,
  accepted: false,
  judged: null,
});

function created(state: RunState, event: EventOf<'plan-created'>): RunState {
  const { plan, hash, workspace, options, at } = event;
  const excluded = new Set(options.excluded);
  return {
    ...state,
    plan,
    planHash: hash,
    workspace,
    options,
    createdAt: at,
    session: { cwd: workspace, env: {} },
    steps: plan.steps.map(({ id }) => {
      const step = freshStep(id, plan.revision);
      return excluded.has(id) ? { ...step, status: 'skipped', skipReason: 'not-selected' } : step;
    }),
  };
}

function revised(state: RunState, event: EventOf<'plan-revised'>): RunState {
  if (state.plan === null) return unreadable(state, 'plan-revised before plan-created');
  const outcome = applyPatch(state.plan, event.patch);
  if ('misfit' in outcome) return unreadable(state, `plan-revised: ${outcome.misfit}`);
  if (hashPlan(outcome.plan) !== event.hash)
    return unreadable(state, 'plan-revised: the hash does not match');
  const { plan } = outcome;
  const steps = realign(withdrawn(state), plan, event.patch);
  const next = { ...withdrawn(state), plan, planHash: event.hash, steps };
  return state.status === 'waiting' ? turn(next, 'running', event.at) : next;
}

const unreadable = (state: RunState, what: string): RunState => ({
  ...state,
  unreadable: [...state.unreadable, what],
});

/** Steps keep what they have been through; those that the patch touched begin anew at this revision. */
function realign(state: RunState, plan: Plan, patch: PlanPatch): StepState[] {
  const replaced = new Set(patch.flatMap((change) => (change.op === 'replace' ? [change.stepId] : [])));
  const before = new Map(state.steps.map((step) => [step.id, step]));
  return plan.steps.map(({ id }) => {
    const known = before.get(id);
    if (known === undefined) return freshStep(id, plan.revision);
    if (!replaced.has(id)) return known;
    return { ...freshStep(id, plan.revision), attempts: known.attempts, failures: known.failures };
  });
}

function asked(state: RunState, event: EventOf<'approval-needed'>): RunState {
  const { approvalId, fingerprint, verdict, subject } = event;
  const approval: ApprovalState = {
    id: approvalId,
    stepId: subject.stepId,
    fingerprint,
    verdict,
    subject,
    status: 'needed',
    reason: null,
  };
  return { ...state, approvals: [...state.approvals, approval] };
}

function decided(state: RunState, id: string, status: 'granted' | 'denied', reason: string | null): RunState {
  const approval = state.approvals.find((candidate) => candidate.id === id);
  if (approval === undefined) return state;
  const approvals = state.approvals.map((a) => (a === approval ? { ...a, status, reason } : a));
  // What was judged before the person looked away is judged again before it runs.
  return withStep({ ...state, approvals }, approval.stepId, { judged: null });
}

function started(state: RunState, event: EventOf<'step-started'>): RunState {
  const { stepId, attemptIndex, deadline, at } = event;
  const inFlight = {
    stepId,
    attemptIndex,
    epoch: state.epoch,
    boot: state.driver?.boot ?? '',
    startedAt: at,
    deadline,
    spawned: null,
  };
  const change = { status: 'running', attempts: attemptIndex + 1, startedAt: at, accepted: false } as const;
  return turn({ ...withStep(withdrawn(state), stepId, change), inFlight }, 'running', at);
}

/** The attempt is over, whatever came of it. */
function settled(
  state: RunState,
  event: { stepId: string; attemptIndex: number },
  change: Partial<StepState>,
): RunState {
  const step = stepState(state, event.stepId);
  const attempts = Math.max(step?.attempts ?? 0, event.attemptIndex + 1);
  return withStep({ ...state, inFlight: null }, event.stepId, { judged: null, attempts, ...change });
}

function completed(state: RunState, event: EventOf<'step-completed'>): RunState {
  const { result } = event;
  const group = result.leftover ? state.inFlight?.spawned?.group : undefined;
  const done = settled(state, event, { status: 'done', result, offered: false });
  return turn(
    {
      ...done,
      session: result.session ?? state.session,
      groups: group === undefined ? state.groups : [...state.groups, group],
    },
    'running',
    event.at,
  );
}

function resolved(state: RunState, event: EventOf<'interrupt-resolved'>): RunState {
  const change: Record<typeof event.decision, Partial<StepState>> = {
    rerun: { status: 'pending', accepted: true },
    skip: { status: 'skipped', skipReason: 'interrupted' },
    done: { status: 'done' },
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
  const again = (step: StepState) =>
    step.status === 'failed' && (event.options.onFailure === 'stop' || step.result?.why === 'aborted');
  return {
    ...turn(next, 'running', event.at),
    steps: state.steps.map((step) => (again(step) ? { ...step, status: 'pending', judged: null } : step)),
  };
}
