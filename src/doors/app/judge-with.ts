import { dirname } from 'node:path';
import type { HeldText, JudgeContext } from '../../core/risk/index.ts';
import { applyPolicy, askUnseenNetwork, type PolicyRule } from '../../core/risk/policy/index.ts';
import type { VerdictPort } from '../../world/actions/index.ts';
import { resolveAndJudge } from '../../world/actions/resolve/index.ts';
import { type Env, homeOf, type Places } from './places.ts';
import { isTrusted } from './trust.ts';

export interface JudgeWithOptions {
  places: Places;
  env: Env;
  workspace: string;
  /** When the run began. */
  since?: number;
  /** Settings of an agent under the guard, which it may not change. */
  guarded?: readonly string[];
  /** What a script holds that would be run. Left out, a script is what it is called. */
  held?: (path: string) => HeldText | null;
  /** What an archive, a patch or a folder brings along. Left out, nobody looks. */
  brings?: JudgeContext['brings'];
  /** Which ways to start an agent leave its hooks out. Left out, nobody looks. */
  unhooks?: JudgeContext['unhooks'];
  /** Whether what runs is written to later, or this is. Left out, neither. */
  typed?: JudgeContext['typed'];
}

/** Judges as `createJudge` does, with rules that somebody has read already: without them nothing that reads them is loaded. */
export function judgeWith(
  rules: readonly PolicyRule[],
  { places, env, workspace, since, guarded, held, brings, unhooks, typed }: JudgeWithOptions,
): VerdictPort {
  const home = homeOf(env);
  const configDir = dirname(places.rules);
  const trusted = isTrusted(places, workspace);
  // A rule that ends makes another verdict of the same world.
  const lasts = rules.every(({ expires }) => expires === undefined);
  return async (action, { session, shell, earlier = [], env: own, byModel = false, proves }) => {
    const place = {
      session,
      baseEnv: env,
      workspace,
      home,
      storeDir: places.data,
      configDir,
      shell,
      env: own,
      ...(guarded === undefined ? {} : { guarded }),
    };
    const verdict = await resolveAndJudge(action, place, {
      trusted,
      earlier,
      ...(since === undefined ? {} : { since }),
      ...(held === undefined ? {} : { held }),
      ...(brings === undefined ? {} : { brings }),
      ...(unhooks === undefined ? {} : { unhooks }),
      ...(lasts ? { proves } : {}),
      ...(typed === undefined ? {} : { typed }),
    });
    const context = { workspace, now: Date.now(), trusted };
    const ruled = applyPolicy(rules, action, verdict, context).verdict;
    return byModel ? askUnseenNetwork(rules, action, { verdict: ruled, judged: verdict }, context) : ruled;
  };
}
