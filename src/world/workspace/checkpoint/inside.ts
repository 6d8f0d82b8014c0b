import { lstatSync, type Stats } from 'node:fs';
import { ancestorsOf, onDisk, within } from './path-bytes.ts';

/** What is at a path of the workspace; null where nothing is, or where a link or a file is in the way. */
export function lstatInside(workspace: string, path: string): Stats | null {
  const look = (each: string) =>
    lstatSync(onDisk(within(workspace, each)), { throwIfNoEntry: false }) ?? null;
  try {
    if (!ancestorsOf(path).every((folder) => look(folder)?.isDirectory() === true)) return null;
    return look(path);
  } catch {
    // ENOTDIR: it changed between two looks.
    return null;
  }
}
