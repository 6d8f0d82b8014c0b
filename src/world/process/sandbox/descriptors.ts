import { readdirSync, readFileSync } from 'node:fs';

/** Of the flags in /proc: close when another program is started. */
const CLOSE_ON_EXEC = 0o2000000;

let known: number[] | null = null;

/**
 * Descriptors that this process was started with and would hand on to whatever it starts. Inside a sandbox one of
 * a folder would be a way around every mount. Node marks all that it opens itself, so these do not change.
 */
export function inheritedDescriptors(): number[] {
  known ??= readdirSync('/proc/self/fd')
    .map(Number)
    .filter((fd) => fd > 2 && isHandedOn(fd));
  return known;
}

function isHandedOn(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false;
  }
}
