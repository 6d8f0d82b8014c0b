import { setTimeout as sleep } from 'node:timers/promises';
import { isSameHost, type ProcessGroup } from '../../core/contract/index.ts';
import { EPOCH_MARKER, RUN_MARKER, SERVICE_MARKER, STEP_MARKER, serviceMark } from './environment.ts';
import { bootId, hostHere } from './identity.ts';
import { monotonic } from './monotonic.ts';
import {
  commandLine,
  listPids,
  listProcesses,
  type ProcessEntry,
  readProcess,
  startingEnvironment,
} from './process-table.ts';

export const DEFAULT_GRACE_MS = 5_000;
/** How long SIGKILL may take: longer means a process stuck inside the kernel, and nothing more can be done. */
const KILL_MS = 5_000;
/** How long a process that has been told to end may still be seen. */
const ENDING_MS = 40;

/**
 * How ending a group came out.
 * absent: nothing of it was there · elsewhere: it is on another host, and nobody here knows · not-ours: the number now names somebody else's processes, left alone
 * ended: gone after SIGTERM · killed: gone after SIGKILL · stuck: still there, not ours to end or not endable
 */
export type GroupEnd = 'absent' | 'elsewhere' | 'not-ours' | 'ended' | 'killed' | 'stuck';

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

/** Whether processes of the group live on. Those that are just ending are given a moment to be gone. */
export const outlives = async (pgid: number): Promise<boolean> =>
  !(await became(() => !groupExists(pgid) || livingMembers(pgid).length === 0, ENDING_MS));

/** Whose processes are meant: a run's, those of one of its steps, or those of one of its services. */
export interface GroupOwner {
  run: string;
  step?: string;
  service?: string;
  /** The claim of whoever asks. What was started under a later one is not theirs. */
  epoch?: number;
}

/**
 * Whose group this is now. A number is not given to a new process while any process is in the group of that
 * number; so a leader with another start time means that ours is gone, and without a leader one member that
 * carries the owner's marker proves the whole group.
 */
export function inspectGroup(
  group: ProcessGroup,
  owner: GroupOwner | string,
): 'ours' | 'absent' | 'elsewhere' | 'not-ours' {
  if (!isSameHost(group.host, hostHere())) return 'elsewhere';
  if (group.boot !== bootId() || !groupExists(group.pgid)) return 'absent';
  const leader = readProcess(group.pgid);
  if (leader && leader.startTime !== group.startTime) return 'not-ours';
  if (group.pgid === readProcess(process.pid)?.pgid) return 'not-ours';
  const members = livingMembers(group.pgid);
  if (members.length === 0) return 'absent';
  if (leader) return 'ours';
  const whose = typeof owner === 'string' ? { run: owner } : owner;
  return members.some((member) => isMarked(member.pid, whose)) ? 'ours' : 'not-ours';
}

/**
 * Ends a group that this run started: SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone or cannot
 * be ended. Touches nothing that is not proved to be the run's. Never rejects.
 */
export async function endGroup(
  group: ProcessGroup,
  { graceMs = DEFAULT_GRACE_MS, ...owner }: GroupOwner & { graceMs?: number },
): Promise<GroupEnd> {
  const found = inspectGroup(group, owner);
  if (found !== 'ours') return found;
  const members = (): ProcessEntry[] => {
    if (!groupExists(group.pgid)) return [];
    const leader = readProcess(group.pgid);
    return leader && leader.startTime !== group.startTime ? [] : livingMembers(group.pgid);
  };
  return endAll(members, graceMs, (signal) => send(-group.pgid, signal));
}

/**
 * Ends processes that carry this owner's marker, wherever they went: what left its group by `setsid` is still
 * found. What a later driver than `epoch` has started is left alone: whoever ends something may have been overtaken.
 * Linux only: elsewhere none are found. Resolves with how many there were. Never rejects.
 */
export async function endMarked(
  owner: GroupOwner & { epoch: number },
  { graceMs = DEFAULT_GRACE_MS }: { graceMs?: number } = {},
): Promise<number> {
  const { length } = findMarked(owner);
  if (length > 0) await endAll(() => findMarked(owner), graceMs);
  return length;
}

/**
 * SIGTERM to all that are found, and once to each program that is found later; SIGKILL to all after the grace.
 *
 * At once, by `toGroup`, where they are a group: a shell that saw its command end first would begin the next one.
 * Without a group, parents come before their children. Later ones matter: a shell that is told to end while it
 * starts a command waits for that command, and the command was not there yet, or was still a copy of the shell
 * when it was told and has forgotten it. Telling all of them again would make some programs drop what they are
 * finishing.
 */
async function endAll(
  find: () => ProcessEntry[],
  graceMs: number,
  toGroup?: (signal: NodeJS.Signals) => void,
): Promise<'ended' | 'killed' | 'stuck'> {
  const told = new Set<string>();
  const toEach = (entries: ProcessEntry[], signal: NodeJS.Signals): void => {
    // Only to exactly this process: the pid may have been given away since it was found.
    for (const { pid, startTime } of entries)
      if (readProcess(pid)?.startTime === startTime) send(pid, signal);
  };
  const tell = (entries: ProcessEntry[], signal: NodeJS.Signals): void => {
    if (toGroup && (told.size === 0 || signal === 'SIGKILL')) toGroup(signal);
    else toEach(entries, signal);
  };
  const terminate = (): boolean => {
    const living = find();
    const named = living.map((entry) => ({
      entry,
      name: `${entry.pid} ${entry.startTime} ${commandLine(entry.pid)}`,
    }));
    const untold = named.filter(({ name }) => !told.has(name)).map(({ entry }) => entry);
    if (untold.length > 0) {
      tell(untold, 'SIGTERM');
      tell(untold, 'SIGCONT');
    }
    for (const { name } of named) told.add(name);
    return living.length === 0;
  };
  const kill = (): boolean => {
    const living = find();
    if (living.length > 0) tell(living, 'SIGKILL');
    return living.length === 0;
  };
  if (await became(terminate, graceMs)) return 'ended';
  return (await became(kill, KILL_MS)) ? 'killed' : 'stuck';
}

/** Living processes that carry this owner's marker. Linux only: elsewhere none are found. */
export function findMarked(owner: GroupOwner): ProcessEntry[] {
  const own = ownLine();
  return listPids()
    .filter((pid) => !own.has(pid) && isMarked(pid, owner))
    .map(readProcess)
    .filter((entry) => entry !== null)
    .filter(({ zombie }) => !zombie);
}

/** A service that is to outlive its run carries no marker of the run: it is known by its own alone. */
function marksOf({ run, step, service }: GroupOwner): string[] {
  if (service !== undefined) return [`${SERVICE_MARKER}=${serviceMark(run, service)}`];
  const marks = [`${RUN_MARKER}=${run}`];
  return step === undefined ? marks : [...marks, `${STEP_MARKER}=${step}`];
}

function isMarked(pid: number, owner: GroupOwner): boolean {
  const environment = startingEnvironment(pid);
  if (!marksOf(owner).every((mark) => environment.includes(mark))) return false;
  const epoch = environment.find((entry) => entry.startsWith(`${EPOCH_MARKER}=`));
  return owner.epoch === undefined || Number(epoch?.slice(EPOCH_MARKER.length + 1) ?? 0) <= owner.epoch;
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
  const deadline = monotonic() + withinMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    if (holds()) return true;
    const left = deadline - monotonic();
    if (left <= 0) return false;
    await sleep(Math.min(pause, left));
  }
}
