import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Entrance } from './enter.ts';
import { OPTIONS_FD, STATUS_FD } from './stage.ts';

/**
 * Hands bwrap its options. Resolves, when bwrap has said all it will say, with whether the command began: only then
 * does it report an exit code of its own. Never rejects.
 */
export function sayWhetherEntered(child: ChildProcess, { options }: Entrance): Promise<boolean> {
  const streams = child.stdio as unknown as Record<number, Socket>;
  const [status, asked] = [streams[STATUS_FD]!, streams[OPTIONS_FD]!];
  asked.on('error', () => {});
  asked.end(options);
  let said = '';
  status.on('data', (bytes: Buffer) => {
    said += bytes;
  });
  return new Promise((resolve) => {
    status.on('error', () => {});
    status.on('close', () => resolve(said.includes('"exit-code"')));
  });
}
