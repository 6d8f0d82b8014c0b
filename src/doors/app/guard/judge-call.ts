import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { GuardedAgent } from '../../../core/contract/guard/index.ts';
import type { Shell, SimpleAction, Verdict } from '../../../core/contract/index.ts';
import { settingsOf, startsUnhooked } from '../../../core/guard/settings/index.ts';
import { atLeast } from '../../../core/risk/index.ts';
import type { PolicyRule } from '../../../core/risk/policy/index.ts';
import { folderFiles, obeyed } from '../agreed.ts';
import { judgeWith } from '../judge-with.ts';
import { type Env, homeOf, type Places } from '../places.ts';
import { trustedSince } from '../trust.ts';
import { broughtNames } from './brought-names.ts';
import { createScriptReader } from './scripts.ts';

export interface CallPlace {
  agent: GuardedAgent;
  places: Places;
  env: Env;
  /** A real path. */
  workspace: string;
  cwd: string;
  /** What a command of it is written in. */
  shell: Shell;
  /** Where the agent can write to what it runs: whether this is such a text, or what may be written to. */
  typed: 'later' | 'now' | null;
  /** The file by which the hook was started, where that is known. */
  program: string | null;
  /** When the session began. */
  since: number;
}

/** One action of a call with its verdict; of several, the worst decides. */
export interface JudgedAction {
  action: SimpleAction;
  verdict: Verdict;
}

/**
 * Judges what a call would do, in its place as it is now: by the rules of people, with the content of scripts that it runs, and
 * with the settings by which the agent asks the guard out of its reach. Null where it does nothing that could be judged.
 */
export async function judgeCall(
  actions: readonly SimpleAction[],
  { agent, places, env, workspace, cwd, shell, typed, program, since }: CallPlace,
): Promise<JudgedAction | null> {
  const home = homeOf(env);
  // Some agents take the settings of the folder that they were started in, wherever the repository begins.
  const settings = [workspace, cwd].flatMap((folder) => settingsOf(agent, home, folder, env).guarded);
  const guarded = [...new Set(settings), ...ownFilesOf(places, workspace), ...installed(program)];
  const trusted = trustedSince(places, workspace);
  // What came after that may be what an agent left behind in an earlier session.
  const ownBefore = trusted === null ? null : Math.min(since, trusted);
  const held = createScriptReader({ home, ownBefore });
  const looks = { guarded, held, brings: broughtNames, unhooks: startsUnhooked };
  const own = { places, env, workspace, since, ...looks, ...(typed && { typed }) };
  const judge = judgeWith(await rulesAt(places, workspace), own);
  let worst: JudgedAction | null = null;
  for (const action of actions) {
    const verdict = await judge(action, { session: { cwd, env: {} }, workspace, shell });
    if (worst === null || !atLeast(worst.verdict.level, verdict.level)) worst = { action, verdict };
  }
  return worst;
}

/** What Planwright keeps and obeys. */
const ownFilesOf = (places: Places, workspace: string): string[] => [
  places.data,
  // Compiled code of the hook: what is put there is run in its place.
  join(places.cache, 'code'),
  dirname(places.rules),
  ...folderFiles(workspace).filter((file) => dirname(file) !== workspace),
];

/** What judges: Node, and the program where it is an installed one: a checkout is somebody's work. */
function installed(program: string | null): string[] {
  if (program === null) return [];
  const folder = /^.*\/node_modules\/planwright(?=\/)/.exec(realpathSync(program))?.[0];
  return [process.execPath, ...(folder === undefined ? [] : [program, folder])];
}

/** Most have none: what reads them is loaded where there are some. */
async function rulesAt(places: Places, workspace: string): Promise<PolicyRule[]> {
  const files = [places.rules, ...folderFiles(workspace)];
  const isThere = (file: string) => {
    const { agreed, now } = obeyed(places, file);
    return now !== null || (agreed ?? null) !== null;
  };
  return files.some(isThere) ? (await import('../rules.ts')).loadRules({ places, workspace }) : [];
}
