import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Driver } from '../../core/contract/index.ts';
import { readProcess } from './process-table.ts';

let boot: string | undefined;

/**
 * Names the present start of this machine: nothing of another boot is still running. Where the system gives
 * no such name, every call in this process gives the same one and no other process gives it.
 */
export function bootId(): string {
  boot ??= readBootId();
  return boot;
}

function readBootId(): string {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const args = ['-n', 'kern.bootsessionuuid'];
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('sysctl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return `process-${process.pid}-${Math.round(performance.timeOrigin)}`;
  }
}

/** When the process with this pid was started, in the system's own words; null where there is none. */
export const processStartTime = (pid: number): string | null => readProcess(pid)?.startTime ?? null;

/** The same of a process that lives; null for a dead one that its parent has not noticed yet. */
export function livingSince(pid: number): string | null {
  const entry = readProcess(pid);
  return entry === null || entry.zombie ? null : entry.startTime;
}

/** Names the world in which pids are unique: two containers of one machine are two. Never throws. */
export function pidSpace(): string {
  if (process.platform !== 'linux') return hostname();
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return 'unknown';
  }
}

/** Whether exactly this process lives: the same pid in another boot or with another start time is not it. */
export function isProcessAlive(who: { pid: number; startTime: string; boot: string }): boolean {
  if (who.boot !== bootId()) return false;
  const entry = readProcess(who.pid);
  return entry !== null && !entry.zombie && entry.startTime === who.startTime;
}

let host: string | undefined;

/** For containers that share the id of their machine, and are hosts of their own. */
export const HOST_VARIABLE = 'PLANWRIGHT_HOST';

/** Names this machine, as a place does. */
export function hostHere(): string {
  host ??= process.env[HOST_VARIABLE] || nameHost(hostname(), readMachineId());
  return host;
}

/** The id itself is confidential (machine-id(5)), and nothing can be learnt of it from this. */
export const nameHost = (name: string, machineId: string | null): string =>
  machineId === null
    ? name
    : `${name}~${bytesToHex(hmac(sha256, utf8ToBytes(machineId), utf8ToBytes('planwright'))).slice(0, 16)}`;

/** Null where there is none: containers are often without, and then told apart by their names. */
function readMachineId(): string | null {
  if (process.platform === 'darwin') return readPlatformId();
  for (const file of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    try {
      const id = readFileSync(file, 'utf8').trim();
      if (/^[0-9a-f]{32}$/.test(id)) return id;
    } catch {
      // The next one.
    }
  }
  return null;
}

function readPlatformId(): string | null {
  try {
    const args = ['-rd1', '-c', 'IOPlatformExpertDevice'];
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    const text = execFileSync('ioreg', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return /"IOPlatformUUID" = "([^"]+)"/.exec(text)?.[1] ?? null;
  } catch {
    return null;
  }
}

export const thisDriver = (): Driver => ({ pid: process.pid, host: hostHere(), boot: bootId() });
