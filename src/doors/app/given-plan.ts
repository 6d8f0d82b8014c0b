import { type GivenPlan, secretInputs } from '../../core/contract/index.ts';
import { renderProblem } from '../../core/plan/index.ts';
import { AppError } from './errors.ts';
import { completeInputs, readInputs } from './inputs.ts';
import type { Env } from './places.ts';
import { loadPlan } from './plans.ts';

/**
 * A plan file as a message of a conversation stands for it. Throws an AppError where it cannot be read, does not hold, lacks
 * an input, or takes a secret, which no conversation keeps.
 */
export async function givenPlan(
  file: string,
  pairs: readonly string[],
  { workspace, env }: { workspace: string; env: Env },
): Promise<GivenPlan> {
  const loaded = await loadPlan({ path: file, cwd: workspace, workspace, env });
  if (!loaded.ok)
    throw new AppError('usage', loaded.problems.map((problem) => renderProblem(problem)).join('\n'));
  const { plan } = loaded;
  const inputs = await completeInputs(plan, readInputs(plan, pairs), null);
  if (secretInputs(plan, inputs).length > 0)
    throw new AppError('usage', `${file} takes a secret: planwright run ${file} asks for it at a terminal`);
  return { plan, inputs };
}
