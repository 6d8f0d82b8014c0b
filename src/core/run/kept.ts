import {
  evolve,
  initialRunState,
  isRequest,
  project,
  type RunEvent,
  type RunRow,
  type RunState,
  type Step,
  scopeOf,
  secretInputs,
  stepsIn,
} from '../contract/index.ts';
import type { KeptKind } from '../stream/index.ts';
import { noteOf } from './notes.ts';

/** Plan runs as they are kept, listed and found: all of their kind but what decides what is done next. */
export const keptRuns: KeptKind<RunState, RunEvent, RunRow> = {
  name: 'run',
  initial: initialRunState,
  evolve,
  epochOf: (state) => state.epoch,
  project,
  titleOf: ({ goal }) => goal,
  textOf,
  isRequest,
  cancel: { type: 'cancel-requested' },
  scopeOf: (event) => (isRequest(event) ? scopeOf(event) : 'decide'),
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
  noteOf,
  hides: {
    sealedIn: ({ sealed }) => sealed,
    secretsIn: ({ plan, values }) => secretInputs(plan, values),
  },
};

/** What a person would look for a run by: its goal, and the titles and words of its steps. */
function textOf(event: RunEvent): string {
  if (event.type === 'plan-created') return [event.plan.goal, ...event.plan.steps.map(stepText)].join('\n');
  if ('goal' in event && typeof event.goal === 'string') return event.goal;
  if (event.type !== 'plan-revised') return '';
  return stepsIn(event.patch).map(stepText).join('\n');
}

function stepText({ title, action }: Step): string {
  const { kind: _, ...words } = action;
  return [title, ...textsIn(words)].join(' ');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
