import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { processStartTime } from './identity.ts';

/** How a process ended. Both null: nobody saw it. */
export interface Exit {
  exitCode: number | null;
  signal: string | null;
}

/** A process that was started, by this one or by its spawner. */
export interface Child {
  pid: number;
  /** As the system says it; empty where it was gone before one could look. */
  startTime: string;
  /** Ours of its descriptors 0 to 3; null where it has none of ours. */
  stdio: readonly (Socket | null)[];
  /** What it writes to descriptor 4; null where it has none. */
  report: Readable | null;
  /** Never rejects. */
  exited: Promise<Exit>;
  hasExited(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Whether it keeps this process alive; it does unless told otherwise. */
  unref(): void;
  ref(): void;
}

/** One that this process started itself. Null where that failed: the error comes as an event. */
export function childOf(process: ChildProcess): Child | null {
  const { pid } = process;
  if (pid === undefined) return null;
  process.on('error', () => {});
  return {
    pid,
    // It is not reaped before the event loop turns, so its entry is still there even if it died at once.
    startTime: processStartTime(pid) ?? '',
    stdio: process.stdio as unknown as (Socket | null)[],
    report: (process.stdio[4] as Readable | undefined) ?? null,
    exited: new Promise((resolve) => {
      process.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    }),
    hasExited: () => process.exitCode !== null || process.signalCode !== null,
    kill: (signal) => void process.kill(signal),
    unref: () => process.unref(),
    ref: () => process.ref(),
  };
}

/** What a status of wait(2) says. */
export function exitOf(status: number): Exit {
  const signal = status & 0x7f;
  if (signal === 0) return { exitCode: (status >> 8) & 0xff, signal: null };
  return { exitCode: null, signal: signalNames.get(signal) ?? `SIG${signal}` };
}

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);
