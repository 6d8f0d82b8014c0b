import { dirname } from 'node:path';
import type { Config, Step } from '../../core/contract/index.ts';
import type { SandboxPort } from '../../world/actions/index.ts';
import { packageCaches } from '../../world/process/index.ts';
import { homeOf } from './home.ts';
import type { Env, Places } from './places.ts';

/** Which steps run in a sandbox, and what it lets them touch. */
export function createSandbox(policy: Config['sandbox'], places: Places, env: Env): SandboxPort {
  const home = homeOf(env);
  const caches = packageCaches(home, env);
  // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
  const storeDir = env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data;
  return ({ step, workspace, grants }) =>
    isSandboxed(policy, step) ? { workspace, grants: definedOnly(grants), home, caches, storeDir } : null;
}

/** A person agrees on a plan; a step that was put into it to mend another is nothing they have seen. */
const isSandboxed = (policy: Config['sandbox'], step: Step): boolean =>
  policy === 'all' || (policy === 'corrections' && step.repairs !== undefined);

function definedOnly(grants: Parameters<SandboxPort>[0]['grants']) {
  const { network, write, privilege } = grants ?? {};
  return {
    ...(network === undefined ? {} : { network }),
    ...(write === undefined ? {} : { write }),
    ...(privilege === undefined ? {} : { privilege }),
  };
}
