import { closeSync, mkdirSync, openSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import type { Guards } from './repositories.ts';

/** How many commands of this process need each placeholder. One that is taken away takes the mounts on it along. */
const held = new Map<string, { count: number; made: boolean }>();

/**
 * Puts something empty where a guard has nothing to stand on, because a mount needs a place. What was made here is
 * taken away when the last command that needs it has ended, if it is still empty. A process that is killed leaves
 * them behind: an empty `.git` or `.planwright` means nothing to anybody.
 * Throws what the system says where one cannot be made.
 */
export function holdPlaceholders(missing: Guards['missing']): () => void {
  const taken: string[] = [];
  const release = (): void => {
    for (const path of taken.splice(0)) letGo(path);
  };
  try {
    for (const { path, kind } of missing) {
      const known = held.get(path);
      const made = make(path, kind);
      held.set(path, { count: (known?.count ?? 0) + 1, made: made || known?.made === true });
      taken.push(path);
    }
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

function make(path: string, kind: 'folder' | 'file'): boolean {
  try {
    if (kind === 'folder') mkdirSync(path);
    else closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function letGo(path: string): void {
  const known = held.get(path);
  if (!known) return;
  known.count -= 1;
  if (known.count > 0) return;
  held.delete(path);
  if (known.made) removeEmpty(path);
}

function removeEmpty(path: string): void {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) rmdirSync(path);
    else if (stat.size === 0) unlinkSync(path);
  } catch {
    // Somebody has filled it, or taken it away: then it is theirs.
  }
}

/** Takes away what appeared while a command ran and git would obey; see `Guards`. */
export function removeUnwanted(unwanted: string[]): void {
  for (const path of unwanted) {
    try {
      unlinkSync(path);
    } catch {
      // As it should be: it is not there.
    }
  }
}
