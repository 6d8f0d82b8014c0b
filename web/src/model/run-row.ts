import type { RunRow, WaitingFor } from '@contract';
import type { Tone } from './sentence.ts';
import { capital, stopWords } from './words.ts';

const waits: Partial<Record<WaitingFor, string>> = {
  agreement: 'Agree on the plan',
  approval: 'Approve a step',
  step: 'Run the next step',
  answer: 'Answer a question',
  interrupt: 'Say whether a step was done',
};

export const waitingWords = (waiting: WaitingFor): string => waits[waiting] ?? capital(waiting);

export function stateTone(row: RunRow): Tone {
  if (row.waitingFor !== null || row.stopReason === 'interrupted-unknown') return 'wait';
  if (row.state === 'paused' && row.stopReason?.startsWith('agent-')) return 'fail';
  switch (row.state) {
    case 'done':
      return 'done';
    case 'failed':
      return 'fail';
    case 'recovering':
    case 'planning':
      return 'mind';
    case 'running':
      return 'going';
    default:
      return 'quiet';
  }
}

/** The step begun last: by its title, or by its number where the row has its id alone. */
function at({ currentStep, stepsTotal }: RunRow): { words: string; quoted: string } | null {
  if (currentStep === null) return null;
  const number = currentStep.match(/^s(\d+)$/)?.[1];
  if (number === undefined) return { words: currentStep, quoted: `“${currentStep}”` };
  return { words: `Step ${number} of ${stepsTotal}`, quoted: `step ${number} of ${stepsTotal}` };
}

/** What a row says about now: the step it is at, what it waits for, or why it stopped. */
export function stateWords(row: RunRow): string {
  if (row.waitingFor !== null) return waitingWords(row.waitingFor);
  switch (row.state) {
    case 'running':
      return at(row)?.words ?? 'Starting';
    case 'planning':
      return 'Making a plan';
    case 'recovering':
      return `Mending ${at(row)?.quoted ?? 'a step'}`;
    case 'done':
      return 'Done';
    case 'cancelled':
      return row.stopReason === null ? 'Cancelled' : capital(stopWords(row.stopReason));
    case 'failed':
      return row.stopReason === null || row.stopReason === 'step-failed'
        ? `Stopped at ${at(row)?.quoted ?? 'a step'}`
        : `Stopped: ${stopWords(row.stopReason)}`;
    default:
      return row.stopReason === null ? capital(row.state) : capital(stopWords(row.stopReason));
  }
}
