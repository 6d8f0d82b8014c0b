import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Plan } from '../../core/contract/index.ts';
import { type Problem, parsePlanFile } from '../../core/plan/index.ts';
import { AppError } from './errors.ts';

export type LoadedPlan = { ok: true; plan: Plan } | { ok: false; problems: Problem[] };

/** A plan file is refused unread beyond this: ten times what the largest sensible plan needs. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Reads and checks a plan file. Throws an AppError where there is none to read; problems are data. */
export function loadPlan(path: string, cwd: string): LoadedPlan {
  return parsePlanFile(readPlan(resolve(cwd, path), path), { file: path });
}

function readPlan(path: string, named: string): Uint8Array {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new AppError('file-missing', `there is no file ${named}`);
  if (!stat.isFile())
    throw new AppError('file-unreadable', `${named} is not a file that a plan can be read from`);
  if (stat.size > MAX_BYTES) throw new AppError('file-unreadable', `${named} is too large for a plan`);
  try {
    return readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('file-unreadable', `${named} cannot be read: ${why}`, { cause: error });
  }
}

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
