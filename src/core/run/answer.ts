import {
  actorWords,
  applyPatch,
  type FactBody,
  hashPlan,
  isPlanning,
  type PendingRequest,
  type PlanChange,
  planStep,
  type RunOptions,
  type RunState,
  type ServiceState,
  type Step,
  type StepState,
  standingOf,
  stepState,
  stepsIn,
} from '../contract/index.ts';
import { newError } from '../plan/validate/index.ts';
import { findSecretLiteral } from '../risk/secrets/index.ts';
import {
  type Answering,
  answered,
  approval,
  interrupt,
  type Refuse,
  type Request,
  taught,
} from './decisions.ts';
import { dueStep } from './due.ts';
import { answerPlanning, replan } from './planning-requests.ts';
import { hasToRelease, look, type RunEffect, record, release } from './work.ts';

/**
 * Answers one request, with no attempt in flight: with the fact that makes it so, or with a refusal that
 * says why. Every request is answered exactly once.
 */
export function answer(state: RunState, { seq, request }: PendingRequest, now: number): RunEffect {
  const refuse: Refuse = (code, message) => record({ type: 'request-refused', answers: seq, code, message });
  if (request.type === 'service-stop-requested') return stopServices(state, request, seq, refuse, now);
  // What a run has kept running beyond its end is ended by a cancel all the same.
  if (state.ended && request.type === 'cancel-requested' && state.services.some(runs))
    return look({ kind: 'stop', services: state.services.filter(runs), answers: seq });
  if (state.ended) return refuse('run-ended', 'the run has ended');
  if (request.type === 'cancel-requested') return cancel(state, seq, request.reason);
  if (request.type === 'resume-requested') return resume(state, request, seq);
  const planning = isPlanning(state) ? answerPlanning(state, request, seq, refuse, now) : null;
  if (planning !== null) return planning;
  if (request.type === 'plan-decided') return agree(state, request, seq, refuse, now);
  if (request.type === 'replan-requested') return replan(state, request, seq, refuse, now);
  if (state.status === 'agreeing' && request.type !== 'edit-requested' && request.type !== 'mode-requested') {
    return refuse('not-agreed', 'the plan has not been agreed on yet');
  }
  switch (request.type) {
    case 'pause-requested':
      return pause(state, request, seq, refuse, now);
    case 'mode-requested':
      return record({ type: 'mode-changed', mode: request.mode, answers: seq });
    case 'edit-requested':
      return edit(state, request, seq, refuse, now);
    case 'serve-requested':
      return serve(state, request, seq, refuse, now);
    case 'skip-requested':
      return skip(state, request, seq, refuse, now);
    case 'retry-requested':
      return retry(state, request, seq, refuse, now);
    case 'hint-requested':
      return hint(state, request, seq, refuse, now);
    case 'approval-decided':
      return approval(state, request, seq, refuse, now);
    case 'step-decided':
      return taught(state, request, seq, refuse, now);
    case 'answer-given':
      return answered(state, request, seq, refuse, now);
    case 'interrupt-decided':
      return interrupt(state, request, seq, refuse, now);
    case 'plan-given':
      return refuse('already-planned', 'the run has a plan: edit it');
  }
}

const runs = ({ status }: ServiceState): boolean => status === 'running';

const stopServices: Answering<'service-stop-requested'> = (state, { name }, answers, refuse) => {
  const services = state.services.filter((one) => runs(one) && (name === undefined || one.name === name));
  if (services.length > 0) return look({ kind: 'stop', services, answers });
  return refuse('no-such-service', name === undefined ? 'no service runs' : `no service ${name} runs`);
};

/** A person tells the brain what it does not know: the step that failed is looked at once more. */
const hint: Answering<'hint-requested'> = (state, { stepId, text }, answers, refuse) => {
  const step = stepState(state, stepId);
  if (step === undefined) return refuse('no-such-step', `there is no step ${stepId}`);
  if (step.status !== 'failed') return refuse('step-not-failed', `step ${stepId} is ${step.status}`);
  if (state.options!.mode !== 'agentic') {
    return refuse('not-agentic', 'only in agentic mode is there a brain to tell it to');
  }
  return record({ type: 'hint-given', stepId, text, answers });
};

/** With an attempt in flight, only this is answered before the boundary: an edit of that very step. */
export function refuseInFlight(state: RunState, inFlight: string) {
  const edits = state.inbox.find(
    ({ request }) => request.type === 'edit-requested' && request.patch.some((c) => touches(c, inFlight)),
  );
  const message = isRunning(inFlight);
  return edits && record({ type: 'request-refused', answers: edits.seq, code: 'step-in-flight', message });
}

const isRunning = (stepId: string): string => `step ${stepId} is running and cannot be edited`;

/** A loop that goes on is running between its items too: begun anew, it would do again what is done. */
const isBetweenItems = ({ status }: RunState, { status: step, loop }: StepState): boolean =>
  status === 'running' && step === 'pending' && loop !== null && loop.done > 0;

const touches = (change: PlanChange, stepId: string): boolean =>
  change.op === 'insert' ? change.before === stepId : change.stepId === stepId;

function cancel(state: RunState, answers: number, reason: string | undefined): RunEffect {
  if (hasToRelease(state)) return release(state);
  return record({
    type: 'run-finished',
    outcome: 'cancelled',
    reason: 'cancelled',
    answers,
    ...(reason === undefined ? {} : { message: reason }),
  });
}

const agree: Answering<'plan-decided'> = (state, request, answers, refuse) => {
  if (state.status !== 'agreeing') return refuse('already-agreed', 'the plan has been agreed on');
  const { revision } = state.plan!;
  if (request.revision !== revision) {
    return refuse('stale-revision', `the plan is at revision ${revision} now: look again`);
  }
  if (request.decision === 'cancel') {
    if (hasToRelease(state)) return release(state);
    const reason = request.reason === undefined ? {} : { reason: request.reason };
    return record(
      { type: 'plan-rejected', revision, answers, ...reason },
      { type: 'run-finished', outcome: 'cancelled', reason: 'plan-rejected' },
    );
  }
  const approves = request.approves === undefined ? {} : { approves: request.approves };
  const confirmed: FactBody = { type: 'plan-confirmed', revision, answers, ...approves };
  const mode = request.decision === 'all' ? state.planning?.steppedFrom : 'teacher';
  if (mode == null) return record(confirmed);
  const how = request.decision === 'all' ? {} : { stepByStep: true as const };
  return record(confirmed, { type: 'mode-changed', mode, answers, ...how });
};

function resume(state: RunState, request: Request<'resume-requested'>, answers: number): RunEffect {
  const planning = isPlanning(state) ? ({ planning: true } as const) : {};
  const options = resumeOptions(state.options!, request);
  return record({ type: 'run-resumed', options, answers, ...planning });
}

function resumeOptions(options: RunOptions, request: Request<'resume-requested'>): RunOptions {
  return {
    ...options,
    ...(request.onAsk === undefined ? {} : { onAsk: request.onAsk }),
    ...(request.onInterrupt === undefined ? {} : { onInterrupt: request.onInterrupt }),
    ...(request.checkpoints === undefined ? {} : { checkpoints: request.checkpoints }),
    ...(request.brain === undefined ? {} : { brain: request.brain }),
    limits: { ...options.limits, ...withoutUndefined(request.limits ?? {}) },
  };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };
const withoutUndefined = <T extends object>(object: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >;

const pause: Answering<'pause-requested'> = (state, request, answers, refuse, now) => {
  if (state.status === 'paused' || state.status === 'failed') {
    return refuse('already-paused', 'the run is not going on');
  }
  // With nothing left to do it would rest for ever as if it were not done.
  if (state.status === 'running' && isThrough(state)) {
    return refuse('nothing-left', 'no step is left to rest before: the run ends');
  }
  const until = request.until !== undefined && request.until > now ? { until: request.until } : {};
  return record({ type: 'run-paused', reason: 'paused', answers, ...until });
};

const isThrough = (state: RunState): boolean =>
  state.interrupted === null && standingOf(state.steps).failed === 0 && dueStep(state) === null;

const isSettled = (step: StepState): boolean =>
  step.status === 'done' || (step.status === 'skipped' && step.skipReason !== 'not-selected');

const edit: Answering<'edit-requested'> = (state, request, answers, refuse) => {
  const plan = state.plan!;
  if (request.baseRevision !== plan.revision) {
    return refuse('stale-revision', `the plan is at revision ${plan.revision} now: look again`);
  }
  const settled = state.steps.find(
    (s) => isSettled(s) && request.patch.some((change) => touches(change, s.id)),
  );
  if (settled !== undefined)
    return refuse('step-finished', `step ${settled.id} is over and cannot be edited`);
  const going = state.steps.find(
    (s) => isBetweenItems(state, s) && request.patch.some((change) => touches(change, s.id)),
  );
  if (going !== undefined) return refuse('step-in-flight', isRunning(going.id));
  if (state.interrupted !== null && request.patch.some((c) => touches(c, state.interrupted!.stepId))) {
    return refuse('step-unknown', 'decide first what became of the interrupted step');
  }
  // Nobody but an undo writes a restore.
  if (stepsIn(request.patch).some(({ action }) => action.kind === 'restore')) {
    return refuse('action-not-allowed', 'only an undo puts back what a run changed: planwright undo');
  }
  const outcome = applyPatch(plan, request.patch);
  if ('misfit' in outcome) return refuse('misfit', outcome.misfit);
  const problem = newError(plan, outcome.plan, { findSecret: findSecretLiteral });
  if (problem !== null) return refuse(problem.code, `${problem.message} ${problem.mend}`);
  return record({
    type: 'plan-revised',
    revision: outcome.plan.revision,
    patch: request.patch,
    hash: hashPlan(outcome.plan),
    reason: request.reason,
    source: actorWords(request.by),
    answers,
  });
};

/** What was run in the foreground is a server: from now on its step is a START of the same command. */
const serve: Answering<'serve-requested'> = (state, { stepId, port, by }, answers, refuse) => {
  const step = planStep(state, stepId);
  const status = stepState(state, stepId)?.status;
  if (step === undefined) return refuse('no-such-step', `there is no step ${stepId}`);
  if (status !== 'pending' && status !== 'failed')
    return refuse('step-settled', `step ${stepId} is ${status}`);
  const { action } = step;
  if (action.kind !== 'run-command') return refuse('not-a-command', `step ${stepId} is not one command`);
  const start = { kind: 'start', name: `port-${port}`, command: action.command, keep: false } as const;
  const served: Step = { ...step, action: start, expects: `port ${port} open` };
  const patch: PlanChange[] = [{ op: 'replace', stepId, step: served }];
  const outcome = applyPatch(state.plan!, patch);
  if ('misfit' in outcome) return refuse('misfit', outcome.misfit);
  const problem = newError(state.plan!, outcome.plan, { findSecret: findSecretLiteral });
  if (problem !== null) return refuse(problem.code, `${problem.message} ${problem.mend}`);
  return record({
    type: 'plan-revised',
    revision: outcome.plan.revision,
    patch,
    hash: hashPlan(outcome.plan),
    reason: `it serves port ${port}`,
    source: actorWords(by),
    answers,
  });
};

/** A run that a failed step stopped goes on when a person says what becomes of that step. */
const goOn = (state: RunState): FactBody[] =>
  state.status === 'failed' || state.stopReason === 'agent-stuck' || state.stopReason === 'agent-error'
    ? [{ type: 'run-resumed', options: state.options! }]
    : [];

const skip: Answering<'skip-requested'> = (state, request, answers, refuse) => {
  const step = stepState(state, request.stepId);
  if (step === undefined) return refuse('no-such-step', `there is no step ${request.stepId}`);
  if (step.status !== 'pending' && step.status !== 'failed') {
    return refuse('step-settled', `step ${step.id} is ${step.status}`);
  }
  const detail = request.reason === undefined ? {} : { detail: request.reason };
  const asked = state.approvals.some((a) => a.stepId === step.id && a.status === 'needed');
  const reason = step.offered || step.asked || asked ? 'declined' : 'requested';
  const skipped: FactBody = { type: 'step-skipped', stepId: step.id, reason, answers, ...detail };
  return record(skipped, ...(step.status === 'failed' ? goOn(state) : []));
};

const retry: Answering<'retry-requested'> = (state, request, answers, refuse) => {
  const { stepId, grants } = request;
  const step = stepState(state, stepId);
  if (step === undefined) return refuse('no-such-step', `there is no step ${stepId}`);
  if (step.status !== 'failed' && step.status !== 'skipped') {
    return refuse('step-not-failed', `step ${step.id} is ${step.status}`);
  }
  const more = grants === undefined ? {} : { grants };
  return record({ type: 'step-reset', stepId, answers, ...more }, ...goOn(state));
};
