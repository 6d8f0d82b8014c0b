import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { bundled } from '../support/program.ts';

export type Line = Record<string, unknown>;

/** A worker process and what it has said so far. */
export interface Worker {
  pid: number;
  lines: Line[];
  go(): void;
  kill(): void;
  /** Resolves with the first line, old or new, for which the test holds; rejects when the worker ends without. */
  said(test: (line: Line) => boolean): Promise<Line>;
  ended: Promise<void>;
}

/** Starts a worker and waits until its store is open. */
export async function startWorker(...args: string[]): Promise<Worker> {
  const script = bundled(import.meta.dirname, 'worker.ts');
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Line[] = [];
  const listeners = new Set<() => void>();
  let isOver = false;
  const wake = () => {
    for (const listener of listeners) listener();
  };
  createInterface({ input: child.stdout! }).on('line', (line) => {
    // A killed worker may leave half a line.
    if (!line.endsWith('}')) return;
    lines.push(JSON.parse(line) as Line);
    wake();
  });
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      isOver = true;
      wake();
      resolve();
    });
  });
  const worker: Worker = {
    pid: child.pid!,
    lines,
    go: () => void child.stdin!.write('go\n'),
    kill: () => void child.kill('SIGKILL'),
    said: (test) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const line = lines.find(test);
          if (line === undefined && !isOver) return;
          listeners.delete(look);
          if (line) resolve(line);
          else reject(new Error(`worker ${args.join(' ')} ended without saying it`));
        };
        listeners.add(look);
        look();
      }),
    ended,
  };
  await worker.said((line) => 'ready' in line);
  return worker;
}
