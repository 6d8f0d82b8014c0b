import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { readProcess } from '../process-table.ts';
import { OPTIONS_FD, STATUS_FD } from './stage.ts';

/** For so long it is looked for at every turn of the event loop: a timer would take longer than the process does. */
const WATCHING_MS = 3;
/** How long the last process inside may take to be gone when bwrap has ended. */
const EMPTYING_MS = 5_000;

export interface Inhabited {
  /**
   * Resolves, when bwrap has ended, with whether the command began: only then does bwrap report an exit code of its
   * own. Never rejects.
   */
  began: Promise<boolean>;
  /** Resolves with whether nothing inside runs any more; waits for that a few seconds at most. Never rejects. */
  emptied(): Promise<boolean>;
}

/** Hands bwrap, which was just started, its options, and listens to what it says. */
export function inhabit(child: ChildProcess, options: Buffer): Inhabited {
  const streams = child.stdio as unknown as Record<number, Socket>;
  const [status, asked] = [streams[STATUS_FD]!, streams[OPTIONS_FD]!];
  asked.on('error', () => {});
  asked.end(options);
  let said = '';
  status.on('data', (bytes: Buffer) => {
    said += bytes;
  });
  const ended = new Promise<void>((resolve) => {
    status.on('error', () => {});
    status.on('close', () => resolve());
  });
  return {
    began: ended.then(() => said.includes('"exit-code"')),
    emptied: async () => {
      await Promise.race([ended, sleep(EMPTYING_MS, undefined, { ref: false })]);
      const first = /"child-pid": *(\d+)/.exec(said)?.[1];
      return first === undefined || isGone(Number(first), child.pid!);
    },
  };
}

/**
 * The first process inside dies with bwrap and takes all others along; the kernel keeps it until they are gone. That
 * takes a millisecond or two. It counts as gone when only its parent has not noticed.
 */
async function isGone(pid: number, pgid: number): Promise<boolean> {
  for (const start = performance.now(); ; ) {
    const entry = readProcess(pid);
    if (entry === null || entry.zombie || entry.pgid !== pgid) return true;
    const waited = performance.now() - start;
    if (waited > EMPTYING_MS) return false;
    await (waited < WATCHING_MS ? turn() : sleep(2));
  }
}
