import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  child: ChildProcess;
  /** Resolves when stdout holds this text; rejects when the process ends without it. */
  says(text: string): Promise<void>;
  /** What stdout holds so far. */
  said(): string;
  ended: Promise<Ended>;
}

/** Starts a program and gathers what it says. */
export function start(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
): Running {
  const { input, ...rest } = options;
  const child = spawn(command, args, {
    ...rest,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (input !== undefined) child.stdin?.end(input);
  let stdout = '';
  let stderr = '';
  const listeners = new Set<() => void>();
  child.stdout!.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    for (const listener of listeners) listener();
  });
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!stdout.includes(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() =>
        stdout.includes(text)
          ? resolve()
          : reject(new Error(`it ended without ${JSON.stringify(text)}: ${stderr}`)),
      );
    });
  return { child, says, said: () => stdout, ended };
}

/** Pids of living processes that carry this run's mark in their environment. */
export function processesOf(run: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isZombie = /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
        return (
          !isZombie &&
          readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`PLANWRIGHT_RUN=${run}`)
        );
      } catch {
        return false;
      }
    });
}

/**
 * Resolves after a while: the longer one has waited already, the longer. Looking costs a processor what those need who are
 * waited for, so that one looks some thirty times in a second, not a hundred.
 */
export const aWhile = (waitedMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(100, Math.max(10, waitedMs / 10))));

/** Waits for something that will be so; the deadline is for the case that it never is. */
export async function eventually(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const begin = Date.now();
  while (!(await holds())) {
    const waited = Date.now() - begin;
    if (waited > 120_000) throw new Error(`it never came to be: ${what}`);
    await aWhile(waited);
  }
}
