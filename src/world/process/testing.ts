import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandEnd, type CommandSpec, startCommand } from './command.ts';
import { baseEnvironment } from './environment.ts';

/** What tests of this room and of test/process share. */

export const testEnvironment = baseEnvironment({ PATH: process.env['PATH'], HOME: '/root', LANG: 'C.UTF-8' });

export interface Ran extends CommandEnd {
  stdout: string;
  stderr: string;
}

/** Runs a script through the gate to its end. */
export async function runScript(script: string, options: Partial<CommandSpec> = {}): Promise<Ran> {
  const output = { stdout: '', stderr: '' };
  const started = await startCommand({
    script,
    shell: 'bash',
    baseEnv: testEnvironment,
    session: { cwd: '/', env: {} },
    marker: { run: `test-${process.pid}`, step: 's', epoch: 1 },
    onOutput: (stream, bytes) => {
      output[stream] += bytes.toString('latin1');
    },
    graceMs: 300,
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  started.command.open();
  const end = await started.command.done;
  const text = (stream: 'stdout' | 'stderr'): string => Buffer.from(output[stream], 'latin1').toString();
  return { ...end, stdout: text('stdout'), stderr: text('stderr') };
}

/** Waits until it holds, and fails loudly where it never does. */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
    await sleep(5);
  }
}
