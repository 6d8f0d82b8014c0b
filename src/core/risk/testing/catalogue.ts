import { actionRules } from '../action.ts';
import { loaderVariable, remoteOptions } from '../assignments.ts';
import { guards, sessionGuards } from '../guards.ts';
import { forkBomb, spawnLoop } from '../loops.ts';
import { placeUnknown, writeRules } from '../path-rules.ts';
import { pwshRules } from '../pwsh/rules.ts';
import { databaseRules } from '../rules/databases.ts';
import { deletionRules } from '../rules/deletion.ts';
import { diskRules } from '../rules/disks.ts';
import { gitRules } from '../rules/git.ts';
import { networkRules } from '../rules/network.ts';
import { packageRules } from '../rules/packages.ts';
import { permissionRules } from '../rules/permissions.ts';
import { processRules } from '../rules/processes.ts';
import { otherHost, remoteRules } from '../rules/remote.ts';
import { secretRules } from '../rules/secrets.ts';
import { systemRules } from '../rules/system.ts';
import { userWideRules } from '../rules/user-wide.ts';
import { userRules } from '../rules/users.ts';
import { verbRules } from '../rules/verbs.ts';
import type { RuleInfo } from '../types.ts';
import { codeDeletes, codeForks, codeHides, codeReadsSecret } from '../wrappers/code.ts';
import { encodedCommand } from '../wrappers/pwsh.ts';
import { awkRuns, sedRuns } from '../wrappers/sed.ts';
import { destructiveWords, pipeToInterpreter, runsScript, writeThenRun } from '../wrappers/shells.ts';
import { evaluatesUnknown, remoteShell } from '../wrappers/started.ts';
import { databaseExamples } from './databases.ts';
import { deletionExamples } from './deletion.ts';
import { diskExamples } from './disks.ts';
import type { Examples } from './examples.ts';
import { gitExamples } from './git.ts';
import { guardExamples } from './guards.ts';
import { insideExamples } from './inside.ts';
import { networkExamples } from './network.ts';
import { outsideExamples } from './outside.ts';
import { packageExamples } from './packages.ts';
import { pathExamples } from './paths.ts';
import { permissionExamples } from './permissions.ts';
import { processExamples } from './processes.ts';
import { pwshExamples } from './pwsh.ts';
import { secretExamples } from './secrets.ts';
import { shellExamples } from './shell.ts';
import { systemExamples } from './system.ts';
import { userExamples } from './users.ts';
import { verbExamples } from './verbs.ts';

export { provenNames } from '../safe/index.ts';

const inside = [
  pipeToInterpreter,
  writeThenRun,
  runsScript,
  evaluatesUnknown,
  codeDeletes,
  codeForks,
  codeHides,
  codeReadsSecret,
  remoteShell,
  sedRuns,
  awkRuns,
  encodedCommand,
  destructiveWords,
];

/** Examples of file actions, and of sessions, are no lines of shell: they live in the tests. */
const families: readonly (readonly [string, 'bash' | 'pwsh' | 'action', readonly RuleInfo[], Examples])[] = [
  ['Guards', 'bash', Object.values(guards), guardExamples],
  ['The session', 'action', Object.values(sessionGuards), {}],
  ['Loops', 'bash', [forkBomb, spawnLoop], shellExamples],
  ['Variables', 'bash', [loaderVariable, remoteOptions], shellExamples],
  ['Commands inside commands', 'bash', inside, insideExamples],
  ['Paths', 'bash', [...writeRules, placeUnknown], pathExamples],
  ['Deletion and overwriting', 'bash', deletionRules, deletionExamples],
  ['Disks and partitions', 'bash', diskRules, diskExamples],
  ['Permissions and ownership', 'bash', permissionRules, permissionExamples],
  ['Processes, services and power', 'bash', processRules, processExamples],
  ['Users, root and scheduled jobs', 'bash', userRules, userExamples],
  ['Network and exfiltration', 'bash', networkRules, networkExamples],
  ['Packages', 'bash', packageRules, packageExamples],
  ['Git', 'bash', gitRules, gitExamples],
  ['Databases and queues', 'bash', databaseRules, databaseExamples],
  ['Containers, clusters, clouds and infrastructure', 'bash', verbRules, verbExamples],
  ['Secrets', 'bash', secretRules, secretExamples],
  ['The system and Planwright itself', 'bash', systemRules, systemExamples],
  ['What no checkpoint reaches', 'bash', [otherHost, ...userWideRules, ...remoteRules], outsideExamples],
  ['PowerShell', 'pwsh', pwshRules, pwshExamples],
  ['File actions and tools', 'action', Object.values(actionRules), {}],
];

/** Every rule there is, by family, with its examples: what the documentation is made from and the tests go through. */
export const catalogue = families.map(([family, shell, rules, examples]) => ({
  family,
  shell,
  rules: rules.map((rule) => ({ ...rule, ...(examples[rule.id] ?? { hits: [], misses: [] }) })),
}));

/** Rules that examples were written for. */
export const exampleIds = [...new Set(families.flatMap(([, , , examples]) => Object.keys(examples)))];
