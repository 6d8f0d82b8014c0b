import type { RunState } from '../../core/contract/index.ts';
import { toPlanFile } from '../../core/plan/file/index.ts';

/**
 * The plan of a run as a file. Where planning was given up there is none: then it is the best draft, with its problems
 * marked, to be mended by hand. Null where there is neither.
 */
export async function planFileOf({ plan, planning }: RunState): Promise<string | null> {
  if (plan !== null) return toPlanFile(plan);
  const best = planning?.drafts.find(({ n }) => n === planning.failed?.best);
  if (planning === null || best === undefined) return null;
  const { draftFile } = await import('../../mind/planner/index.ts');
  return draftFile(best.raw, planning.failed?.problems ?? [], planning);
}
