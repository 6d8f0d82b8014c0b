import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type GitPlace, git } from './git.ts';
import { joinZ } from './path-bytes.ts';

/** Where the workspace lies in the user's repository, if in any. The user's `.git` is read, never written. */
export interface CheckpointPlace extends GitPlace {
  workspace: string;
  /** The workspace as seen from `top`: '' or 'packages/a/'. */
  prefix: string;
  /** The user's index, or null. Read for what is tracked although it is ignored. */
  userIndex: string | null;
}

/** Null where it cannot be read. */
export const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** The git folder of a repository whose top is this folder; null where it is none. A linked worktree has a file. */
export function gitDirOf(folder: string): string | null {
  const path = join(folder, '.git');
  if (!existsSync(path)) return null;
  const found = isFolder(path) ? path : /^gitdir: (.+?)\n*$/.exec(readIfThere(path) ?? '')?.[1];
  if (found === undefined) return null;
  const gitDir = resolve(folder, found);
  return readIfThere(join(gitDir, 'HEAD')) === null ? null : gitDir;
}

function findRepository(workspace: string): { top: string; userGitDir: string } | null {
  for (let folder = workspace; ; folder = dirname(folder)) {
    const userGitDir = gitDirOf(folder);
    if (userGitDir !== null) return { top: folder, userGitDir };
    if (folder === dirname(folder)) return null;
  }
}

/**
 * In a folder of a repository the ignore files above it count as well, so git is shown the whole repository and
 * asked about the folder. Where that folder is itself ignored, it stands alone: somebody works in it all the same.
 */
export async function findPlace(workspace: string, gitDir: string): Promise<CheckpointPlace> {
  const alone: CheckpointPlace = {
    workspace,
    gitDir,
    top: workspace,
    prefix: '',
    exclude: null,
    userIndex: null,
  };
  const found = findRepository(workspace);
  if (found === null) return alone;
  const { top, userGitDir } = found;
  const common = resolve(userGitDir, readIfThere(join(userGitDir, 'commondir'))?.trim() ?? '.');
  const inside = relative(top, workspace);
  const place: CheckpointPlace = {
    ...alone,
    top,
    prefix: inside === '' ? '' : `${inside}/`,
    exclude: join(common, 'info/exclude'),
    userIndex: join(userGitDir, 'index'),
  };
  if (inside === '') return place;
  const input = joinZ([`./${inside}`]);
  const ignored = await git(place, ['check-ignore', '--no-index', '-z', '--stdin'], {
    input,
    magic: true,
    allow: [1],
  });
  return ignored.length > 0 ? alone : place;
}

/** The ignore files above the workspace and beside the repository; those below are met on the walk. */
export function outerIgnoreFiles({ top, prefix, exclude }: CheckpointPlace): string[] {
  const parts = prefix.split('/').slice(0, -1);
  const folders = parts.map((_, at) => join(top, ...parts.slice(0, at)));
  return [...(exclude === null ? [] : [exclude]), ...folders.map((folder) => join(folder, '.gitignore'))];
}
