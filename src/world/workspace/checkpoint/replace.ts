import { closeSync, ftruncateSync, futimesSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './errors.ts';
import { MOST_BYTES } from './index-file.ts';

/**
 * Replaces a file that need not outlive the machine and whose readers can tell a whole one. The one before keeps another name
 * and is written over by the next: to make a file takes several times as long, and a file system that finds a name taken over writes
 * the new file to the disk first. A kill in between leaves none of this name, which costs the next one time. `at`: how old it is to
 * be, in milliseconds since the epoch.
 */
export function replaceFile(name: string, content: Buffer, at?: number): void {
  const spare = `${name}.spare`;
  const before = `${name}.before`;
  // Of a larger index nobody asks whether it is whole.
  if (content.length > MOST_BYTES) rmSync(spare, { force: true });
  const file = openThere(spare);
  try {
    writeFileSync(file, content);
    ftruncateSync(file, content.length);
    if (at !== undefined) futimesSync(file, at / 1000, at / 1000);
  } finally {
    closeSync(file);
  }
  moveIfThere(name, before);
  renameSync(spare, name);
  moveIfThere(before, spare);
}

function openThere(path: string): number {
  try {
    return openSync(path, 'r+');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return openSync(path, 'w', 0o600);
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}
