import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type GitConfig, type GitEnd, type GitLimits, onlyLooks, runGit } from '../process/git.ts';
import { WorktreeError } from './errors.ts';
import { forgetHalfMade, unreadableRecord } from './records.ts';
import { cleanEnvironment, identityIn, overriding, readSettings, unsafeIn } from './settings.ts';

export interface AskOptions extends GitLimits {
  env?: Record<string, string>;
}

/** Git in one folder: a repository's own, or one of its worktrees. */
export interface Git {
  readonly folder: string;
  readonly gitDir: string;
  /** How it ended, whatever that was. Never rejects. */
  try(args: readonly string[], options?: AskOptions): Promise<GitEnd>;
  /** What it printed, without the last end of line. Throws a WorktreeError where it failed. */
  ask(args: readonly string[], options?: AskOptions): Promise<string>;
}

/** A repository of the person's, as Planwright's own git sees it: with nothing of theirs that runs a program. */
export interface OpenedRepository extends Git {
  /** Where refs, objects and worktrees are, whichever worktree was named. */
  readonly common: string;
  /** Settings that were left out because they run something. */
  readonly dropped: readonly string[];
  /**
   * In a worktree: never by its own `.git`, which whoever works in it can write; and what its own configuration would run
   * is off as well.
   */
  at(folder: string, gitDir: string): Promise<Git>;
}

export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal | undefined;
}

/** How often it is tried while somebody else makes a worktree at the same moment. */
const TRIES = 12;

/** Throws a WorktreeError where the folder is in no repository. Reads the configuration anew each time. */
export async function openRepository(path: string, { env, signal }: Surroundings): Promise<OpenedRepository> {
  const clean = cleanEnvironment(env);
  const looking = { cwd: path, env: clean, config: onlyLooks, signal };
  const [places, listed] = await Promise.all([
    runGit(
      ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir', '--show-toplevel'],
      looking,
    ),
    runGit(LISTING, looking),
  ]);
  if (places.why === 'missing') throw new WorktreeError('no-git', 'git is not installed, or not on the PATH');
  if (places.code !== 0)
    throw new WorktreeError('no-repository', `${path} is no git repository: ${said(places)}`);
  const [gitDir = '', common = '', top = ''] = places.stdout
    .toString()
    .split('\n')
    .map((path) => resolve(path));
  const { config, dropped } = usable(listed);
  const gitIn = (folder: string, dir: string, own: GitConfig): Git => {
    const attempt: Git['try'] = async (args, { env: more, ...limits } = {}) => {
      const variables = { ...clean, GIT_DIR: dir, GIT_WORK_TREE: folder, ...more };
      const call = { cwd: folder, env: variables, config: own, signal };
      let end = await runGit(args, call, limits);
      for (let tries = 1; tries <= TRIES && end.code !== 0; tries += 1) {
        const record = unreadableRecord(end.stderr);
        if (record === undefined) break;
        if (tries < TRIES) await sleep(20 * tries);
        else forgetHalfMade(common, record);
        end = await runGit(args, call, limits);
      }
      return end;
    };
    return { folder, gitDir: dir, try: attempt, ask: asking(attempt) };
  };
  const at = async (folder: string, dir: string): Promise<Git> => {
    const hasOwn = ['config', 'config.worktree'].some((name) => existsSync(join(dir, name)));
    if (!hasOwn || dir === gitDir) return gitIn(folder, dir, config);
    const own = await runGit(LISTING, { ...looking, env: { ...clean, GIT_DIR: dir, GIT_WORK_TREE: folder } });
    return gitIn(folder, dir, usable(own).config);
  };
  return { ...gitIn(top, gitDir, config), common, dropped, at };
}

/** One that has no folder of files, or another's: Planwright's own, and still nothing that it says is run. */
export async function openOwn(
  gitDir: string,
  { env, signal }: Surroundings,
  folder: string | null = null,
): Promise<Git> {
  const around = { GIT_DIR: gitDir, ...(folder === null ? {} : { GIT_WORK_TREE: folder }) };
  const clean = { ...cleanEnvironment(env), ...around };
  const cwd = folder ?? gitDir;
  const listed = await runGit(LISTING, { cwd, env: clean, config: onlyLooks, signal });
  const { config } = usable(listed);
  const attempt: Git['try'] = (args, { env: more, ...limits } = {}) =>
    runGit(args, { cwd, env: { ...clean, ...more }, config, signal }, limits);
  return { folder: cwd, gitDir, try: attempt, ask: asking(attempt) };
}

const asking =
  (attempt: Git['try']): Git['ask'] =>
  async (args, options) => {
    const end = await attempt(args, options);
    if (end.code !== 0) throw failed(args, end);
    return end.stdout.toString().replace(/\n$/, '');
  };

const LISTING = ['config', '--list', '--show-scope', '-z'];

/** What our git is started with, where this is configured. */
function usable(listed: GitEnd): ReturnType<typeof overriding> {
  if (listed.code !== 0) throw failed(LISTING, listed);
  const settings = readSettings(listed.stdout.toString());
  const unsafe = unsafeIn(settings);
  if (unsafe !== null) throw new WorktreeError('unsafe-settings', unsafe);
  const { config, dropped } = overriding(settings);
  return { config: [...identityIn(settings), ...config], dropped };
}

const said = ({ stderr, why }: GitEnd): string => {
  if (why === 'timeout') return 'it took too long';
  if (why === 'aborted') return 'it was stopped';
  if (why === 'too-much') return 'it printed too much';
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) => /^(?:fatal|error): /.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return telling.replace(/^(?:fatal|error): /, '').slice(0, 500);
};

export const failed = (args: readonly string[], end: GitEnd): WorktreeError =>
  new WorktreeError(end.why === 'aborted' ? 'aborted' : 'git-failed', `git ${args[0]} failed: ${said(end)}`);

/** What git says of a failure, in one line. */
export const reasonOf = said;

/** The commit that a name stands for; null where it stands for none. */
export async function commitOf(git: Git, name: string): Promise<string | null> {
  const { code, stdout } = await git.try([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return code === 0 ? stdout.toString().trim() : null;
}

/** Whether everything of one commit is in another. */
export const isIn = async (git: Git, commit: string, other: string): Promise<boolean> =>
  (await git.try(['merge-base', '--is-ancestor', commit, other])).code === 0;
