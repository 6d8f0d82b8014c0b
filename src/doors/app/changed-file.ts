import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { canonical, type RunState } from '../../core/contract/index.ts';
import type { Env } from './places.ts';
import { loadPlan } from './plans.ts';

/**
 * The file that a run's plan was read from, as it was named, where a step that is still to be done stands otherwise in
 * it by now; null where all is as it was, or where that cannot be told. Never throws.
 */
export async function changedPlanFile(
  { plan, steps, workspace }: RunState,
  { cwd, env }: { cwd: string; env: Env },
): Promise<string | null> {
  const open = steps.flatMap(({ id, status, revision, agreed }) => {
    const step = plan?.steps.find((candidate) => candidate.id === id);
    // What a person has edited since is another on purpose.
    const isEdited = revision > 0 && agreed === null;
    if (step?.source === undefined || status === 'done' || status === 'skipped' || isEdited) return [];
    return [{ file: step.source.file, action: canonical(agreed ?? step.action) }];
  });
  const file = open[0]?.file;
  if (file === undefined) return null;
  const path = [resolve(cwd, file), resolve(workspace, file)].find((candidate) => existsSync(candidate));
  if (path === undefined) return null;
  try {
    const loaded = await loadPlan({ path, cwd, env, workspace });
    const now = new Set(loaded.ok ? loaded.plan.steps.map(({ action }) => canonical(action)) : []);
    return open.every(({ action }) => now.has(action)) ? null : file;
  } catch {
    return null;
  }
}
