import type { DraftState, PlanningState } from '@contract';
import { count } from './words.ts';

const doing = {
  restate: 'Understanding the goal',
  plan: 'Writing a plan',
  repair: 'Writing the draft again, readable this time',
  reflect: 'Thinking about why the draft was rejected',
} as const;

export function planningSentence({ inFlight, failed, question, active }: PlanningState): string {
  if (failed !== null) return 'Planning was given up';
  if (question !== null) return 'The planner asks you something';
  if (inFlight !== null) return doing[inFlight.call];
  return active ? 'Making a plan' : 'Planned';
}

export function draftWords({ status, reasons }: DraftState): string {
  if (status === 'proposed') return 'A plan that can be run';
  if (status === 'asking') return 'Could not go on without an answer';
  if (status === 'unreadable') return 'Could not be read';
  if (reasons.length > 0) return `Rejected: ${count(reasons.length, 'problem')}`;
  return 'Being checked';
}
