import { dirname } from 'node:path';
import type { AgentRunRow } from '../../../core/contract/tasks/index.ts';
import { packageCaches } from '../../../world/process/index.ts';
import { createWorktrees, type Worktrees } from '../../../world/worktrees/index.ts';
import { withoutModelKeys } from '../environment.ts';
import { homeOf } from '../places.ts';
import { isTrusted } from '../trust.ts';
import type { TaskDriving } from './driving.ts';

type Given = Pick<TaskDriving, 'config' | 'places' | 'env' | 'streams'>;

/** The git side of tasks, as this program is configured. */
export function worktreesOf({ config, places, env, streams }: Given): Worktrees {
  const given = Object.entries(withoutModelKeys(env, null)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const commandEnv = Object.fromEntries(given);
  const home = homeOf(env);
  // With PLANWRIGHT_HOME the configuration lies beside the store: the folder that holds both is hidden.
  const storeDir = env['PLANWRIGHT_HOME'] ? dirname(places.data) : places.data;
  return createWorktrees({
    dir: places.data,
    env,
    commandEnv,
    isAtWork: async (run) => (await streams().row<AgentRunRow>(run))?.endedAt === null,
    isTrusted: async (project) => isTrusted(places, project),
    // What an agent wrote runs here: outside of a sandbox only where a person has switched it off. Setting up fetches things.
    sandbox: (workspace, when) =>
      config.sandbox === 'off'
        ? null
        : {
            workspace,
            grants: { network: when === 'setup' },
            home,
            caches: packageCaches(home, env),
            storeDir,
            configDir: dirname(places.rules),
          },
  });
}
