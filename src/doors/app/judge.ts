import { dirname } from 'node:path';
import { applyPolicy } from '../../core/risk/policy/index.ts';
import type { VerdictPort } from '../../world/actions/index.ts';
import { resolveAndJudge } from '../../world/actions/resolve/index.ts';
import { startedHere } from './asker.ts';
import { type Env, homeOf, type Places } from './places.ts';
import { loadRules } from './rules.ts';
import { isTrusted } from './trust.ts';

export interface JudgeOptions {
  places: Places;
  env: Env;
  workspace: string;
  /** When the run began. */
  since?: number;
  /** Rules for this process alone. */
  rulesFile?: string | undefined;
}

/**
 * Judges every action of every run, whoever wrote it: as written, as it would be in its place now, and by the rules
 * of people. The rules are read once: a run does not change its mind half-way through a loop.
 */
export function createJudge({ places, env, workspace, rulesFile, since }: JudgeOptions): VerdictPort {
  const home = homeOf(env);
  const configDir = dirname(places.rules);
  // What a run started brings no permission of its own along.
  const brings = startedHere(places.data) === null;
  const rules = loadRules({ places, workspace, file: rulesFile }).filter(
    ({ effect, origin }) => brings || effect !== 'allow' || origin !== 'flags',
  );
  const trusted = isTrusted(places, workspace);
  return async (action, { session, shell, earlier = [] }) => {
    const place = { session, baseEnv: env, workspace, home, storeDir: places.data, configDir, shell };
    const verdict = await resolveAndJudge(action, place, {
      trusted,
      earlier,
      ...(since === undefined ? {} : { since }),
    });
    return applyPolicy(rules, action, verdict, { workspace, now: Date.now(), trusted }).verdict;
  };
}
