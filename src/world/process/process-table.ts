import { readdirSync, readFileSync } from 'node:fs';

/** One process as the system knows it. `startTime` is only ever compared for equality. */
export interface ProcessEntry {
  pid: number;
  ppid: number;
  pgid: number;
  /** Its session; where the system does not tell, its group. */
  sid: number;
  startTime: string;
  /** Dead, and waiting for its parent to notice. */
  zombie: boolean;
}

const linux = process.platform === 'linux';

/** What the system knows of this pid now, or null where there is no such process. Never throws. */
export function readProcess(pid: number): ProcessEntry | null {
  try {
    if (linux) return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    return parsePs(ps(['-p', String(pid)]))[0] ?? null;
  } catch {
    return null;
  }
}

/** All processes that can be seen. Never throws: what vanishes while one looks is left out. */
export function listProcesses(): ProcessEntry[] {
  try {
    const all = linux ? listPids().map(readProcess) : parsePs(ps(['-A']));
    return all.filter((entry) => entry !== null);
  } catch {
    return [];
  }
}

/** The numbers of all processes that can be seen. Linux only; empty elsewhere. Never throws. */
export function listPids(): number[] {
  if (!linux) return [];
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The environment that the process was started with, as `NAME=value` lines. Linux only; empty elsewhere. */
export function startingEnvironment(pid: number): string[] {
  if (!linux) return [];
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** What the process runs now: another command line means another program. Linux only; empty elsewhere. */
export function commandLine(pid: number): string {
  if (!linux) return '';
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

/** A line of /proc/PID/stat. The name in parentheses may hold anything, so fields count from the last one. */
export function parseStat(text: string): ProcessEntry | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, ppid, pgid, sid, startTime] = [fields[0], fields[1], fields[2], fields[3], fields[19]];
  if (state === undefined || startTime === undefined) return null;
  return {
    pid: Number.parseInt(text, 10),
    ppid: Number(ppid),
    pgid: Number(pgid),
    sid: Number(sid),
    startTime,
    zombie: state === 'Z' || state === 'X',
  };
}

/** Lines of `ps -o pid=,ppid=,pgid=,stat=,lstart=`, for systems without /proc. */
export function parsePs(text: string): ProcessEntry[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*?)\s*$/gm)].map((match) => ({
    pid: Number(match[1]),
    ppid: Number(match[2]),
    pgid: Number(match[3]),
    sid: Number(match[3]),
    startTime: match[5] ?? '',
    zombie: (match[4] ?? '').startsWith('Z'),
  }));
}

const ps = (selection: string[]): string =>
  process
    .getBuiltinModule('node:child_process')
    .execFileSync('ps', [...selection, '-o', 'pid=,ppid=,pgid=,stat=,lstart='], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
