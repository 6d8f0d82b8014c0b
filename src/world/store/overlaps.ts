import { sep } from 'node:path';
import type { Folder } from '../../core/stream/index.ts';

const withSeparator = (path: string): string => (path.endsWith(sep) ? path : path + sep);

/**
 * Whether two folders of one machine are the same, or one lies within the other. Worktrees of git that lie within each
 * other are separate folders all the same.
 */
export function overlaps(a: Omit<Folder, 'host'>, b: Omit<Folder, 'host'>): boolean {
  if ((a.worktree ?? null) !== (b.worktree ?? null)) return false;
  const [one, two] = [withSeparator(a.path), withSeparator(b.path)];
  return one.startsWith(two) || two.startsWith(one);
}
