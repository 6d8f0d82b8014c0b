import type { Plan, Step, Verdict } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { judgeInTurn } from '../../core/risk/index.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look-of.ts';
import { renderPlan } from './render/plan.ts';

/** The steps with their risk, for a person who is about to decide; judged as written where nobody has looked closer. */
export function showPlan(
  context: Context,
  plan: Plan,
  excluded: string[],
  verdictOf: (step: Step) => Verdict | undefined = asWritten(plan),
): void {
  note(
    context,
    renderPlan(plan, { ...lookOf(context, 'stderr'), printAction, excluded, verdictOf }).join('\n'),
  );
}

function asWritten({ steps, shell }: Plan): (step: Step) => Verdict | undefined {
  const verdicts = judgeInTurn(steps, { shell });
  return (step) => verdicts[steps.indexOf(step)];
}
