import {
  type FactBody,
  planStep,
  type RunOptions,
  type RunState,
  type Step,
  type StepState,
  stepState,
} from '../../contract/index.ts';
import { isApproved } from '../gate.ts';
import { answer, refuseInFlight } from './answer.ts';
import { failedResult } from './results.ts';
import { type RunEffect, record, release, rest } from './work.ts';

/**
 * What a plan run does now. Pure: the same state and time give the same effect.
 *
 *   ended ─────────────▶ refuse what still comes in, rest
 *   attempt in flight ─▶ of an earlier driver: recover │ of this one: refuse, abort or await
 *   request waiting ───▶ answer it
 *   not agreed ────────▶ rest until somebody decides
 *   paused ────────────▶ rest until resumed, or until the time it was paused for
 *   unknown step ──────▶ by option or by asking: rerun, skip, stop
 *   over a limit ──────▶ pause
 *   a step failed ─────▶ pause, or go on past it
 *   a step is due ─────▶ skip │ offer (teacher) │ judge │ refuse │ ask │ attempt
 *   no step is left ───▶ end what outlived its step, finish
 */
export function next(state: RunState, now: number): RunEffect {
  const { plan, options } = state;
  if (plan === null || options === null || state.unreadable.length > 0) return rest('unreadable');
  if (state.inFlight !== null) return inFlight(state, now);
  if (state.ended && state.inbox.length === 0) return rest('finished');

  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending, now);

  if (state.status === 'agreeing') return agreeing(state, options);
  if (state.status === 'paused' || state.status === 'failed') return paused(state, options, now);
  if (state.interrupted !== null) return unknown(options, state.interrupted);
  if (isOverTime(state, options, now)) {
    return record({ type: 'run-paused', reason: 'limit-time', message: 'the run used up its wall time' });
  }

  const failed = state.steps.find((step) => step.status === 'failed');
  if (failed !== undefined && options.onFailure === 'stop') return record(stopFor(failed, options));

  const due = dueStep(state);
  return due === null ? finish(state) : advance(state, options, due, now);
}

function inFlight(state: RunState, now: number): RunEffect {
  const flight = state.inFlight!;
  if (flight.epoch !== state.epoch) {
    return {
      kind: 'perform',
      intent: [],
      work: { kind: 'recover', state, step: planStep(state, flight.stepId)! },
    };
  }
  const refusal = refuseInFlight(state, flight.stepId);
  if (refusal !== null) return refusal;
  const asked = state.inbox.map(({ request }) => request);
  if (asked.some(({ type }) => type === 'cancel-requested')) return { kind: 'abort', why: 'cancelled' };
  if (asked.some((r) => r.type === 'skip-requested' && r.stepId === flight.stepId)) {
    return { kind: 'abort', why: 'skipped' };
  }
  if (flight.deadline !== null && now >= flight.deadline) return { kind: 'abort', why: 'timeout' };
  if (isOverTime(state, state.options!, now)) return { kind: 'abort', why: 'limit' };
  return { kind: 'await', until: earliest(flight.deadline, timeLimit(state, state.options!)) };
}

function agreeing(state: RunState, options: RunOptions): RunEffect {
  if (options.onAsk !== 'deny') return rest('waiting');
  return record(
    { type: 'plan-rejected', revision: state.plan!.revision, reason: 'nobody was there to agree' },
    { type: 'run-finished', outcome: 'cancelled', reason: 'plan-rejected' },
  );
}

function paused(state: RunState, options: RunOptions, now: number): RunEffect {
  const { pausedUntil } = state;
  if (pausedUntil !== null && now >= pausedUntil) return record({ type: 'run-resumed', options });
  return rest('paused', pausedUntil);
}

/** A step was in flight when its driver died, and nobody knows whether it was done. */
function unknown(options: RunOptions, what: NonNullable<RunState['interrupted']>): RunEffect {
  const { stepId, attemptIndex, detail, asked } = what;
  if (asked) return options.onAsk === 'wait' ? rest('waiting') : record(stopUnknown(detail));
  if (options.onInterrupt === 'rerun' || options.onInterrupt === 'skip') {
    return record({ type: 'interrupt-resolved', stepId, attemptIndex, decision: options.onInterrupt });
  }
  if (options.onInterrupt === 'stop' || options.onAsk !== 'wait') return record(stopUnknown(detail));
  return record({ type: 'interrupt-asked', stepId, attemptIndex, detail });
}

const stopUnknown = (detail: string): FactBody => ({
  type: 'run-paused',
  reason: 'interrupted-unknown',
  message: detail,
});

function stopFor(step: StepState, options: RunOptions): FactBody {
  const message = step.result?.message ?? 'the step failed';
  if (step.result?.why === 'denied') return { type: 'run-paused', reason: 'approval-denied', message };
  if (options.mode === 'agentic') {
    return { type: 'run-paused', reason: 'agent-error', message: `${message}; no brain could mend it` };
  }
  return { type: 'run-paused', reason: 'step-failed', message };
}

/** The first pending step whose dependencies are all settled; in a circle of dependencies, simply the first. */
function dueStep(state: RunState): { step: Step; stepState: StepState } | null {
  let first: number | null = null;
  for (const [index, stepState] of state.steps.entries()) {
    if (stepState.status !== 'pending') continue;
    first ??= index;
    const step = state.plan!.steps[index]!;
    if (!step.after?.some((id) => statusOf(state, id) === 'pending')) return { step, stepState };
  }
  return first === null ? null : { step: state.plan!.steps[first]!, stepState: state.steps[first]! };
}

const statusOf = (state: RunState, id: string) => stepState(state, id)?.status;

function advance(
  state: RunState,
  options: RunOptions,
  { step, stepState }: { step: Step; stepState: StepState },
  now: number,
): RunEffect {
  const unmet = step.after?.find((id) => !isSatisfied(state, id));
  if (unmet !== undefined) {
    return record({ type: 'step-skipped', stepId: step.id, reason: 'dependency', detail: unmet });
  }
  if (options.mode === 'teacher' && !stepState.accepted) return offer(stepState, options);
  const { judged } = stepState;
  if (judged === null)
    return { kind: 'perform', intent: [], work: { kind: 'judge', state, step, stepState } };
  const refused = (why: 'blocked' | 'denied', message: string): FactBody => ({
    type: 'step-failed',
    stepId: step.id,
    attemptIndex: stepState.attempts,
    result: failedResult(why, message),
  });
  if (judged.verdict.level === 'blocked') {
    return record(refused('blocked', judged.verdict.reasons[0]?.sentence ?? 'it is blocked'));
  }
  if (judged.verdict.level === 'dangerous' && !isApproved(state, judged.fingerprint)) {
    return ask(state, options, judged, refused);
  }
  const timeout = step.timeoutMs ?? options.stepTimeoutMs;
  return {
    kind: 'perform',
    intent: [
      {
        type: 'step-started',
        stepId: step.id,
        attemptIndex: stepState.attempts,
        revision: stepState.revision,
        fingerprint: judged.fingerprint,
        cwd: state.session.cwd,
        deadline: timeout === null ? null : now + timeout,
      },
    ],
    work: { kind: 'attempt', state, step, stepState, attemptIndex: stepState.attempts },
  };
}

/** A step that the person left out is as good as done for those that come after it. */
function isSatisfied(state: RunState, id: string): boolean {
  const step = stepState(state, id);
  return step?.status === 'done' || step?.skipReason === 'not-selected';
}

function offer(step: StepState, options: RunOptions): RunEffect {
  if (step.offered && options.onAsk === 'wait') return rest('waiting');
  if (options.onAsk === 'wait') return record({ type: 'step-offered', stepId: step.id });
  return record({
    type: 'run-paused',
    reason: 'decision-needed',
    message: 'in teacher mode a person runs each step, and nobody was there',
  });
}

function ask(
  state: RunState,
  options: RunOptions,
  judged: NonNullable<StepState['judged']>,
  refused: (why: 'denied', message: string) => FactBody,
): RunEffect {
  const { verdict, subject, fingerprint } = judged;
  const open = state.approvals.find((a) => a.fingerprint === fingerprint && a.status === 'needed');
  const denied = (approvalId: string): FactBody[] => [
    { type: 'approval-denied', approvalId, reason: 'nobody was there to approve' },
    refused('denied', 'nobody was there to approve it'),
  ];
  if (open !== undefined) {
    if (options.onAsk === 'wait') return rest('waiting');
    return options.onAsk === 'deny' ? record(...denied(open.id)) : record(stopForApproval);
  }
  const approvalId = `${subject.stepId}.${state.approvals.length + 1}`;
  const needed: FactBody = { type: 'approval-needed', approvalId, verdict, subject, fingerprint };
  if (options.onAsk === 'wait') return record(needed);
  return options.onAsk === 'deny' ? record(needed, ...denied(approvalId)) : record(needed, stopForApproval);
}

const stopForApproval: FactBody = {
  type: 'run-paused',
  reason: 'approval-needed',
  message: 'a dangerous step needs an approval, and nobody was there',
};

function finish(state: RunState): RunEffect {
  if (state.groups.length > 0) return release(state);
  const failed = state.steps.some((step) => step.status === 'failed');
  return record({
    type: 'run-finished',
    outcome: failed ? 'failed' : 'done',
    reason: failed ? 'step-failed' : 'completed',
  });
}

const timeLimit = (state: RunState, options: RunOptions): number | null =>
  options.limits.wallMs === null || state.activeSince === null
    ? null
    : state.activeSince + options.limits.wallMs - state.activeMs;

function isOverTime(state: RunState, options: RunOptions, now: number): boolean {
  const limit = timeLimit(state, options);
  return limit !== null && now >= limit;
}

const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
