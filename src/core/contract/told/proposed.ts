import type { Estimate, ProposedPlan, ProposedStep } from '../proposed.ts';
import { count } from './text.ts';
import { duration } from './time.ts';

/** A plan that somebody decides on, in words: the same on the screen and on the page. */

/** `12.0 s` where it was measured before, `about 12 s` where it is a guess. */
export function estimateWords({ ms, isKnown }: Estimate): string {
  if (isKnown) return duration(ms);
  return ms < 1000 ? 'under 1 s' : `about ${duration(ms).replace(/\.\d s$/, ' s')}`;
}

/** `[TEST]`. */
export const stepKindWords = ({ kind }: Pick<ProposedStep, 'kind'>): string => `[${kind}]`;

/** How long a step will take; one that waits for a person takes as long as that. */
export const stepTimeWords = ({ time }: Pick<ProposedStep, 'time'>): string =>
  time === null ? 'waits for you' : estimateWords(time);

/** `[TEST] about 30 s`: before the title of a step on the page. */
export const stepTag = (step: ProposedStep): string => `${stepKindWords(step)} ${stepTimeWords(step)}`;

/** What stands above the steps, each with its label. */
export function proposedFacts({ level, time, files, steps }: ProposedPlan): [label: string, text: string][] {
  const waits = steps.filter((step) => step.time === null).length;
  const besides = waits === 0 ? '' : `, and ${count(waits, 'step that waits', 'steps that wait')} for you`;
  return [
    ['Risk level', level],
    ['Estimated duration', `${estimateWords(time)}${besides}`],
    ['Files affected', String(files.length)],
  ];
}
