import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessGroup, StartedBy } from '../../core/contract/index.ts';
import { HELPER_MARKER, RUN_MARKER, SERVICE_MARKER, STEP_MARKER } from './environment.ts';
import { bootId } from './identity.ts';
import { listProcesses, type ProcessEntry, readProcess, startingEnvironment } from './process-table.ts';

/**
 * What of Planwright the process comes from, or null. Itself and each of its ancestors is asked for a marker in the
 * environment that it was started with, and whether its number, group or session is one that `ledger` has noted; one
 * that says yes is enough. Without /proc the ancestors are those of `ps`, and only this process has a marker that can be
 * read. Never throws.
 */
export function startedBy(pid: number, ledger: string): StartedBy | null {
  for (const entry of lineOf(pid)) {
    const found = marked(entry.pid) ?? noted(ledger, entry);
    if (found !== null) return { ...found, pid };
  }
  return null;
}

/** The process and those it descends from. */
export function lineOf(pid: number): ProcessEntry[] {
  const line: ProcessEntry[] = [];
  for (let entry = readProcess(pid); entry !== null; entry = readProcess(entry.ppid)) {
    if (line.some((known) => known.pid === entry!.pid)) break;
    line.push(entry);
    if (entry.ppid < 1) break;
  }
  return line;
}

type Origin = Omit<StartedBy, 'pid'>;

function marked(pid: number): Origin | null {
  const own = pid === process.pid ? process.env : {};
  const lines = startingEnvironment(pid);
  const value = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? own[name];
  const service = value(SERVICE_MARKER);
  if (service !== undefined) {
    const at = service.indexOf(':');
    return { run: service.slice(0, at), service: service.slice(at + 1) };
  }
  const run = value(RUN_MARKER);
  const step = value(STEP_MARKER);
  if (run !== undefined) return { run, ...(step === undefined ? {} : { step }) };
  const helped = value(HELPER_MARKER);
  return helped === undefined ? null : { run: helped || null };
}

/** The folder in a data folder where the groups are noted that runs have started. */
export const ledgerIn = (dataFolder: string): string => join(dataFolder, 'started');

interface Note {
  run: string;
  step: string;
  startTime: string;
  boot: string;
}

const MANY = 256;

/**
 * Notes a group that a run has started, before it runs. The journal has it too; this is where it is found by its number
 * alone. Throws where it cannot be written.
 */
export function noteGroup(ledger: string, group: ProcessGroup, owner: { run: string; step: string }): void {
  mkdirSync(ledger, { recursive: true, mode: 0o700 });
  const names = readdirSync(ledger);
  if (names.length >= MANY) forgetEnded(ledger, names);
  const note: Note = { ...owner, startTime: group.startTime, boot: group.boot };
  writeFileSync(join(ledger, String(group.pgid)), JSON.stringify(note), { mode: 0o600 });
}

function noted(ledger: string, { pid, pgid, sid }: ProcessEntry): Origin | null {
  for (const number of new Set([pid, pgid, sid])) {
    const note = readNote(ledger, number);
    if (note === null || note.boot !== bootId()) continue;
    // A number is not given away while it names a group or a session: without its leader it is still the one noted.
    const leader = readProcess(number);
    if (leader === null || leader.startTime === note.startTime) return { run: note.run, step: note.step };
  }
  return null;
}

function readNote(ledger: string, number: number): Note | null {
  try {
    return JSON.parse(readFileSync(join(ledger, String(number)), 'utf8')) as Note;
  } catch {
    return null;
  }
}

function forgetEnded(ledger: string, names: readonly string[]): void {
  const living = new Set(listProcesses().flatMap(({ pid, pgid, sid }) => [pid, pgid, sid]));
  for (const name of names) if (!living.has(Number(name))) rmSync(join(ledger, name), { force: true });
}
