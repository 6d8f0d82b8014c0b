import { applyPolicy } from '../../core/risk/policy/index.ts';
import type { VerdictPort } from '../../world/actions/index.ts';
import { resolveAndJudge } from '../../world/actions/resolve/index.ts';
import { type Env, homeOf, type Places } from './places.ts';
import { loadRules } from './rules.ts';
import { isTrusted } from './trust.ts';

export interface JudgeOptions {
  places: Places;
  env: Env;
  workspace: string;
  /** Rules for this process alone. */
  rulesFile?: string | undefined;
}

/**
 * Judges every action of every run, whoever wrote it: as written, as it would be in its place now, and by the rules
 * of people. The rules are read once: a run does not change its mind half-way through a loop.
 */
export function createJudge({ places, env, workspace, rulesFile }: JudgeOptions): VerdictPort {
  const home = homeOf(env);
  const rules = loadRules({ places, workspace, file: rulesFile });
  const trusted = isTrusted(places.trust, workspace);
  return async (action, { session, shell, earlier = [] }) => {
    const place = { session, baseEnv: env, workspace, home, storeDir: places.data, shell };
    const verdict = await resolveAndJudge(action, place, { trusted, earlier });
    return applyPolicy(rules, action, verdict, { workspace, now: Date.now(), trusted }).verdict;
  };
}
