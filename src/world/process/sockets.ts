import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { listProcesses } from './process-table.ts';

export { commandLine } from './process-table.ts';

/** Who on this machine is at the other end of a connection. */
export interface Peer {
  /** All that hold it: a socket may be shared. */
  pids: number[];
  /** Processes that cannot be looked into; one of them may hold it. Only where nobody else does. */
  hidden: number[];
}

/**
 * The other end of a connection to a port of ours, by the ports of both ends. `elsewhere`: no socket of this machine.
 * Null where not even our own end can be seen: there is no /proc, or it does not tell. Never throws.
 */
export function peerOf(theirPort: number, ourPort: number): Peer | 'elsewhere' | null {
  const tables = ['tcp', 'tcp6'].map(socketTable);
  if (tables.every((table) => inodesOf(table, ourPort, theirPort).length === 0)) return null;
  const inodes = tables.flatMap((table) => inodesOf(table, theirPort, ourPort));
  if (inodes.length === 0) return 'elsewhere';
  const wanted = new Set(inodes.filter((inode) => inode !== '0').map((inode) => `socket:[${inode}]`));
  if (wanted.size === 0) return { pids: [], hidden: [] };
  const pids: number[] = [];
  const hidden: number[] = [];
  for (const { pid, zombie } of listProcesses()) {
    if (zombie) continue;
    const holds = holdsOneOf(pid, wanted);
    if (holds === null) hidden.push(pid);
    else if (holds) pids.push(pid);
  }
  return { pids, hidden: pids.length > 0 ? [] : hidden };
}

/**
 * The TCP ports that processes of this group, or of the session that it leads, listen on, in order. Empty where that cannot
 * be seen: there is no /proc. Never throws.
 */
export function listeningPorts(pgid: number): number[] {
  const listeners = ['tcp', 'tcp6'].flatMap((name) => listenersIn(socketTable(name)));
  if (listeners.length === 0) return [];
  const members = listProcesses().filter(({ pgid: group, sid }) => group === pgid || sid === pgid);
  const holds = ({ inode }: Listener) =>
    members.some(({ pid }) => holdsOneOf(pid, new Set([`socket:[${inode}]`])) === true);
  return [...new Set(listeners.filter(holds).map(({ port }) => port))].sort((a, b) => a - b);
}

interface Listener {
  port: number;
  inode: string;
}

const LISTEN = '0A';

function listenersIn(table: string): Listener[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode = '0'] = line.trim().split(/\s+/);
    return state === LISTEN ? [{ port: parseInt(local.split(':').at(-1) ?? '', 16), inode }] : [];
  });
}

function socketTable(name: string): string {
  try {
    return readFileSync(`/proc/net/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Of rows `sl: LOCAL:PORT REMOTE:PORT state … uid timeout inode`. One whose owner is gone has the inode 0. */
export function inodesOf(table: string, localPort: number, remotePort: number): string[] {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  const [local, remote] = [`:${hex(localPort)}`, `:${hex(remotePort)}`];
  return table.split('\n').flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    return fields[1]?.endsWith(local) && fields[2]?.endsWith(remote) ? [fields[9] ?? '0'] : [];
  });
}

/** Null where it cannot be seen. */
function holdsOneOf(pid: number, wanted: ReadonlySet<string>): boolean | null {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => {
      try {
        return wanted.has(readlinkSync(`${folder}/${fd}`));
      } catch {
        return false;
      }
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? null : false;
  }
}
