import type { Plan, RiskLevel, RunState, Step, StepState, Verdict } from '../../../core/contract/index.ts';

/** A step of the plan beside what it has been through, and the number that people call it by. */
export interface StepView {
  step: Step;
  state: StepState;
  /** Counts the steps that are no repairs, from 1: a repair does not renumber the plan. Null for a repair. */
  number: number | null;
}

export function stepViews(state: RunState): StepView[] {
  const numbers = numbersOf(state.plan);
  return (state.plan?.steps ?? []).flatMap((step, index) => {
    const stepState = state.steps[index];
    return stepState === undefined ? [] : [{ step, state: stepState, number: numbers[index] ?? null }];
  });
}

/** The number of each step, by its index in the plan. */
export function numbersOf(plan: Plan | null): (number | null)[] {
  let number = 0;
  return (plan?.steps ?? []).map((step) => (step.repairs === undefined ? ++number : null));
}

/** How many steps the plan has, repairs not counted: the `9` of "step 3 of 9". */
export const numberedSteps = (plan: Plan | null): number =>
  (plan?.steps ?? []).reduce((n, step) => n + (step.repairs === undefined ? 1 : 0), 0);

export function numberOf(plan: Plan | null, stepId: string): number | null {
  const index = plan?.steps.findIndex((step) => step.id === stepId) ?? -1;
  return index < 0 ? null : (numbersOf(plan)[index] ?? null);
}

/** `step 3`, or `a repair of step 3`; the id where the plan does not know it. */
export function stepName(plan: Plan | null, stepId: string): string {
  const step = plan?.steps.find((candidate) => candidate.id === stepId);
  if (step === undefined) return `step ${stepId}`;
  const number = numberOf(plan, stepId);
  if (number !== null) return `step ${number}`;
  return `a repair of step ${numberOf(plan, step.repairs ?? '') ?? step.repairs}`;
}

/** What a run waits for a person to decide, and on which step. At most one question is open at a time. */
export type Question =
  | { kind: 'approval'; stepId: string }
  | { kind: 'offer'; stepId: string }
  | { kind: 'answer'; stepId: string }
  | { kind: 'interrupt'; stepId: string };

export function openQuestion(state: RunState): Question | null {
  const approval = state.approvals.find(({ status }) => status === 'needed');
  if (approval !== undefined) return { kind: 'approval', stepId: approval.stepId };
  const offered = state.steps.find((step) => step.offered);
  if (offered !== undefined) return { kind: 'offer', stepId: offered.id };
  const asked = state.steps.find((step) => step.asked);
  if (asked !== undefined) return { kind: 'answer', stepId: asked.id };
  if (state.interrupted?.asked) return { kind: 'interrupt', stepId: state.interrupted.stepId };
  return null;
}

/** The step that a person wants to see: running, asked about, failed, or next. -1 where there is none. */
export function focusOf(state: RunState): number {
  const id = state.inFlight?.stepId ?? openQuestion(state)?.stepId ?? state.interrupted?.stepId;
  if (id !== undefined) return state.steps.findIndex((step) => step.id === id);
  const first = (status: StepState['status']) => state.steps.findIndex((step) => step.status === status);
  const failed = first('failed');
  if (failed >= 0 && state.status !== 'running') return failed;
  const pending = first('pending');
  return pending >= 0 ? pending : state.steps.length - 1;
}

export interface Tally {
  total: number;
  done: number;
  failed: number;
  skipped: number;
  /** Running, interrupted or pending. */
  open: number;
}

export function tally(state: RunState): Tally {
  const counts = { total: state.steps.length, done: 0, failed: 0, skipped: 0, open: 0 };
  for (const { status } of state.steps) {
    if (status === 'done' || status === 'failed' || status === 'skipped') counts[status] += 1;
    else counts.open += 1;
  }
  return counts;
}

/** The last judgement of a step that is still known. */
export function verdictOf(state: RunState, step: StepState): Verdict | null {
  return (
    step.judged?.verdict ?? state.approvals.findLast(({ stepId }) => stepId === step.id)?.verdict ?? null
  );
}

/** Levels that a person is told about without asking. */
export const isAlarming = (level: RiskLevel): boolean => level === 'dangerous' || level === 'blocked';

/** The time that counts as this run's: waiting and pauses are left out. */
export const activeTime = (state: RunState, now: number): number =>
  state.activeMs + (state.activeSince === null ? 0 : Math.max(0, now - state.activeSince));
