import {
  type FactBody,
  isNowhere,
  isPlanning,
  isSameHost,
  itemAt,
  planStep,
  type RunOptions,
  type RunState,
  type StepState,
  standingOf,
} from '../contract/index.ts';
import { advance } from './advance.ts';
import { answer } from './answer.ts';
import { checkpointAfter, rollBack, rollingBack, stopForCheckpoint } from './checkpoint.ts';
import { dueStep } from './due.ts';
import { lesson, mend, overrule } from './mend.ts';
import { nextPlanning } from './planning.ts';
import { retryOwn, whyNotRetried } from './retry.ts';
import { isOverTime } from './time.ts';
import { cancelsOf, hasToRelease, look, paused, type RunEffect, record, release, rest } from './work.ts';

/**
 * What a plan run does now. Pure: the same state and time give the same effect.
 *
 *   its plan is made ──▶ see planning.ts
 *   ended ─────────────▶ refuse what still comes in, rest
 *   attempt in flight ─▶ recover (while this driver performs it, `attend` is asked instead)
 *   a rollback begun ──▶ bring it to its end
 *   an attempt ended ──▶ keep what it left
 *   request waiting ───▶ answer it
 *   not agreed ────────▶ rest until somebody decides
 *   paused ────────────▶ rest until resumed, or until the time it was paused for
 *   unknown step ──────▶ by option or by asking: rerun, skip, stop
 *   over a limit ──────▶ pause
 *   services of before ▶ look which of them still live
 *   one that is needed ▶ begin its step again
 *   its plan says so ──▶ a failed step is attempted again
 *   a correction ended ▶ say how, and let the brain learn
 *   a step failed ─────▶ mend it (agentic) │ pause, go on past it, or take it back and finish
 *   a step is due ─────▶ skip │ offer (teacher) │ judge │ refuse │ ask │ attempt
 *   no step is left ───▶ end what outlived its step, finish
 *
 *   work, and the driver is on another host than the run ──▶ rest │ take it up, where it comes from a git source and may be
 */
export function next(state: RunState, now: number): RunEffect {
  const effect = decide(state, now);
  if (effect.kind !== 'perform' || !isElsewhere(state)) return effect;
  return mayBeTaken(state) ? look({ kind: 'take', state, heard: cancelsOf(state) }) : rest('elsewhere');
}

/** Before its plan is agreed on there is nothing to do in a folder. */
const mayBeTaken = ({ gitSource, bound, place, mayTake, status }: RunState): boolean =>
  gitSource !== null && bound === null && status !== 'agreeing' && (isNowhere(place) || mayTake);

/**
 * Whoever drives it is not where it lives: what people decided is written down, and nothing is done or looked at in a
 * folder that only has the same name.
 */
const isElsewhere = ({ driver, place }: RunState): boolean =>
  driver !== null && !isSameHost(driver.host, place.host);

function decide(state: RunState, now: number): RunEffect {
  const { plan, options } = state;
  if (options === null || state.unreadable.length > 0) return rest('unreadable');
  if (isPlanning(state)) return nextPlanning(state, options, now);
  if (plan === null) return rest('unreadable');
  // Whatever is in flight when this is asked is nobody's any more.
  if (state.inFlight !== null) {
    return look({ kind: 'recover', state, step: planStep(state, state.inFlight.stepId)! });
  }
  const back = rollingBack(state);
  if (back !== null) return back;
  const left = checkpointAfter(state, options, now);
  if (left !== null) return left;
  if (state.ended && state.inbox.length === 0) return rest('finished');

  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending, now);

  if (state.status === 'agreeing') return agreeing(state, options);
  if (state.status === 'paused' || state.status === 'failed') return resting(state, options, now);
  if (state.interrupted !== null) return unknown(options, state.interrupted);
  if (isOverTime(state, options, now)) {
    return record(paused('limit-time', 'the run used up its wall time'));
  }

  if (state.services.some((service) => service.status === 'running' && service.epoch !== state.epoch)) {
    const services = state.services.filter((service) => service.status === 'running');
    return look({ kind: 'survey', services });
  }

  const missed = missedService(state);
  if (missed !== null) return record({ type: 'service-missed', ...missed });

  const again = standingOf(state.steps).failed === 0 ? null : retryOwn(state, options, now);
  if (again !== null) return again;
  const learnt = lesson(state);
  if (learnt !== null) return learnt;
  const failure = afterFailure(state, options, now);
  if (failure !== null) return failure;
  const stopped = stopForCheckpoint(state, options);
  if (stopped !== null) return stopped;

  const due = dueStep(state);
  return due === null ? finish(state) : advance(state, options, due, now);
}

/** A service that is gone though steps are left that may need it: all but the one that stops it. */
function missedService({ services, plan, steps }: RunState): { stepId: string; name: string } | null {
  const gone = services.filter(({ status }) => status === 'gone');
  for (const { name, stepId } of gone) {
    const at = steps.findIndex(({ id }) => id === stepId);
    if (itemAt(steps, at)?.status !== 'done' || plan!.steps[at]?.action.kind !== 'start') continue;
    const isNeeded = plan!.steps.some(({ action }, index) => {
      const { status } = itemAt(steps, index)!;
      const isStop = action.kind === 'stop' && action.name === name;
      return index > at && (status === 'pending' || status === 'failed') && !isStop;
    });
    if (isNeeded) return { stepId, name };
  }
  return null;
}

/** What becomes of the run because steps have failed; null where it goes on past them, or where none has. */
function afterFailure(state: RunState, options: RunOptions, now: number): RunEffect | null {
  if (standingOf(state.steps).failed === 0) return null;
  const failed = state.steps.filter((step) => step.status === 'failed');
  const first = failed[0]!;
  if (options.mode === 'agentic') {
    for (const step of failed) {
      const mending = mend(state, options, step, now);
      if (mending !== null) return mending;
    }
  }
  const untried = failed.find((step) => step.result?.why === 'precheck');
  if (untried !== undefined) return overrule(untried);
  const isDenied = first.result?.why === 'denied';
  if (options.onFailure === 'stop' || (isDenied && options.onFailure === 'rollback')) {
    return record(stopFor(state, first));
  }
  return options.onFailure === 'rollback' ? rollBack(state, first) : null;
}

function agreeing(state: RunState, options: RunOptions): RunEffect {
  if (options.onAsk !== 'deny' || state.planning?.attended === true) return rest('waiting');
  if (hasToRelease(state)) return release(state);
  return record(
    { type: 'plan-rejected', revision: state.plan!.revision, reason: 'nobody was there to agree' },
    { type: 'run-finished', outcome: 'cancelled', reason: 'plan-rejected' },
  );
}

function resting(state: RunState, options: RunOptions, now: number): RunEffect {
  const { pausedUntil } = state;
  if (pausedUntil !== null && now >= pausedUntil) return record({ type: 'run-resumed', options });
  return rest('paused', pausedUntil);
}

/** A step was in flight when its driver died, and nobody knows whether it was done. */
function unknown(options: RunOptions, what: NonNullable<RunState['interrupted']>): RunEffect {
  const { stepId, attemptIndex, detail, asked, host } = what;
  if (asked) return options.onAsk === 'wait' ? rest('waiting') : record(stopUnknown(detail));
  // It may still run there: to begin it here as well is for a person to say, whatever was said before.
  const mayRerun = options.onInterrupt === 'rerun' && host === undefined;
  if (mayRerun || options.onInterrupt === 'skip') {
    return record({
      type: 'interrupt-resolved',
      stepId,
      attemptIndex,
      decision: mayRerun ? 'rerun' : 'skip',
    });
  }
  if (options.onInterrupt === 'stop' || options.onAsk !== 'wait') return record(stopUnknown(detail));
  return record({ type: 'interrupt-asked', stepId, attemptIndex, detail });
}

const stopUnknown = (detail: string): FactBody => paused('interrupted-unknown', detail);

function stopFor(state: RunState, step: StepState): FactBody {
  const said = step.result?.message ?? 'the step failed';
  const message = [said, whyNotRetried(state, step)].filter((part) => part !== null).join('; ');
  if (step.result?.why === 'denied') return paused('approval-denied', message);
  return step.givenUp === null
    ? paused('step-failed', message)
    : paused(step.givenUp.why, step.givenUp.message);
}

function finish(state: RunState): RunEffect {
  if (hasToRelease(state)) return release(state);
  if (standingOf(state.steps).failed > 0)
    return record({ type: 'run-finished', outcome: 'failed', reason: 'step-failed' });
  const reason = state.steps.some((step) => isLeftOut(state, step)) ? 'completed-with-skips' : 'completed';
  return record({ type: 'run-finished', outcome: 'done', reason });
}

/**
 * It failed, and was then done without: what it was for is not there. A repair that was taken back is none of the plan's,
 * and what a person did not want done has not failed.
 */
const isLeftOut = (state: RunState, { id, status, failures, result }: StepState): boolean =>
  status === 'skipped' &&
  failures > 0 &&
  result?.why !== 'denied' &&
  planStep(state, id)?.repairs === undefined;
