import type { Plan } from '../../core/contract/index.ts';
import { AppError } from './errors.ts';

/** The step that a person names: by number (from 1), by id, or by title. */
export function findStep(plan: Plan, named: string): number {
  const number = /^\d+$/.test(named) ? Number(named) - 1 : -1;
  if (plan.steps[number] !== undefined) return number;
  const wanted = named.toLowerCase();
  const exact = plan.steps.findIndex((step) => step.id === named || step.title.toLowerCase() === wanted);
  if (exact >= 0) return exact;
  const near = plan.steps.flatMap((step, index) =>
    step.title.toLowerCase().includes(wanted) ? [index] : [],
  );
  if (near.length === 1) return near[0]!;
  const why = near.length > 1 ? `${near.length} steps match` : 'there is no step';
  throw new AppError('no-such-step', `${why} ${JSON.stringify(named)}: name it by its number, id or title`);
}

/** The ids that `--from` and `--only` leave out. */
export function excludedSteps(plan: Plan, choice: { from?: string; only?: string[] }): string[] {
  const from = choice.from === undefined ? 0 : findStep(plan, choice.from);
  const only = choice.only?.length ? new Set(choice.only.map((named) => findStep(plan, named))) : null;
  return plan.steps.flatMap((step, index) => (index < from || (only && !only.has(index)) ? [step.id] : []));
}
