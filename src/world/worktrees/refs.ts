import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Linked, linkedTo } from './linked.ts';
import { FOLDER, textOf } from './records.ts';
import { commitOf, type Git, isIn, type OpenedRepository } from './repository.ts';
import { keep } from './rescue.ts';

type Refs = ReadonlyMap<string, string>;

/** Branches and tags: what is fetched, and what Planwright keeps, is nobody's work. */
async function refsOf(git: Git): Promise<Refs> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/', 'refs/tags/'];
  return read(await git.ask(args));
}

const read = (text: string): Refs =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );

/** Where refs are kept while an agent is at work: not where it could write. */
const fileOf = (dir: string, run: string): string => join(dir, `${run}.refs`);

export async function recordRefs(repository: OpenedRepository, dir: string, run: string): Promise<void> {
  const refs = await refsOf(repository);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const text = [...refs].map(([name, value]) => `${value} ${name}\n`).join('');
  writeFileSync(fileOf(dir, run), text, { mode: 0o600 });
}

export const forgetRefs = (dir: string, run: string): void => rmSync(fileOf(dir, run), { force: true });

function recorded(dir: string, run: string): Refs | null {
  try {
    return read(readFileSync(fileOf(dir, run), 'utf8'));
  } catch {
    return null;
  }
}

/** What an agent's git is started with, so that what it moves is known by the reflog. */
export const agentVariables = (run: string): Record<string, string> => ({ GIT_REFLOG_ACTION: markOf(run) });
const markOf = (run: string): string => `planwright ${run}`;

export interface Worked {
  run: string;
  task: string;
  branch: string;
  /** The worktree, where it is still there. */
  linked: Linked | undefined;
}

/**
 * Puts back what an agent moved and was not its own, and names it. Others work in the repository at the same time, the
 * person first of all, so a ref counts as moved by the agent only where that shows: it has commits that were made on the
 * task's branch or in its worktree, its reflog names the agent run, or it was taken back or away, which nothing is lost by
 * restoring. Of another task's branch, what its own worktree has had checked out is that task's, however many agents are
 * at work: it goes back to the last of these. Whatever a ref pointed to is kept under a rescue ref, unless the task's branch has it.
 */
export async function putBack(repository: OpenedRepository, dir: string, worked: Worked): Promise<string[]> {
  const { run, task, branch } = worked;
  const before = recorded(dir, run);
  if (before === null) return [];
  const after = await refsOf(repository);
  const moved = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name) && name !== `refs/heads/${branch}`,
  );
  if (moved.length === 0) return [];
  const tip = after.get(`refs/heads/${branch}`);
  const made = await newIn(
    repository,
    [...(tip === undefined ? [] : [tip]), ...(await headsIn(repository, worked))],
    before,
  );
  const foreign: string[] = [];
  for (const name of moved) {
    const is = after.get(name);
    const own = await checkedOut(repository, name, worked);
    if (is !== undefined && own.includes(is)) continue;
    const was = own[0] ?? before.get(name);
    if (!(await isAgents(repository, { name, was, is, run, made }, before))) continue;
    if (is !== undefined && (tip === undefined || !(await isIn(repository, is, tip))))
      await keep(repository, task, is);
    const to = was === undefined ? ['-d', name, is!] : [name, was, is ?? '0'.repeat(was.length)];
    const set = await repository.try(['update-ref', '--no-deref', '-m', 'planwright: put back', ...to]);
    if (set.code === 0) foreign.push(name);
  }
  return foreign;
}

/**
 * Of a branch of another task, whatever that one's worktree had checked out of late, the last first. Its own may say of
 * itself that it has any branch.
 */
async function checkedOut(repository: OpenedRepository, ref: string, { task }: Worked): Promise<string[]> {
  const of = /^refs\/heads\/task\/([^/]+)\//.exec(ref)?.[1];
  if (of === undefined || of === task) return [];
  const linked = linkedTo(repository).find(({ path }) => path.endsWith(`/${FOLDER}/${of}`));
  const hasIt = linked !== undefined && textOf(join(linked.gitDir, 'HEAD')) === `ref: ${ref}`;
  return hasIt ? headsIn(repository, { linked }) : [];
}

/** Whatever was checked out in the worktree of late. */
async function headsIn(repository: OpenedRepository, { linked }: Pick<Worked, 'linked'>): Promise<string[]> {
  if (linked === undefined || !existsSync(linked.path)) return [];
  const git = await repository.at(linked.path, linked.gitDir);
  return (await reflog(git, 'HEAD', '%H')).filter((commit) => /^[0-9a-f]{40,}$/.test(commit));
}

const reflog = async (git: Git, name: string, format: string): Promise<string[]> => {
  const args = ['reflog', 'show', `--format=${format}`, '-n', '500', '--end-of-options', name, '--'];
  const { code, stdout } = await git.try(args);
  return code === 0 ? stdout.toString().split('\n') : [];
};

/** Commits that nothing had before. */
async function newIn(git: Git, tips: readonly string[], before: Refs): Promise<Set<string>> {
  const known = [...before.values()].map((value) => `^${value}`);
  const { stdout } = await git.try(['rev-list', '--ignore-missing', '--stdin'], {
    input: `${[...tips, ...known].join('\n')}\n`,
  });
  return new Set(
    stdout
      .toString()
      .split('\n')
      .filter((line) => line !== ''),
  );
}

interface Move {
  name: string;
  was: string | undefined;
  is: string | undefined;
  run: string;
  made: ReadonlySet<string>;
}

async function isAgents(git: Git, { name, was, is, run, made }: Move, before: Refs): Promise<boolean> {
  if (is === undefined) return true;
  const commit = await commitOf(git, is);
  if (commit === null) return false;
  if (was !== undefined && (await isIn(git, commit, was))) return true;
  if ((await reflog(git, name, '%gs')).slice(0, 20).some((message) => message.startsWith(markOf(run))))
    return true;
  if (made.size === 0) return false;
  const has = await newIn(git, [commit], before);
  return [...has].some((one) => made.has(one));
}
