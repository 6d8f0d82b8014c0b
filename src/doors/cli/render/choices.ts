import type { ApprovalDecision, Correction, EventOf } from '../../../core/contract/index.ts';
import { type Look, measure } from './look.ts';
import { displayWidth, padEnd } from './text/width.ts';

/** One answer to a question: the key that gives it, and the decision that the request carries. */
export interface Choice<Decision extends string> {
  key: string;
  label: string;
  decision: Decision;
  /** What Enter means. Where nobody has decided anything yet, it is the choice that does least. */
  default?: true;
}

/** What is agreed to. */
export interface Agreeing {
  /** How many dangerous steps a yes approves. */
  dangerous: number;
  /** Every step is offered before it runs, and decided then. */
  isTaught: boolean;
}

/** What approves something dangerous has no default: nobody says that by a key pressed once too often. */
const runs = ({ dangerous, isTaught }: Agreeing): readonly Choice<'all' | 'step-by-step'>[] => {
  if (isTaught)
    return [{ key: 'y', label: 'Begin: each step is shown first', decision: 'all', default: true }];
  const byStep = { key: 's', label: 'Run step by step', decision: 'step-by-step' } as const;
  if (dangerous === 0) return [{ key: 'y', label: 'Run all steps', decision: 'all', default: true }, byStep];
  const which = dangerous === 1 ? 'the dangerous one' : `the ${dangerous} dangerous ones`;
  return [{ key: 'y', label: `Run all steps, ${which} included`, decision: 'all' }, byStep];
};

export const agreementChoices = (of: Agreeing): readonly Choice<EventOf<'plan-decided'>['decision']>[] => [
  ...runs(of),
  { key: 'n', label: 'Run nothing', decision: 'cancel' },
];

/** For a plan that was made from a goal: it can be made again. */
export const plannedChoices = (of: Agreeing): readonly Choice<PlannedDecision>[] => [
  ...runs(of),
  { key: 'e', label: 'Edit the plan first', decision: 'edit' },
  { key: 'd', label: 'Decline a step, say why, plan again', decision: 'decline' },
  { key: 'k', label: 'Keep it for later', decision: 'keep' },
  { key: 'n', label: 'Run nothing', decision: 'cancel' },
];

type PlannedDecision = EventOf<'plan-decided'>['decision'] | 'edit' | 'decline' | 'keep';

/** For a plan that is made and not run. */
export const keepChoices: readonly Choice<PlannedDecision>[] = [
  { key: 'k', label: 'Keep this plan', decision: 'keep', default: true },
  { key: 'e', label: 'Edit the plan first', decision: 'edit' },
  { key: 'd', label: 'Decline a step, say why, plan again', decision: 'decline' },
  { key: 'n', label: 'Keep nothing', decision: 'cancel' },
];

/** After planning was given up. A draft can be mended only where there is one. */
export const draftChoices = (hasDraft: boolean): readonly Choice<'edit' | 'again' | 'leave'>[] => [
  ...(hasDraft ? [{ key: 'e', label: 'Mend the best draft by hand', decision: 'edit' } as const] : []),
  { key: 'r', label: 'Plan again', decision: 'again' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

export const approvalChoices: readonly Choice<ApprovalDecision | 'deny-why' | 'edit' | 'always'>[] = [
  { key: 'd', label: 'Deny: it is not run', decision: 'deny', default: true },
  { key: 'r', label: 'Deny, and say why', decision: 'deny-why' },
  { key: 'a', label: 'Approve exactly this, once', decision: 'approve' },
  { key: 'e', label: 'Edit it: it is judged again', decision: 'edit' },
  { key: 'w', label: 'Always allow exactly this in this folder', decision: 'always' },
  { key: 'x', label: 'Cancel the run', decision: 'abort' },
];

export const offerChoices: readonly Choice<EventOf<'step-decided'>['decision'] | 'edit'>[] = [
  { key: 'r', label: 'Run it', decision: 'run', default: true },
  { key: 'm', label: 'I did it myself', decision: 'did-it' },
  { key: 'e', label: 'Edit it first', decision: 'edit' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, resume later', decision: 'stop' },
];

type FailureDecision = 'apply' | 'retry' | 'edit' | 'skip' | 'did-it' | 'leave';

/** Teacher mode, after a failure. What the brain proposes can be taken only where it proposes something. */
export const failureChoices = (proposed: Correction | null): readonly Choice<FailureDecision>[] => [
  ...(proposed === null ? [] : [{ key: 'a', label: 'Do as proposed', decision: 'apply' } as const]),
  { key: 'r', label: 'Run it again as it is', decision: 'retry' },
  { key: 'e', label: 'Edit it, and run it', decision: 'edit' },
  { key: 'm', label: 'I did it myself', decision: 'did-it' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

type StuckDecision = 'retry' | 'hint' | 'edit' | 'skip' | 'more' | 'model' | 'abort' | 'leave';

/** After a step has failed and nobody mends it. What needs a brain or a model is offered where there is one. */
export const stuckChoices = ({ brain, models }: StuckMeans): readonly Choice<StuckDecision>[] => [
  ...(brain ? [{ key: 'h', label: 'Give the brain a hint', decision: 'hint' } as const] : []),
  { key: 'e', label: 'Edit the step, and run it', decision: 'edit' },
  { key: 's', label: 'Skip it, and go on', decision: 'skip' },
  brain
    ? { key: 'm', label: 'Allow more attempts', decision: 'more' }
    : { key: 'r', label: 'Run it again as it is', decision: 'retry' },
  ...(brain && models ? [{ key: 'o', label: 'Ask another model', decision: 'model' } as const] : []),
  { key: 'a', label: 'Abort: cancel the run', decision: 'abort' },
  { key: 'x', label: 'Stop here, resume later', decision: 'leave', default: true },
];

/** Whether the run still asks a brain, and whether there is a model to choose. */
export interface StuckMeans {
  brain: boolean;
  models: boolean;
}

export const manualChoices: readonly Choice<'done' | 'stop'>[] = [
  { key: 'd', label: 'I have done it', decision: 'done' },
  { key: 'x', label: 'Stop here, resume later', decision: 'stop', default: true },
];

export const grantChoices: readonly Choice<'grant' | 'leave'>[] = [
  { key: 'g', label: 'Run it again with exactly that', decision: 'grant' },
  { key: 'x', label: 'Leave it', decision: 'leave', default: true },
];

export const interruptChoices: readonly Choice<EventOf<'interrupt-decided'>['decision']>[] = [
  { key: 'd', label: 'It was done: go on after it', decision: 'done' },
  { key: 'r', label: 'It was not: run it again', decision: 'rerun' },
  { key: 's', label: 'Skip it', decision: 'skip' },
  { key: 'x', label: 'Stop here, look first', decision: 'stop', default: true },
];

export function renderChoices(choices: readonly Choice<string>[], look: Look): string[] {
  const { style } = look;
  return choices.map((choice) => {
    const enter = choice.default ? `  ${style.dim('Enter')}` : '';
    const longest = Math.max(...choices.map(({ label }) => displayWidth(label)));
    const label = choice.default ? padEnd(choice.label, Math.min(longest, measure(look) - 16)) : choice.label;
    return `${style.strong(choice.key)}  ${label}${enter}`;
  });
}
