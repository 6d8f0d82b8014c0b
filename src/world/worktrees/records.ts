import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Where worktrees of tasks lie in a project's folder. */
export const FOLDER = '.agent-worktrees';

/** Null where it cannot be read. */
export const textOf = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

export const kindAt = (path: string): 'absent' | 'folder' | 'other' => {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats === undefined ? 'absent' : stats.isDirectory() ? 'folder' : 'other';
};

const halfMade = /failed to read .*\/worktrees\/([^/]+)\/(?:commondir|gitdir|HEAD)/;

/** Which record of a worktree git could not read: somebody is just writing it, or was killed at that. */
export const unreadableRecord = (stderr: string): string | undefined => halfMade.exec(stderr)?.[1];

/** Removes the record of a task's worktree that was never finished: git would stumble over it for ever. */
export function forgetHalfMade(common: string, name: string): void {
  const record = join(common, 'worktrees', name);
  const isOurs = textOf(join(record, 'gitdir'))?.includes(`/${FOLDER}/`) === true;
  if (isOurs && (textOf(join(record, 'commondir')) ?? '') === '')
    rmSync(record, { recursive: true, force: true });
}
