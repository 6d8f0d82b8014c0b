import { lstatSync, type Stats } from 'node:fs';
import { codeOf } from './errors.ts';
import { ancestorsOf, onDisk, within } from './path-bytes.ts';

/** What is at an absolute path; null: nothing; 'hidden': one may not look. Links are not followed. */
export function tryLstat(path: string): Stats | null | 'hidden' {
  try {
    return lstatSync(onDisk(path), { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    return codeOf(error) === 'ENOTDIR' ? null : 'hidden';
  }
}

/** What is at a path of the workspace; null where nothing is to be seen, or where a link or a file is in the way. */
export function lstatInside(workspace: string, path: string): Stats | null {
  for (const folder of ancestorsOf(path)) {
    const stats = tryLstat(within(workspace, folder));
    if (stats === null || stats === 'hidden' || !stats.isDirectory()) return null;
  }
  const found = tryLstat(within(workspace, path));
  return found === 'hidden' ? null : found;
}
