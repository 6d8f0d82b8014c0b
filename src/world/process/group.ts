import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessGroup } from '../../core/contract/index.ts';
import { RUN_MARKER, STEP_MARKER } from './environment.ts';
import { bootId } from './identity.ts';
import { listProcesses, type ProcessEntry, readProcess, startingEnvironment } from './process-table.ts';

export const DEFAULT_GRACE_MS = 5_000;
/** How long SIGKILL may take: longer means a process stuck inside the kernel, and nothing more can be done. */
const KILL_MS = 5_000;

/**
 * How ending a group came out.
 * absent: nothing of it was there · not-ours: the number now names somebody else's processes, left alone
 * ended: gone after SIGTERM · killed: gone after SIGKILL · stuck: still there, not ours to end or not endable
 */
export type GroupEnd = 'absent' | 'not-ours' | 'ended' | 'killed' | 'stuck';

/** Whether the group's number is in use at all: by anyone, zombies included. */
export function groupExists(pgid: number): boolean {
  try {
    process.kill(-pgid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const livingMembers = (pgid: number): ProcessEntry[] =>
  listProcesses().filter((entry) => entry.pgid === pgid && !entry.zombie);

/** Whether living processes are in the group with this number. */
export const hasLivingMembers = (pgid: number): boolean =>
  groupExists(pgid) && livingMembers(pgid).length > 0;

/**
 * Whose group this is now. A number is not given to a new process while any process is in the group of that
 * number; so a leader with another start time means that ours is gone, and without a leader one member that
 * carries the run's marker proves the whole group.
 */
export function inspectGroup(group: ProcessGroup, run: string): 'ours' | 'absent' | 'not-ours' {
  if (group.boot !== bootId() || !groupExists(group.pgid)) return 'absent';
  const leader = readProcess(group.pgid);
  if (leader && leader.startTime !== group.startTime) return 'not-ours';
  if (group.pgid === readProcess(process.pid)?.pgid) return 'not-ours';
  const members = livingMembers(group.pgid);
  if (members.length === 0) return 'absent';
  if (leader) return 'ours';
  return members.some((member) => isMarked(member.pid, run)) ? 'ours' : 'not-ours';
}

/**
 * Ends a group that this run started: SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone or cannot
 * be ended. Touches nothing that is not proved to be the run's. Never rejects.
 */
export async function endGroup(
  group: ProcessGroup,
  { run, graceMs = DEFAULT_GRACE_MS }: { run: string; graceMs?: number },
): Promise<GroupEnd> {
  const found = inspectGroup(group, run);
  if (found !== 'ours') return found;
  const gone = (): boolean => {
    if (!groupExists(group.pgid)) return true;
    const leader = readProcess(group.pgid);
    return (leader && leader.startTime !== group.startTime) || livingMembers(group.pgid).length === 0;
  };
  send(-group.pgid, 'SIGTERM');
  send(-group.pgid, 'SIGCONT');
  if (await became(gone, graceMs)) return 'ended';
  send(-group.pgid, 'SIGKILL');
  return (await became(gone, KILL_MS)) ? 'killed' : 'stuck';
}

/**
 * Ends processes that carry this run's marker, wherever they went: what left its group by `setsid` is still
 * found. Linux only: elsewhere none are found. Resolves with how many there were. Never rejects.
 */
export async function endMarked(
  marker: { run: string; step?: string },
  { graceMs = DEFAULT_GRACE_MS }: { graceMs?: number } = {},
): Promise<number> {
  const own = ownLine();
  const find = (): ProcessEntry[] =>
    listProcesses().filter(
      (entry) => !entry.zombie && !own.has(entry.pid) && isMarked(entry.pid, marker.run, marker.step),
    );
  const signal = (entries: ProcessEntry[], name: NodeJS.Signals): void => {
    for (const { pid, startTime } of entries) if (readProcess(pid)?.startTime === startTime) send(pid, name);
  };
  const found = find();
  if (found.length === 0) return 0;
  signal(found, 'SIGTERM');
  signal(found, 'SIGCONT');
  if (await became(() => find().length === 0, graceMs)) return found.length;
  await became(() => {
    const left = find();
    signal(left, 'SIGKILL');
    return left.length === 0;
  }, KILL_MS);
  return found.length;
}

function isMarked(pid: number, run: string, step?: string): boolean {
  const environment = startingEnvironment(pid);
  if (!environment.includes(`${RUN_MARKER}=${run}`)) return false;
  return step === undefined || environment.includes(`${STEP_MARKER}=${step}`);
}

/** This process and those it descends from: a planwright that is itself inside a step must not end itself. */
function ownLine(): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0 && !line.has(pid); pid = readProcess(pid)?.ppid ?? 0) line.add(pid);
  return line;
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone in the meantime, or not ours to signal: whoever waits finds out which.
  }
}

/** Looks often at first, then less: most processes end within a few milliseconds. */
async function became(holds: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    if (holds()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
}
