import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { HELPER_MARKER } from './environment.ts';
import { within } from './output.ts';

/** A setting and its value. */
export type GitConfig = readonly (readonly [key: string, value: string])[];

/** How git is started. It is told no more than this. */
export interface GitCall {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Stronger than what any file says. */
  config?: GitConfig | undefined;
  /** In a group of its own, which ends with it: git starts ssh and helpers. It then has no terminal either. */
  group?: boolean;
  signal?: AbortSignal | undefined;
}

export interface GitLimits {
  timeoutMs?: number;
  maxBytes?: number;
  input?: Buffer | string;
}

/** How it ended. Failures are data. */
export interface GitEnd {
  /** Null where it did not come to its own end, or never began. */
  code: number | null;
  /** What it printed, or so much of it as was wanted. */
  stdout: Buffer;
  stderr: string;
  why: 'missing' | 'timeout' | 'aborted' | 'too-much' | null;
}

/** Nothing of a repository's configuration runs a program while git looks at it. */
export const onlyLooks: GitConfig = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
];

/** By variables: in an argument, a name with an equals sign in it would end there. */
function configured(config: GitConfig): Record<string, string> {
  const entries = config.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return config.length === 0
    ? {}
    : { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(config.length) };
}

/** Starts git: nobody is asked for anything, nothing is translated, no lock is taken on the side. */
export function spawnGit(
  args: readonly string[],
  { cwd, env, config = [], group = false, signal }: GitCall,
): ChildProcessWithoutNullStreams {
  const child = spawn('git', args, {
    cwd,
    detached: group,
    stdio: 'pipe',
    env: {
      ...env,
      ...configured(config),
      ...{ LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' },
      [HELPER_MARKER]: '',
    },
    ...(signal === undefined || group ? {} : { signal }),
  });
  // A git that ends early leaves a broken pipe; its exit code says more.
  child.stdin.on('error', () => {});
  return child;
}

const MAX_SAID = 64 * 1024;
const DRAIN_MS = 200;

/** Runs git to its end. Never rejects. */
export async function runGit(
  args: readonly string[],
  call: GitCall,
  { timeoutMs = 120_000, maxBytes = 64 * 1024 * 1024, input = '' }: GitLimits = {},
): Promise<GitEnd> {
  const nothing = { code: null, stdout: Buffer.alloc(0), stderr: '' };
  if (call.signal?.aborted === true) return { ...nothing, why: 'aborted' };
  if (!existsSync(call.cwd)) return { ...nothing, stderr: `there is no folder ${call.cwd}`, why: null };
  const child = spawnGit(args, { ...call, group: true });
  let why: GitEnd['why'] = null;
  const end = (reason: GitEnd['why']): void => {
    why ??= reason;
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It is gone.
    }
  };
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  const onAbort = (): void => end('aborted');
  call.signal?.addEventListener('abort', onAbort, { once: true });
  const output: Buffer[] = [];
  let size = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output.push(chunk.subarray(0, Math.max(0, maxBytes - size)));
    size += chunk.length;
    if (size > maxBytes) end('too-much');
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MAX_SAID);
  });
  child.stdin.end(input);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      why ??= 'missing';
      said = error.message;
      resolve(null);
    });
    child.once('exit', resolve);
  });
  const code = await exited;
  // What a helper leaves behind, as ssh does that is to be shared, may hold on to stderr.
  if (why !== 'missing') await Promise.all([closing(child.stdout), within(DRAIN_MS, closing(child.stderr))]);
  child.stderr.destroy();
  clearTimeout(timer);
  call.signal?.removeEventListener('abort', onAbort);
  return { code: why === null ? code : null, stdout: Buffer.concat(output), stderr: said, why };
}

const closing = (stream: Readable): Promise<void> =>
  stream.closed ? Promise.resolve() : new Promise((resolve) => void stream.once('close', resolve));
