import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isatty } from 'node:tty';
import {
  type Actor,
  allows,
  type Door,
  type Scope,
  type StartedBy,
  scopeWords,
} from '../../core/contract/index.ts';
import { ledgerIn, startedBy } from '../../world/process/lineage.ts';
import { commandLine, peerOf } from '../../world/process/sockets.ts';
import { AppError } from './errors.ts';

/** Whoever asks something of a stream, and what they may do. The journal keeps who it was. */
export interface Asker {
  actor: Actor;
  scope: Scope;
  /** What of Planwright they come from: they only look. */
  from?: StartedBy;
}

/**
 * Whoever this process belongs to: they may decide, unless a run started it. Nobody is at a terminal where there is none:
 * a script that calls `planwright` is a program.
 */
export const ownerAt = (door: Door): Asker => ({
  actor: { person: owner(), door: door === 'terminal' && !isatty(0) ? 'library' : door },
  scope: 'decide',
});

function owner(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id that has no name, as in some containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

const known = new Map<string, StartedBy | null>();

/** What of Planwright this process comes from; null where a person, or a program of theirs, started it. */
export function startedHere(dataFolder: string): StartedBy | null {
  if (!known.has(dataFolder)) known.set(dataFolder, startedBy(process.pid, ledgerIn(dataFolder)));
  return known.get(dataFolder) ?? null;
}

/**
 * What the caller at the other end of a connection comes from; null where nothing speaks against them. A caller on this
 * machine is traced to the processes that hold the connection. One that has hung up is nobody, and decides nothing.
 */
export function callerFrom(
  dataFolder: string,
  { remotePort = 0, localPort = 0 }: { remotePort?: number | undefined; localPort?: number | undefined },
): StartedBy | 'gone' | null {
  const peer = peerOf(remotePort, localPort);
  if (peer === null || peer === 'elsewhere') return null;
  const ledger = ledgerIn(dataFolder);
  for (const pid of [...peer.pids, ...peer.hidden]) {
    const from = pid === process.pid ? startedHere(dataFolder) : startedBy(pid, ledger);
    if (from !== null) return from;
  }
  return peer.pids.length + peer.hidden.length === 0 ? 'gone' : null;
}

/**
 * Whether the caller is another `planwright serve` of this user on this machine, seen to come from no run. Not any process
 * of theirs: a proxy would speak for whoever asks it.
 */
export function isOwnServe(dataFolder: string, ends: Parameters<typeof callerFrom>[1]): boolean {
  const peer = peerOf(ends.remotePort ?? 0, ends.localPort ?? 0);
  if (peer === null || peer === 'elsewhere' || peer.pids.length === 0) return false;
  return (
    peer.pids.every((pid) => isOwn(pid) && serves.test(commandLine(pid))) &&
    callerFrom(dataFolder, ends) === null
  );
}

const serves = /planwright[^\0]*\0serve(?:\0|$)/;

function isOwn(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** The asker as far as they may go where they come from there: a process that a run started reads, whatever it shows. */
export const limitedBy = (asker: Asker, from: StartedBy | null, scope: Scope = 'read'): Asker =>
  from === null ? asker : { actor: { ...asker.actor, person: startedWords(from) }, scope, from };

/** `a process that run 01ab started (step s2)`, for people. */
function startedWords({ run, step, service, agent }: StartedBy): string {
  if (agent !== undefined) return `a process that ${agent} started`;
  const what = service === undefined ? step && ` (step ${step})` : ` (service ${service})`;
  return `a process that ${run === null ? 'Planwright' : `run ${run}`} started${what ?? ''}`;
}

/** Throws an AppError where they may not. */
export function mustAllow({ actor, scope, from }: Asker, needed: Scope): void {
  if (allows(scope, needed)) return;
  const whom = from?.agent === undefined ? 'run' : 'agent';
  const instead = from === undefined ? '' : `. Decide in a terminal that no ${whom} started, or on the page`;
  throw new AppError('not-allowed', `${actor.person} may ${scopeWords[scope]} here${instead}`);
}
