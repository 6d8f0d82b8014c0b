import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Random bytes of the system. Those of node:crypto are as good, and come from the same place; loading it takes longer than all
 * else that a guard does before it judges.
 */
export function randomBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  return fillFrom('/dev/urandom', bytes) ? bytes : process.getBuiltinModule('node:crypto').randomBytes(count);
}

/** Whether there was one, which is no file that somebody has put in its place, and it filled them all. */
function fillFrom(device: string, bytes: Buffer): boolean {
  try {
    const fd = openSync(device, 'r');
    try {
      return fstatSync(fd).isCharacterDevice() && readSync(fd, bytes) === bytes.length;
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}
