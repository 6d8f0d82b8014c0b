import { join } from 'node:path';
import type {
  AgentRunState,
  Repository as Given,
  TaskDiff,
  TaskState,
} from '../../core/contract/tasks/index.ts';
import type { AgentPorts, MergeResult, TaskPorts } from '../../core/tasks/index.ts';
import type { SandboxPolicy } from '../process/index.ts';
import { knownBase } from './base.ts';
import { countChanges } from './changes.ts';
import { runChecks } from './check.ts';
import { diffBranch } from './diff.ts';
import { failureOf } from './errors.ts';
import { bytesIn, type Removed, removeMerged, type Through } from './gc.ts';
import { linkedAt, worktreePath } from './linked.ts';
import { unlockOf } from './locks.ts';
import { mergeBranch } from './merge.ts';
import { noteSetUp, type Preparing, prepareWorktree } from './prepare.ts';
import { mergedByRequest, openPullRequest, pushAddress } from './pull-request.ts';
import { forgetRefs, putBack } from './refs.ts';
import { openRepository } from './repository.ts';

export interface WorktreeOptions extends Omit<Preparing, 'signal' | 'dir'> {
  /** Planwright's own folder, which no agent sees. */
  dir: string;
  /** What commands of a project are started with. */
  commandEnv: Readonly<Record<string, string>>;
  /** The sandbox of commands in this folder; null: outside, because a person said so. */
  sandbox(folder: string, when: 'setup' | 'validation'): SandboxPolicy | null;
  /** For one command. */
  checkTimeoutMs?: number;
}

type GitPorts = Pick<AgentPorts, 'prepare' | 'check' | 'changes'> & Pick<TaskPorts, 'merge'>;

export interface Worktrees extends GitPorts {
  release(state: AgentRunState): Promise<void>;
  /** What a task's branch changes, for people to look at. Null where that cannot be told. */
  diff(state: TaskState): Promise<TaskDiff | null>;
  /** What its worktree takes on the disk. */
  diskUse(state: TaskState): Promise<number>;
  gc(repository: Given, through: readonly Through[]): Promise<Removed>;
}

const CHECK_MS = 10 * 60_000;

/** The git side of tasks. Nothing here throws but `gc` and `changes`, where git cannot be asked and nobody knows. */
export function createWorktrees(options: WorktreeOptions): Worktrees {
  const { env } = options;
  const dir = join(options.dir, 'worktrees');
  return {
    async prepare(state, signal) {
      const { begun } = state;
      if (begun === null) return { ok: false, code: 'internal', message: 'it has not begun' };
      try {
        return { ok: true, worktree: await prepareWorktree(begun, { ...options, dir, signal }) };
      } catch (error) {
        return { ok: false, ...failureOf(error) };
      }
    },

    async check(state, commands, signal) {
      const { begun, worktree, epoch } = state;
      if (begun === null || worktree === null) return [];
      const when = state.setup === null && state.attempts.length === 0 ? 'setup' : 'validation';
      const results = await runChecks(commands, {
        run: begun.run,
        epoch,
        folder: worktree.path,
        env: options.commandEnv,
        sandbox: options.sandbox(worktree.path, when),
        timeoutMs: options.checkTimeoutMs ?? CHECK_MS,
        signal,
      });
      const passed = results.length === commands.length && results.at(-1)?.exitCode === 0;
      if (when === 'setup' && passed) await noted(state);
      return results;
    },

    async changes(state) {
      const { begun, worktree } = state;
      if (begun === null || worktree === null) return { commits: 0, files: 0, foreign: [], head: null };
      const repository = await openRepository(begun.given.repository.path, { env });
      const { branch, base } = worktree;
      const { run, task } = begun;
      const linked = linkedAt(repository, worktree.path);
      const foreign = await putBack(repository, dir, { run, task, branch, linked });
      return { ...(await countChanges(repository, { branch, base })), foreign };
    },

    async release({ begun, worktree }) {
      if (begun === null) return;
      forgetRefs(dir, begun.run);
      const path = worktree?.path ?? worktreePath(begun.given.repository.path, begun.task);
      // A lock that stays is taken over by the next run.
      await openRepository(begun.given.repository.path, { env })
        .then((repository) => unlockOf(begun.run, path, repository))
        .catch(() => {});
    },

    async merge(state, how, signal): Promise<MergeResult> {
      const repository = repositoryOf(state);
      const failed = (code: string, message: string): MergeResult => ({
        ...{ ok: false, commit: null, conflicts: [] },
        code,
        message,
      });
      if (repository === null || state.branch === null)
        return failed('no-branch', 'nothing has been made for this task that could be merged');
      const { task, branch, text, seen, pullRequest, merging: agreed } = state;
      if (seen === null)
        return failed('not-reviewed', 'it was not noted which commit was reviewed: have it reviewed again');
      const where = { env, signal };
      const summary = state.context.findLast(({ source }) => source === 'agent')?.summary ?? null;
      const merging = { task, title: text.title, branch, commit: seen, how, summary, repository };
      try {
        if (how === 'pull-request')
          return await openPullRequest({ ...merging, pullRequest, merging: agreed }, where);
        const elsewhere = pullRequest === null ? null : await mergedByRequest(pullRequest.url, where);
        if (elsewhere !== null)
          return { ...failed('', `${pullRequest?.url} is merged`), ok: true, code: null, commit: elsewhere };
        return await mergeBranch(merging, where);
      } catch (error) {
        const { code, message } = failureOf(error);
        return failed(code, message);
      }
    },

    async diff(state) {
      const given = repositoryOf(state);
      if (given === null || state.branch === null) return null;
      try {
        const repository = await openRepository(given.path, { env });
        // What is merged is shown as it was before.
        const base = state.merged === null ? await knownBase(repository, given) : `${state.merged.commit}^1`;
        if (base === null) return null;
        const pushesTo = await pushAddress(repository, given.remote);
        return { ...(await diffBranch(repository, { branch: state.branch, base })), pushesTo };
      } catch {
        return null;
      }
    },

    diskUse: (state) => (state.worktree === null ? Promise.resolve(0) : bytesIn(state.worktree)),
    gc: (repository, through) => removeMerged(repository, through, { env }),
  };

  async function noted({ begun }: AgentRunState): Promise<void> {
    if (begun === null) return;
    const { path } = begun.given.repository;
    const repository = await openRepository(path, { env }).catch(() => null);
    const linked = repository && linkedAt(repository, worktreePath(path, begun.task));
    if (linked) noteSetUp(linked);
  }
}

/** As its last agent run was given it. */
const repositoryOf = ({ phases }: TaskState): Given | null => phases.at(-1)?.given.repository ?? null;
