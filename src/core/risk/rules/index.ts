import type { CommandRule } from '../types.ts';
import { databaseRules } from './databases.ts';
import { deletionRules } from './deletion.ts';
import { diskRules } from './disks.ts';
import { gitRules } from './git.ts';
import { networkRules } from './network.ts';
import { packageRules } from './packages.ts';
import { permissionRules } from './permissions.ts';
import { processRules } from './processes.ts';
import { remoteRules } from './remote.ts';
import { secretRules } from './secrets.ts';
import { systemRules } from './system.ts';
import { userWideRules } from './user-wide.ts';
import { userRules } from './users.ts';
import { verbRules } from './verbs.ts';

/** Where two speak, the first is named first. The catalogue for documentation and tests is in `testing/`. */
export const commandRules: readonly CommandRule[] = [
  ...deletionRules,
  ...diskRules,
  ...permissionRules,
  ...processRules,
  ...userRules,
  ...networkRules,
  ...packageRules,
  ...gitRules,
  ...databaseRules,
  ...verbRules,
  ...secretRules,
  ...systemRules,
  ...userWideRules,
  ...remoteRules,
];

const byName = namedRules();

function namedRules(): ReadonlyMap<string, CommandRule[]> {
  const found = new Map<string, CommandRule[]>();
  for (const rule of commandRules)
    for (const name of rule.names ?? []) {
      const list = found.get(name);
      if (list) list.push(rule);
      else found.set(name, [rule]);
    }
  return found;
}

/** Rules that speak about a command of this name, and those that look at every command. */
export const rulesFor = (name: string): readonly CommandRule[] => byName.get(name) ?? none;
export const generalRules: readonly CommandRule[] = commandRules.filter(({ names }) => !names);
const none: readonly CommandRule[] = [];
