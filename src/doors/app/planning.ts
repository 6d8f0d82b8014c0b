import type { PlannerChain } from '../../core/contract/index.ts';
import type { Planner } from '../../core/run/index.ts';
import type { Models } from '../../world/models/index.ts';
import type { assessAnswer as Assess } from './assess.ts';

/** A planner that is loaded when it is first needed: runs of plan files need none. */
export function lazyPlanner(load: () => Promise<Planner>): Planner {
  let loading: Promise<Planner> | null = null;
  return {
    async perform(work, context) {
      loading ??= load();
      return (await loading).perform(work, context);
    },
  };
}

/** Who would be asked to plan now; nobody, where no model is configured or found. */
export async function plannerChain(models: Models): Promise<PlannerChain> {
  const [planner, fast] = await Promise.all([models.chainOf('planner'), models.chainOf('fast')]);
  return { planner: [...planner], fast: [...fast] };
}

export const assessAnswer: typeof Assess = async (raw, place) =>
  (await import('./assess.ts')).assessAnswer(raw, place);
export type AnswerReport = Awaited<ReturnType<typeof Assess>>;
