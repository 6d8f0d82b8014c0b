import type { Plan } from '../../core/contract/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { type Context, note } from './context.ts';
import { lookOf } from './look.ts';
import { renderPlan } from './view/index.ts';

/** The steps, for a person who is about to decide. */
export function showPlan(context: Context, plan: Plan, excluded: string[]): void {
  note(context, renderPlan(plan, { ...lookOf(context, 'stderr'), printAction, excluded }).join('\n'));
}
