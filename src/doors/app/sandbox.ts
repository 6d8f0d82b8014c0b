import { dirname } from 'node:path';
import type { Config } from '../../core/contract/index.ts';
import type { PerformerOptions } from '../../world/actions/index.ts';
import { packageCaches } from '../../world/process/index.ts';
import { homeOf } from './home.ts';
import type { Env, Places } from './places.ts';

export function sandboxRules(which: Config['sandbox'], places: Places, env: Env) {
  const home = homeOf(env);
  // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
  const storeDir = env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data;
  return { which, home, caches: packageCaches(home, env), storeDir } satisfies PerformerOptions['sandbox'];
}
