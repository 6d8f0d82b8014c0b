import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Place } from '../../core/contract/index.ts';
import { bootId, hostHere } from '../process/identity.ts';
import { gitDirOf } from './checkpoint/place.ts';

/** Where a run lives that is to work in this folder of this machine. `workspace` is a real path. */
export function placeOf(workspace: string): Place {
  const worktree = linkedWorktree(workspace);
  return {
    host: hostHere(),
    boot: bootId(),
    workspace,
    ...(worktree === null ? {} : { worktree }),
  };
}

/**
 * The nearest folder at or above this one that is a linked worktree of git. Submodules and other repositories on the way
 * up are a part of what they lie in.
 */
function linkedWorktree(folder: string): string | null {
  const gitDir = gitDirOf(folder);
  const isLinked =
    gitDir !== null && basename(dirname(gitDir)) === 'worktrees' && existsSync(join(gitDir, 'commondir'));
  if (isLinked) return folder;
  return folder === dirname(folder) ? null : linkedWorktree(dirname(folder));
}
