import { shellText } from '../action-words.ts';
import type { PlanningState, RunRow, RunState, RunStatus, StopReason } from '../index.ts';
import { NOT_SURE } from '../run/agent.ts';
import { planStep } from '../run/steps.ts';
import { numberedSteps, placeOf } from './numbering.ts';
import { openQuestion, type Question, waitingWords } from './question.ts';
import { stopWords } from './reasons.ts';
import { capital, count, portWords } from './text.ts';
import { duration } from './time.ts';

/** What kind of news a sentence is; each door has a colour for it. */
export type Tone = 'quiet' | 'going' | 'done' | 'wait' | 'fail' | 'mind';

/** What a run is doing, or why it does not go on, without a full stop. */
export interface Sentence {
  text: string;
  tone: Tone;
}

const sentences: Record<RunStatus, (state: RunState) => Sentence> = {
  planning: (state) => ({
    text: state.planning ? planningSentence(state.planning) : 'Planning',
    tone: 'mind',
  }),
  agreeing: (state) => ({
    text: state.plan === null ? 'Getting ready' : questionWords({ kind: 'agreement', stepId: null }, state),
    tone: 'wait',
  }),
  running,
  recovering: (state) => ({ text: recovering(state), tone: 'mind' }),
  waiting: (state) => {
    const question = openQuestion(state);
    return { text: question === null ? 'Waiting for you' : questionWords(question, state), tone: 'wait' };
  },
  paused: stopped,
  failed: stopped,
  cancelled: stopped,
  done: stopped,
};

/** Nobody drives a run that goes on by itself, for so long. */
export interface Undriven {
  since: number;
  now: number;
}

const undriven = ({ since, now }: Undriven): string => `no driver for ${duration(now - since)}`;

/** "Running step 3 of 9, attempt 2". */
export function sentenceOf(state: RunState, without?: Undriven | null): Sentence {
  const { text, tone } = sentenceAsWritten(state);
  return without == null || state.ended
    ? { text, tone }
    : { text: `${text}: ${undriven(without)}`, tone: 'wait' };
}

function sentenceAsWritten(state: RunState): Sentence {
  const goesOn = state.status === 'running' || state.status === 'recovering' || state.status === 'planning';
  if (goesOn && isAsked(state, 'cancel-requested')) return { text: 'Cancelling', tone: 'quiet' };
  return sentences[state.status](state);
}

/** What a run has been at for so long without a word: `Running step 3 of 9, silent for 30.0 s: npm ci`; null at rest. */
export function silenceWords(state: RunState, ms: number): string | null {
  const { tone, text } = sentenceOf(state);
  if (tone !== 'going' && tone !== 'mind') return null;
  const action = state.inFlight === null ? null : planStep(state, state.inFlight.stepId)?.action;
  const [command = ''] = ((action && shellText(action)) ?? '').split('\n');
  return `${text}, silent for ${duration(ms)}${command === '' ? '' : `: ${command}`}`;
}

const isAsked = ({ inbox }: RunState, type: string): boolean =>
  inbox.some(({ request }) => request.type === type);

function running(state: RunState): Sentence {
  const { inFlight, plan } = state;
  if (inFlight === null) {
    const next = state.steps.find(({ status }) => status === 'pending');
    return { text: next === undefined ? 'Finishing' : `Preparing ${placeOf(plan, next.id)}`, tone: 'going' };
  }
  const { stepId, item, attemptIndex } = inFlight;
  const repairs = planStep(state, stepId)?.repairs;
  const doing =
    repairs === undefined ? `Running ${placeOf(plan, stepId)}` : `Mending ${placeOf(plan, repairs)}`;
  const which =
    item !== null ? `, item ${item + 1}` : attemptIndex > 0 ? `, attempt ${attemptIndex + 1}` : '';
  const serves = inFlight.listens.length === 0 ? '' : `, serving ${portWords(inFlight.listens)}`;
  const then = isAsked(state, 'pause-requested') ? ', then resting' : '';
  return { text: doing + which + serves + then, tone: repairs === undefined ? 'going' : 'mind' };
}

/** While a step is being mended and none runs. */
function recovering({ plan, thinking, corrections, steps }: RunState): string {
  if (thinking !== null) return `Finding out why ${placeOf(plan, thinking.stepId)} failed`;
  const mended = corrections.at(-1)?.stepId ?? steps.find(({ status }) => status === 'failed')?.id;
  return mended === undefined ? 'Mending' : `Mending ${placeOf(plan, mended)}`;
}

/** What a plan in the making is at, without the model that is asked. */
export function planningSentence({ inFlight, failed, question, active }: PlanningState): string {
  if (failed !== null) return stopWords('planning-failed');
  if (question !== null) return plannerWaits;
  if (inFlight === null) return active ? 'Planning' : 'Planned';
  const doing = {
    restate: 'Restating the goal',
    plan: `Writing draft ${inFlight.n}`,
    repair: `Repairing draft ${inFlight.n}`,
    reflect: `Reflecting on draft ${inFlight.n}`,
  };
  return doing[inFlight.call];
}

const plannerWaits = 'The planner waits for your answer';

const asking: Record<Question['kind'], (place: string, state: RunState) => string> = {
  planner: () => plannerWaits,
  agreement: (_, { plan }) => `Waiting for you to agree on ${count(numberedSteps(plan), 'step')}`,
  interrupt: (place) => `Was ${place} done?`,
  approval: (place) => `${place} needs your approval`,
  offer: (place) => `Your turn: ${place}`,
  ask: (place) => `${place} waits for your answer`,
  manual: (place) => `Waiting for you to do ${place}`,
};

const questionWords = ({ kind, stepId }: Pick<Question, 'kind' | 'stepId'>, state: RunState): string =>
  capital(asking[kind](stepId === null ? '' : placeOf(state.plan, stepId), state));

/** Why the run does not go on. */
function stopped(state: RunState): Sentence {
  const { steps, plan, status, stopReason, interrupted, approvals } = state;
  const tone = stopTone(status, stopReason);
  if (stopReason === null) return { text: capital(status), tone };
  const failed = steps.filter((step) => step.status === 'failed');
  const denied = approvals.findLast((approval) => approval.status === 'denied');
  const step = interrupted?.stepId ?? failed[0]?.id ?? denied?.stepId;
  const next = steps.find((step) => step.status !== 'done' && step.status !== 'skipped');
  const text = stopWords(stopReason, {
    ...(step === undefined ? {} : { step: placeOf(plan, step) }),
    ...(failed.length > 1 ? { failed: `${failed.length} of ${steps.length} steps` } : {}),
    ...(next === undefined ? {} : { before: ` before ${placeOf(plan, next.id)}` }),
    came: cameWords(state),
    trouble: state.message?.startsWith(`${NOT_SURE}: `) ? state.message.slice(NOT_SURE.length) : '',
  });
  return { text: asCancelled(text, status, stopReason), tone };
}

/** Whoever cancels a run at a question denies what was asked, too. */
const asCancelled = (text: string, status: RunStatus, reason: StopReason): string =>
  status === 'cancelled' && reason === 'approval-denied'
    ? `Cancelled: ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;

function stopTone(status: RunStatus, reason: StopReason | null): Tone {
  if (reason === 'interrupted-unknown' || reason === 'completed-with-skips') return 'wait';
  if (status === 'done') return 'done';
  return status === 'failed' || reason?.startsWith('agent-') ? 'fail' : 'quiet';
}

function cameWords({ steps }: RunState): string {
  const done = steps.filter(({ status }) => status === 'done').length;
  if (done < steps.length) return `: ${done} of ${steps.length} steps succeeded, the others were skipped`;
  return done === 1 ? ': the one step succeeded' : `: all ${done} steps succeeded`;
}

/** What the row of a listing says about now: the step it is at, what it waits for, why it stopped, or that nobody drives it. */
export function rowSentence(row: RunRow, now: number): Sentence {
  const { waitingFor, stopReason, undrivenSince: since, unanswered } = row;
  if (since !== undefined) {
    const { text } = rows[row.state](currentStep(row));
    return { text: `${text}: ${undriven({ since, now })}`, tone: 'wait' };
  }
  if (waitingFor !== null && unanswered.length > 0)
    return { text: 'Decided, not acted on yet', tone: 'quiet' };
  if (waitingFor !== null) return { text: capital(waitingWords[waitingFor]), tone: 'wait' };
  if (stopReason !== null) {
    const at = currentStep(row);
    const text = stopWords(stopReason, at === null ? {} : { step: at });
    return { text: asCancelled(text, row.state, stopReason), tone: stopTone(row.state, stopReason) };
  }
  return rows[row.state](currentStep(row));
}

const rows: Record<RunStatus, (at: string | null) => Sentence> = {
  planning: () => ({ text: 'Planning', tone: 'mind' }),
  agreeing: () => ({ text: 'Getting ready', tone: 'wait' }),
  running: (at) => ({ text: at === null ? 'Starting' : `Running ${at}`, tone: 'going' }),
  recovering: (at) => ({ text: `Mending ${at ?? 'a step'}`, tone: 'mind' }),
  waiting: () => ({ text: 'Waiting for you', tone: 'wait' }),
  paused: () => ({ text: 'Paused', tone: 'quiet' }),
  failed: () => ({ text: 'Failed', tone: 'fail' }),
  cancelled: () => ({ text: 'Cancelled', tone: 'quiet' }),
  done: () => ({ text: 'Done', tone: 'done' }),
};

/** The step begun last: by its title, or by its number where the row has its id alone. */
function currentStep({ currentStep, stepsTotal }: RunRow): string | null {
  if (currentStep === null) return null;
  const number = currentStep.match(/^s(\d+)$/)?.[1];
  return number === undefined ? `“${currentStep}”` : `step ${number} of ${stepsTotal}`;
}
