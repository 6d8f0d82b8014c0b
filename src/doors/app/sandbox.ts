import { dirname } from 'node:path';
import type { Config } from '../../core/contract/index.ts';
import type { Performer } from '../../core/engine/index.ts';
import { innerAction, isShellAction } from '../../core/shell/index.ts';
import type { SandboxPort } from '../../world/actions/index.ts';
import { packageCaches, probeSandbox } from '../../world/process/index.ts';
import { homeOf } from './home.ts';
import type { Env, Places } from './places.ts';

/** Which steps run in a sandbox, and what it lets them touch. */
export function createSandbox(policy: Config['sandbox'], places: Places, env: Env): SandboxPort {
  const home = homeOf(env);
  const caches = packageCaches(home, env);
  // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
  const storeDir = env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data;
  return ({ unseen, workspace, grants }) =>
    policy === 'all' || (policy === 'corrections' && unseen)
      ? { workspace, grants: definedOnly(grants), home, caches, storeDir }
      : null;
}

function definedOnly(grants: Parameters<SandboxPort>[0]['grants']) {
  const { network, write, privilege } = grants ?? {};
  return {
    ...(network === undefined ? {} : { network }),
    ...(write === undefined ? {} : { write }),
    ...(privilege === undefined ? {} : { privilege }),
  };
}

/**
 * What no person has seen runs in a sandbox, or asks: where there is none, and for what cannot run in one. File
 * actions need none: they cannot leave the workspace.
 */
export function askWithoutSandbox(performer: Performer, policy: Config['sandbox']): Performer {
  if (policy === 'off') return performer;
  return {
    ...performer,
    async judge(work, signal) {
      const judged = await performer.judge(work, signal);
      const { verdict } = judged;
      if (!work.unseen || verdict.level !== 'caution') return judged;
      const action = innerAction(work.step.action);
      if (!isShellAction(action)) return judged;
      const { kind } = action;
      if (kind !== 'start' && (await probeSandbox()).works) return judged;
      const sentence =
        kind === 'start'
          ? 'A correction made this service what it is, and a service cannot run in a sandbox.'
          : 'A correction made this command what it is, and there is no sandbox to run it in.';
      const reason = { rule: 'unseen', level: 'dangerous', sentence } as const;
      return {
        ...judged,
        verdict: { ...verdict, level: 'dangerous', reasons: [reason, ...verdict.reasons] },
      };
    },
  };
}
