import type { RunState, RunStatus, StepResult } from '../../../core/contract/index.ts';
import { numberedSteps, numberOf, openQuestion, stepName, tally } from './steps.ts';

/** The sentences of the terminal view: what a run is doing, and why it does not go on. */

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `step 3 of 9`. */
export function placeOf(state: RunState, stepId: string): string {
  const name = stepName(state.plan, stepId);
  return numberOf(state.plan, stepId) === null ? name : `${name} of ${numberedSteps(state.plan)}`;
}

/** What the run is doing now, without a full stop: "Running step 3 of 9, attempt 2". */
export function stateSentence(state: RunState): string {
  switch (state.status) {
    case 'planning':
      return planningSentence(state);
    case 'agreeing':
      return state.plan === null ? 'Getting ready' : 'The plan waits for your agreement';
    case 'running':
      return runningSentence(state);
    case 'recovering':
      return recoveringSentence(state);
    case 'waiting':
      return waitingSentence(state);
    default:
      return stopSentence(state);
  }
}

function runningSentence(state: RunState): string {
  const asked = new Set(state.inbox.map(({ request }) => request.type));
  if (asked.has('cancel-requested')) return 'Cancelling';
  const { inFlight } = state;
  if (inFlight === null) {
    const next = state.steps.find(({ status }) => status === 'pending');
    return next === undefined ? 'Finishing' : `Preparing ${placeOf(state, next.id)}`;
  }
  const step = state.plan?.steps.find(({ id }) => id === inFlight.stepId);
  const doing =
    step?.repairs === undefined ? `Running ${placeOf(state, inFlight.stepId)}` : mending(state, step.repairs);
  const attempt =
    inFlight.item !== null
      ? `, item ${inFlight.item + 1}`
      : inFlight.attemptIndex > 0
        ? `, attempt ${inFlight.attemptIndex + 1}`
        : '';
  return doing + attempt + (asked.has('pause-requested') ? ', then resting' : '');
}

function planningSentence({ planning, inbox }: RunState): string {
  if (inbox.some(({ request }) => request.type === 'cancel-requested')) return 'Cancelling';
  const call = planning?.inFlight;
  if (!call) return 'Planning';
  const who = call.model.model;
  const doing = {
    restate: 'Restating the goal',
    plan: `Planning, draft ${call.n}`,
    repair: `Repairing draft ${call.n}`,
    reflect: `Reflecting on draft ${call.n}`,
  };
  return `${doing[call.call]} (${who})`;
}

const mending = (state: RunState, stepId: string) => `Mending ${placeOf(state, stepId)}`;

/** While a step is being mended and none runs. */
function recoveringSentence(state: RunState): string {
  if (state.inbox.some(({ request }) => request.type === 'cancel-requested')) return 'Cancelling';
  if (state.thinking !== null) return `Finding out why ${placeOf(state, state.thinking.stepId)} failed`;
  const mended = state.corrections.at(-1)?.stepId ?? state.steps.find((s) => s.status === 'failed')?.id;
  return mended === undefined ? 'Mending' : mending(state, mended);
}

/**
 * What the brain makes of the step that is being mended, for the line below it: what it is told to do and why. Null
 * where nothing is being mended.
 */
export function mendingWords(state: RunState): { stepId: string; text: string } | null {
  if (state.thinking !== null) return { stepId: state.thinking.stepId, text: 'asking the brain' };
  const last = state.corrections.at(-1);
  if (last === undefined || (last.status !== 'proposed' && last.status !== 'applied')) return null;
  const step = state.steps.find(({ id }) => id === last.stepId);
  if (step === undefined || step.status === 'done' || step.status === 'skipped') return null;
  const { reasoning, action, source } = last.correction;
  const what = `${action.replace('_', ' ')}, ${source.brain} ${source.name}`;
  return { stepId: last.stepId, text: reasoning === '' ? what : `${reasoning} (${what})` };
}

function waitingSentence(state: RunState): string {
  if (state.planning?.question != null) return 'The planner waits for your answer';
  const question = openQuestion(state);
  if (question === null) return 'Waiting for you';
  const place = placeOf(state, question.stepId);
  switch (question.kind) {
    case 'approval':
      return capital(`${place} needs your approval`);
    case 'offer':
      return capital(`${place} is yours to run`);
    case 'answer':
      return capital(`${place} waits for your answer`);
    case 'interrupt':
      return `Was ${place} done?`;
  }
}

/** Why the run does not go on, without a full stop. */
export function stopSentence(state: RunState): string {
  const failed = state.steps.find(({ status }) => status === 'failed');
  const failure = failureSentence(state);
  const next = state.steps.find(({ status }) => status !== 'done' && status !== 'skipped');
  const before = next === undefined ? '' : ` before ${placeOf(state, next.id)}`;
  switch (state.stopReason) {
    case 'completed':
      return doneSentence(state);
    case 'step-failed':
      return failure;
    case 'cancelled':
      return 'Cancelled';
    case 'plan-rejected':
      return 'The plan was not agreed to, so nothing ran';
    case 'paused':
      return `Resting${before}`;
    case 'approval-needed':
      return `Parked${before}: it needs an approval`;
    case 'approval-denied':
      return failed === undefined
        ? 'An approval was denied'
        : capital(`${placeOf(state, failed.id)} was denied`);
    case 'decision-needed':
      return `Parked${before}: a person has to decide`;
    case 'interrupted-unknown':
      return state.interrupted === null
        ? 'Nobody knows whether a step was done'
        : `Nobody knows whether ${placeOf(state, state.interrupted.stepId)} was done`;
    case 'limit-time':
      return `The run used up its time${before}`;
    case 'agent-error':
      return `${failure}, and no brain could mend it`;
    case 'agent-stuck':
      return `${failure}, and the limits for mending it are reached`;
    case 'agent-aborted':
      return `${failure}, and the brain advised against going on`;
    case 'checkpoint-failed':
      return `Stopped${before}: it could not be made undoable`;
    case 'rolled-back':
      return `${failure}, and what it had changed was put back`;
    case 'planning-failed':
      return 'No plan could be made';
    case null:
      return stateWord[state.status];
  }
}

function failureSentence(state: RunState): string {
  const [first, ...others] = state.steps.filter(({ status }) => status === 'failed');
  if (first === undefined) return 'A step failed';
  return others.length > 0
    ? `${others.length + 1} of ${state.steps.length} steps failed`
    : capital(`${placeOf(state, first.id)} failed`);
}

function doneSentence(state: RunState): string {
  const { done, total } = tally(state);
  if (done === total)
    return total === 1 ? 'Done: the one step succeeded' : `Done: all ${total} steps succeeded`;
  return `Done: ${done} of ${total} steps succeeded, the others were skipped`;
}

const stateWord: Record<RunStatus, string> = {
  planning: 'Planning',
  agreeing: 'Agreeing',
  running: 'Running',
  recovering: 'Mending',
  waiting: 'Waiting',
  paused: 'Paused',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** What went wrong with an attempt, short enough to stand beside the title of its step. */
export function failureWords(result: StepResult | null): string {
  if (result?.why === undefined) return 'failed';
  switch (result.why) {
    case 'exit-code':
      return `exit ${result.exitCode}`;
    case 'signal':
      return result.signal ?? 'ended by a signal';
    case 'timeout':
      return 'timed out';
    case 'aborted':
      return 'stopped';
    case 'expectation':
      return 'not as expected';
    case 'not-started':
      return 'could not start';
    case 'unsupported':
      return 'not supported';
    case 'internal':
      return 'internal error';
    default:
      return result.why;
  }
}

/** What the exit codes of `planwright run` and `planwright resume` mean. */
export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'a step failed',
  2: 'the plan or the arguments are wrong',
  3: 'a person has to decide',
  4: 'a limit was reached',
  5: 'nobody knows whether a step was done',
  130: 'stopped by Ctrl-C',
};
