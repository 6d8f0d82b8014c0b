import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../..');

export interface Serving {
  child: ChildProcess;
  url: string;
  token: string;
  /** Opens the page once. */
  address: string;
}

const token = 'a-token-that-is-long-enough-for-measuring';

/** The real program in a process of its own: what it weighs is its own. */
export async function startServer(home: string): Promise<Serving> {
  const args = [join(root, 'bin/planwright.js'), 'serve', '--no-open', '--port', '0'];
  const child = spawn(process.execPath, args, {
    cwd: home,
    env: { ...process.env, PLANWRIGHT_HOME: home, PLANWRIGHT_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    return { child, url: new URL(line).origin, token, address: line };
  }
  throw new Error('the server ended before it served');
}

/** What the process has in memory now, in MB. */
export const memoryOf = ({ child }: Serving): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024;
