import { planStep, type RunState } from '@contract';
import { numberedSteps, numberOf, placeOf } from './numbering.ts';
import { openQuestion } from './question.ts';
import { duration } from './time.ts';
import { capital, count, failureWords, stopWords } from './words.ts';

export type Tone = 'quiet' | 'going' | 'done' | 'wait' | 'fail' | 'mind';

/** What the run is doing, in one sentence, and in which state's colour. */
export interface Sentence {
  text: string;
  tone: Tone;
}

export function sentenceOf(state: RunState): Sentence {
  const { plan, status } = state;
  const total = numberedSteps(plan);
  const done = state.steps.filter((step) => step.status === 'done').length;
  switch (status) {
    case 'planning':
      return { text: 'Making a plan', tone: 'mind' };
    case 'recovering':
      return recovering(state);
    case 'agreeing':
      return { text: `Waiting for you to agree on ${count(total, 'step')}`, tone: 'wait' };
    case 'running':
      return running(state, total);
    case 'waiting':
      return { text: waitingWords(state), tone: 'wait' };
    case 'paused':
      return { text: pausedWords(state), tone: 'quiet' };
    case 'failed':
      return { text: failedWords(state), tone: 'fail' };
    case 'cancelled':
      return { text: `Cancelled after ${done} of ${count(total, 'step')}`, tone: 'quiet' };
    default:
      return { text: `Done: ${count(done, 'step')} in ${duration(state.activeMs)}`, tone: 'done' };
  }
}

function recovering(state: RunState): Sentence {
  if (state.thinking !== null) return mending(state, state.thinking.stepId, state.thinking.attemptIndex);
  const failed = state.steps.findLast(({ status }) => status === 'failed');
  return mending(state, failed?.id ?? '', (failed?.attempts ?? 1) - 1);
}

function mending(state: RunState, stepId: string, attemptIndex: number): Sentence {
  const most = (state.options?.limits.retriesPerStep ?? 3) + 1;
  return {
    text: `Mending ${placeOf(state.plan, stepId)}, attempt ${Math.min(attemptIndex + 2, most)} of ${most}`,
    tone: 'mind',
  };
}

function running(state: RunState, total: number): Sentence {
  const { inFlight, plan } = state;
  if (inFlight === null) return { text: 'Going on', tone: 'going' };
  const repairs = planStep(state, inFlight.stepId)?.repairs;
  const attempts = (state.options?.limits.retriesPerStep ?? 3) + 1;
  if (repairs !== undefined) return { text: `Mending ${placeOf(plan, repairs)}`, tone: 'mind' };
  const again = inFlight.attemptIndex > 0 ? `, attempt ${inFlight.attemptIndex + 1} of ${attempts}` : '';
  const number = numberOf(plan, inFlight.stepId);
  return { text: `Running step ${number ?? '?'} of ${total}${again}`, tone: 'going' };
}

function waitingWords(state: RunState): string {
  const question = openQuestion(state);
  if (question === null) return 'Waiting for you';
  const place = placeOf(state.plan, question.stepId);
  switch (question.kind) {
    case 'approval':
      return `Waiting for you to decide on ${place}`;
    case 'offer':
      return `Your turn: ${place}`;
    case 'ask':
      return `${capital(place)} asks you something`;
    case 'manual':
      return `Waiting for you to do ${place}`;
    case 'interrupt':
      return `Waiting for you: was ${place} done?`;
    case 'grant':
      return `The sandbox refused ${place}`;
    case 'stuck':
      return `The brain gave up on ${place}`;
  }
}

function pausedWords(state: RunState): string {
  const reason = state.stopReason ?? 'paused';
  if (reason === 'paused') return 'Paused';
  const denied = state.steps.findLast(({ result }) => result?.why === 'denied');
  if (reason === 'approval-denied' && denied) return `Stopped at ${placeOf(state.plan, denied.id)}: denied`;
  return `Paused: ${state.message ?? stopWords(reason)}`;
}

function failedWords(state: RunState): string {
  const failed = state.steps.findLast((step) => step.status === 'failed');
  if (failed === undefined) return `Failed: ${state.message ?? stopWords(state.stopReason ?? 'failed')}`;
  return `Stopped at ${placeOf(state.plan, failed.id)}: ${failureWords(failed.result)}`;
}
