import type { Plan, ProposedPlan, Step, Verdict } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { judgeInTurn } from '../../core/risk/index.ts';
import { type Context, note, print } from './context.ts';
import { lookOf } from './look-of.ts';
import { renderPlan } from './render/plan.ts';

interface Shown {
  /** Judged as written where nobody has looked closer. */
  verdictOf?: (step: Step) => Verdict | undefined;
  proposed?: ProposedPlan | null;
  /** `stdout` where it is what was asked for. */
  on?: 'stdout' | 'stderr';
}

/** The steps with their risk, for a person who is about to decide. */
export function showPlan(
  context: Context,
  plan: Plan,
  excluded: string[],
  { verdictOf = asWritten(plan), on = 'stderr', proposed = null }: Shown = {},
): void {
  const lines = renderPlan(plan, { ...lookOf(context, on), printAction, excluded, verdictOf, proposed });
  (on === 'stdout' ? print : note)(context, lines.join('\n'));
}

/** The same for machines. */
export function planAsData(plan: Plan, excluded: readonly string[]) {
  const verdictOf = asWritten(plan);
  return {
    goal: plan.goal,
    shell: plan.shell,
    steps: plan.steps.map((step) => ({
      ...step,
      action: printAction(step.action),
      runs: !excluded.includes(step.id),
      risk: verdictOf(step) ?? null,
    })),
  };
}

function asWritten({ steps, shell }: Plan): (step: Step) => Verdict | undefined {
  const verdicts = judgeInTurn(steps, { shell });
  return (step) => verdicts[steps.indexOf(step)];
}
