import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from './policy.ts';

/**
 * What git, or Planwright, would later run or obey in a workspace, and how it is kept from a command.
 *
 * A mount keeps its own name from being renamed or removed, but not the names above it: so `.git`, and a nested
 * repository's folder, are mounted on themselves before their parts are made read-only. Otherwise
 * `mv .git old; mkdir -p .git/hooks` would do.
 */
export interface Guards {
  /** Writable, and not to be moved away. */
  pinned: string[];
  /** Read-only as they are. */
  readOnly: string[];
  /** Not there yet, and not to be made: an empty folder or file stands in their place for as long as it runs. */
  missing: { path: string; kind: 'folder' | 'file' }[];
  /**
   * Not there, and cannot be stood in for, because git would obey an empty one: `commondir` tells git to take hooks
   * and configuration from elsewhere. Where one appears it is taken away when the command has ended.
   */
  unwanted: string[];
}

type Kind = 'folder' | 'file' | 'link' | null;

/** Looks at the workspace. Never throws: what cannot be looked at is not there. */
export function findGuards(workspace: string): Guards {
  const guards: Guards = { pinned: [], readOnly: [], missing: [], unwanted: [] };
  guard(guards, join(workspace, '.planwright'), 'folder');
  guardRepository(guards, workspace, workspace);
  for (const folder of foldersIn(workspace)) {
    if (kindOf(join(folder, '.git')) === null) continue;
    guards.pinned.push(folder);
    guardRepository(guards, folder, workspace);
  }
  return guards;
}

function guardRepository(guards: Guards, folder: string, workspace: string): void {
  const git = join(folder, '.git');
  const kind = kindOf(git);
  // An empty folder is no repository to git, which goes on to look above it.
  if (kind === null || (kind === 'folder' && isEmpty(git))) guard(guards, git, 'folder');
  else if (kind === 'folder') {
    guardGitFolder(guards, git);
    guardHooksPath(guards, git, folder);
  } else if (kind === 'file') {
    guards.readOnly.push(git);
    const elsewhere = gitFolderOf(git, folder);
    if (elsewhere && isWithin(elsewhere, workspace) && kindOf(elsewhere) === 'folder')
      guardGitFolder(guards, elsewhere);
  }
}

function guardGitFolder(guards: Guards, git: string): void {
  guards.pinned.push(git);
  guard(guards, join(git, 'hooks'), 'folder');
  guard(guards, join(git, 'config'), 'file');
  // The configuration and hooks of submodules, and what links worktrees to this repository.
  for (const name of ['modules', 'worktrees', 'commondir'])
    if (kindOf(join(git, name)) !== null) guards.readOnly.push(join(git, name));
  if (/worktreeconfig/i.test(textOf(join(git, 'config'))))
    guard(guards, join(git, 'config.worktree'), 'file');
  if (kindOf(join(git, 'commondir')) === null) guards.unwanted.push(join(git, 'commondir'));
}

/** Hooks that the configuration keeps in the working tree, as husky does: `.husky/_` calls what lies beside it. */
function guardHooksPath(guards: Guards, git: string, folder: string): void {
  const named = /^\s*hooksPath\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(textOf(join(git, 'config')))?.[1];
  if (named === undefined) return;
  const hooks = resolve(folder, named.replace(/\/_\/?$/, ''));
  if (hooks === folder || !isWithin(hooks, folder) || isWithin(hooks, git) || kindOf(hooks) !== 'folder')
    return;
  guard(guards, hooks, 'folder');
  for (let above = dirname(hooks); above !== folder; above = dirname(above)) guards.pinned.push(above);
}

/** Read-only where it is there; stood in for where it is not. */
function guard(guards: Guards, path: string, expected: 'folder' | 'file'): void {
  const kind = kindOf(path);
  if (kind === null) guards.missing.push({ path, kind: expected });
  else if (kind === 'folder' && isEmpty(path)) guards.missing.push({ path, kind });
  else if (kind !== 'link') guards.readOnly.push(path);
}

/** `.git` of a worktree or submodule is a file that names its folder. */
function gitFolderOf(file: string, folder: string): string | null {
  const named = /^gitdir: (.+)$/m.exec(textOf(file))?.[1];
  return named === undefined ? null : resolve(folder, named.trim());
}

export function kindOf(path: string): Kind {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return null;
    return stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'folder' : 'file';
  } catch {
    return null;
  }
}

const isEmpty = (folder: string): boolean => {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
};

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 64 * 1024);
  } catch {
    return '';
  }
}
