import { loaderVariable, remoteOptions } from '../assignments.ts';
import { guards } from '../guards.ts';
import { forkBomb, spawnLoop } from '../loops.ts';
import { writeRules } from '../path-rules.ts';
import type { CommandRule, RuleInfo } from '../types.ts';
import { wrapperRules } from '../wrappers/index.ts';
import { databaseRules } from './databases.ts';
import { deletionRules } from './deletion.ts';
import { diskRules } from './disks.ts';
import { gitRules } from './git.ts';
import { networkRules } from './network.ts';
import { packageRules } from './packages.ts';
import { permissionRules } from './permissions.ts';
import { processRules } from './processes.ts';
import { secretRules } from './secrets.ts';
import { systemRules } from './system.ts';
import { userRules } from './users.ts';
import { verbRules } from './verbs.ts';

const families: readonly (readonly [string, readonly CommandRule[]])[] = [
  ['Deletion and overwriting', deletionRules],
  ['Disks and partitions', diskRules],
  ['Permissions and ownership', permissionRules],
  ['Processes, services and power', processRules],
  ['Users, root and scheduled jobs', userRules],
  ['Network and exfiltration', networkRules],
  ['Packages', packageRules],
  ['Git', gitRules],
  ['Databases and queues', databaseRules],
  ['Containers, clusters, clouds and infrastructure', verbRules],
  ['Secrets', secretRules],
  ['The system and Planwright itself', systemRules],
];

const byName = new Map<string, CommandRule[]>();
const general: CommandRule[] = [];
for (const [, rules] of families) {
  for (const rule of rules) {
    if (!rule.names) general.push(rule);
    for (const name of rule.names ?? []) {
      const list = byName.get(name);
      if (list) list.push(rule);
      else byName.set(name, [rule]);
    }
  }
}

/** Rules that speak about a command of this name, and those that look at every command. */
export const rulesFor = (name: string): readonly CommandRule[] => byName.get(name) ?? none;
export const generalRules: readonly CommandRule[] = general;
const none: readonly CommandRule[] = [];

/** All rules by family, for the documentation and the tests. */
export const catalogue: readonly (readonly [string, readonly RuleInfo[]])[] = [
  ['Guards', Object.values(guards)],
  ['Loops', [forkBomb, spawnLoop]],
  ['Variables', [loaderVariable, remoteOptions]],
  ['Commands inside commands', wrapperRules],
  ['Paths', writeRules],
  ...families,
];
