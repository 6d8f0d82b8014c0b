import {
  evolve,
  type FactBody,
  initialRunState,
  isRequest,
  project,
  type RunEvent,
  type RunRow,
  type RunState,
  type Step,
  scopeOf,
} from '../contract/index.ts';
import type { Kind } from '../stream/index.ts';
import { attend } from './attend.ts';
import { next } from './next.ts';
import { noteOf } from './notes.ts';
import type { RunWork } from './work.ts';

/** Plan runs, the first kind of stream. */
export const runKind: Kind<RunState, RunEvent, FactBody, RunWork, RunRow> = {
  name: 'run',
  initial: initialRunState,
  evolve,
  next,
  attend,
  epochOf: (state) => state.epoch,
  project,
  titleOf: ({ goal }) => goal,
  textOf,
  isRequest,
  cancel: { type: 'cancel-requested' },
  scopeOf: (event) => (isRequest(event) ? scopeOf(event) : 'decide'),
  noteOf,
  sealedIn: () => [],
  secretsIn,
};

/** What a person would look for a run by: its goal, and the titles and words of its steps. */
function textOf(event: RunEvent): string {
  if (event.type === 'plan-created') return [event.plan.goal, ...event.plan.steps.map(stepText)].join('\n');
  if ('goal' in event && typeof event.goal === 'string') return event.goal;
  if (event.type !== 'plan-revised') return '';
  const steps = event.patch.flatMap((change) => {
    if (change.op === 'insert') return change.steps;
    return change.op === 'replace' ? [change.step] : [];
  });
  return steps.map(stepText).join('\n');
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

/** The inputs that the plan calls secret. */
function secretsIn({ plan, values }: RunState): string[] {
  const secret = plan?.inputs?.filter((input) => input.secret === true) ?? [];
  return secret.flatMap(({ name }) => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
