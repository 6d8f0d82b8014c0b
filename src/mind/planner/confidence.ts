import type { Doubt, PlanningState, Proposal, RejectionReason, Step } from '../../core/contract/index.ts';
import { parseExpects } from '../../core/plan/index.ts';

export interface Circumstances {
  planning: Pick<PlanningState, 'drafts' | 'position' | 'restatement'>;
  how: readonly string[];
  warnings: readonly RejectionReason[];
  steps: readonly Step[];
}

const times = (count: number, each: number, most: number): number => Math.min(most, count * each);
const s = (count: number) => (count === 1 ? '' : 's');

/**
 * How sure the plan is, from 1 downwards, and everything that lowered it. Computed from what happened, never asked of
 * the model: it would say 0.95.
 */
export function confidenceOf({ planning, how, warnings, steps }: Circumstances): Proposal['confidence'] {
  const doubts: Doubt[] = [];
  const doubt = (cost: number, why: string) => cost > 0 && doubts.push({ why, cost: round(cost) });
  const rejected = planning.drafts.filter(({ status }) => status === 'rejected').length;
  doubt(times(rejected, 0.12, 0.48), `${rejected} draft${s(rejected)} rejected before`);
  const { planner } = planning.position;
  doubt(times(planner, 0.1, 0.2), `${planner} better model${s(planner)} could not plan it`);
  doubt(how.length > 0 ? 0.08 : 0, `the answer had to be repaired: ${how.join(', ')}`);
  const unknown = warnings.filter(({ code }) => code === 'command-not-found').length;
  doubt(times(unknown, 0.1, 0.3), `${unknown} command${s(unknown)} not found on this machine`);
  const others = warnings.length - unknown;
  doubt(times(others, 0.04, 0.2), `${others} warning${s(others)}`);
  const unchecked = steps.filter(({ expects = '' }) => parseExpects(expects) === null).length;
  const share = unchecked / Math.max(1, steps.length);
  doubt(0.15 * share, `${unchecked} of ${steps.length} steps promise something that cannot be checked`);
  doubt(planning.restatement === null ? 0.05 : 0, 'the goal was not restated');
  const lost = doubts.reduce((sum, { cost }) => sum + cost, 0);
  return { score: round(Math.max(0.05, 1 - lost)), doubts };
}

const round = (value: number) => Math.round(value * 100) / 100;
