import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Context } from '../context.ts';

/**
 * Leaves a process behind that drives the task until it needs somebody or is over, whatever becomes of this terminal.
 * Where a server or a worker has it already, that one is waited for. False where this program cannot be started again.
 */
export function driveInBackground({ cwd, env }: Context, id: string): boolean {
  const program = process.argv[1];
  if (program === undefined || !/^planwright(?:\.js)?$/.test(basename(program))) return false;
  const child = spawn(process.execPath, [...process.execArgv, program, 'task', 'wait', id], {
    ...{ cwd, env: { ...env }, stdio: 'ignore', detached: true },
  });
  child.on('error', () => {});
  child.unref();
  return child.pid !== undefined;
}
