import { isUndoable, type Plan, type PlanPatch, type RunState, type ShownStep } from '@contract';
import { count } from '@told';

/** What agreeing on a plan comes to. */
export interface Agreement {
  sentence: string;
  button: string;
  /** The dangerous steps as they were shown; agreeing approves each for exactly that. None where each is offered first. */
  approves: ShownStep[];
}

export function agreementOf(run: RunState, steps: readonly ShownStep[]): Agreement {
  const left = new Set(run.steps.filter(({ status }) => status === 'skipped').map(({ id }) => id));
  const due = run.steps.length - left.size;
  const shown = steps.filter(({ subject }) => !left.has(subject.stepId));
  const dangerous = shown.filter(({ verdict }) => verdict.level === 'dangerous');
  const blocked = shown.filter(({ verdict }) => verdict.level === 'blocked').length;
  const lasting = dangerous.filter((each) => !isUndoable(each, run)).length;
  const parts = [
    `${count(due, 'step')}${left.size === 0 ? '' : ` (${left.size} left out)`}`,
    ...(dangerous.length === 0 ? ['none dangerous'] : [`${dangerous.length} dangerous`]),
    ...(lasting === 0 ? [] : [`${lasting} cannot be undone`]),
    ...(blocked === 0 ? [] : [`${blocked} blocked`]),
  ];
  const approves = run.options?.mode === 'teacher' ? [] : dangerous;
  const what = run.options?.mode === 'teacher' ? 'Begin with step 1' : `Run ${count(due, 'step')}`;
  return {
    sentence: steps.length === 0 ? `${count(due, 'step')}.` : `${parts.join(', ')}.`,
    button: approves.length === 0 ? what : `${what}, ${approves.length} dangerous`,
    approves,
  };
}

/** The step of this place one place up (-1) or down (1); null where there is none to change places with. */
export function movedStep({ steps }: Plan, at: number, by: -1 | 1): PlanPatch | null {
  const [step, other] = [steps[at], steps[at + by]];
  if (step === undefined || other === undefined) return null;
  const before = by < 0 ? other.id : (steps[at + 2]?.id ?? null);
  return [
    { op: 'remove', stepId: step.id },
    { op: 'insert', before, steps: [step] },
  ];
}
