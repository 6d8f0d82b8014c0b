import type { StartedBy } from '../../core/contract/index.ts';
import { HELPER_MARKER, RUN_MARKER, SERVICE_MARKER, STEP_MARKER } from './environment.ts';
import { bootId } from './identity.ts';
import { type NotesOf, putNote, readNote, readNotes } from './ledger.ts';
import { commandLine, type ProcessEntry, readProcess, startingEnvironment } from './process-table.ts';

export { ledgerIn, noteGroup } from './ledger.ts';

/**
 * What of Planwright the process comes from, or null. Itself and each of its ancestors is asked for a marker in the
 * environment that it was started with, and whether its number, group or session is one that `ledger` has noted; one
 * that says yes is enough. Without /proc the ancestors are those of `ps`, and only this process has a marker that can be
 * read. Never throws.
 */
export function startedBy(pid: number, ledger: string): StartedBy | null {
  const notesOf = readNotes(ledger);
  for (const entry of lineOf(pid)) {
    const found = marked(entry.pid, ledger) ?? noted(notesOf, entry);
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

/** By these variables the shells of agents that others wrote are known, as their programs set them (November 2026). */
const agentMarkers: Readonly<Record<string, string>> = {
  CLAUDECODE: 'claude-code',
  CODEX_THREAD_ID: 'codex',
  GEMINI_CLI: 'gemini',
  CURSOR_AGENT: 'cursor',
  OPENCODE: 'opencode',
};

function marked(pid: number, ledger: string): Origin | null {
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
  if (helped !== undefined) return { run: helped || null };
  for (const [name, agent] of Object.entries(agentMarkers))
    if (value(name) !== undefined && isGuardedHere(ledger, agent)) return { run: null, agent };
  return null;
}

/** How the guard is called by an agent's hook: nobody else's command line ends so. */
const hookCall = /guard[\0 ]hook[\0 ][a-z-]+[\0 ]--checkpoints=[a-z]+['"]?[\0 ]*$/;

/** Everybody's parent: whoever lost theirs is its child. */
const adopts = /^(?:[^\0]*\/)?(?:systemd|init|launchd|tini|dumb-init|s6-svscan|catatonit)(?:\0| |$)/;

/**
 * Notes the agent whose hook started this process: the first ancestor that is no part of the hook's own line. Whoever descends
 * from it decides nothing, by whatever name it calls Planwright. Linux only, where command lines can be read. Throws where it
 * cannot be written.
 */
export function noteAgent(ledger: string, agent: string, hook = process.pid): void {
  const above = lineOf(hook).find(({ pid }) => pid !== hook && !hookCall.test(commandLine(pid)));
  const line = above === undefined ? '' : commandLine(above.pid);
  if (above === undefined || above.pid <= 1 || line === '' || adopts.test(line)) return;
  const boot = bootId();
  const before = readNotes(ledger)(above.pid);
  // One that a run has started stays the run's.
  if (!before.some((note) => note.boot === boot && note.startTime === above.startTime))
    putNote(ledger, above.pid, { agent, startTime: above.startTime, boot });
  if (!isGuardedHere(ledger, agent)) putNote(ledger, agent, { boot });
}

/** Whether the guard has been asked by such an agent since the machine was started. */
const isGuardedHere = (ledger: string, agent: string): boolean => readNote(ledger, agent)?.boot === bootId();

function noted(notesOf: NotesOf, { pid, pgid, sid }: ProcessEntry): Origin | null {
  for (const number of new Set([pid, pgid, sid])) {
    const notes = notesOf(number).filter(({ boot }) => boot === bootId());
    if (notes.length === 0) continue;
    // A number is not given away while it names a group or a session: without its leader it is still the one noted.
    const leader = readProcess(number);
    const note = notes.findLast(({ startTime }) => leader === null || leader.startTime === startTime);
    if (note === undefined) continue;
    return 'agent' in note ? { run: null, agent: note.agent } : { run: note.run, step: note.step };
  }
  return null;
}
