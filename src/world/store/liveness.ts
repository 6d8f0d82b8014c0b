import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** What the operating system knows about processes. Never throws. */
export interface Liveness {
  /** Names the world in which pids are unique: two containers of one machine are two. */
  space: string;
  /** Tells a process from a later one with the same pid; null where no such process lives. */
  startTime(pid: number): string | null;
}

/** A process as it is written beside its heartbeat. */
export interface ProcessFacts {
  pid: number;
  /** Null where it could not be found out. */
  pidStart: string | null;
  pidSpace: string;
  host: string;
  boot: string;
}

/**
 * True where the owner is surely dead: it lived where we live, and its pid is gone or belongs to another
 * process now. Anything less sure is left to its heartbeat.
 */
export function isSurelyDead(owner: ProcessFacts, self: ProcessFacts, liveness: Liveness): boolean {
  const isNeighbour =
    owner.host === self.host && owner.boot === self.boot && owner.pidSpace === self.pidSpace;
  if (!isNeighbour) return false;
  const start = liveness.startTime(owner.pid);
  return start === null || (owner.pidStart !== null && start !== owner.pidStart);
}

export const systemLiveness = (): Liveness =>
  process.platform === 'linux' ? linux : process.platform === 'darwin' ? mac : other;

const linux: Liveness = {
  get space() {
    try {
      return readlinkSync('/proc/self/ns/pid');
    } catch {
      return 'unknown';
    }
  },
  startTime(pid) {
    let stat: string;
    try {
      stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    } catch {
      return null;
    }
    // The name of the program is in parentheses and may hold anything: count fields after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isGone = fields[0] === 'Z' || fields[0] === 'X';
    return isGone ? null : (fields[19] ?? null);
  },
};

const mac: Liveness = {
  space: hostname(),
  startTime(pid) {
    try {
      // Language and time zone fixed: two processes must spell one start alike.
      const line = execFileSync('ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], {
        encoding: 'utf8',
        env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim();
      const [state = '', ...start] = line.split(/\s+/);
      return line === '' || state.startsWith('Z') ? null : start.join(' ');
    } catch {
      return null;
    }
  },
};

/** Elsewhere only "is there such a process" can be asked, so a reused pid waits for its heartbeat. */
const other: Liveness = {
  space: hostname(),
  startTime(pid) {
    try {
      process.kill(pid, 0);
      return 'alive';
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'alive' : null;
    }
  },
};
