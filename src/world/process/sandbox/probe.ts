import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { walls } from './arguments.ts';
import type { SandboxHost } from './policy.ts';
import { findPrograms, type Programs } from './programs.ts';
import { OPTIONS_FD, stageCommand } from './stage.ts';

export type SandboxProbe = { works: true } | { works: false; why: string };

/** How sandboxes are made on this machine, or why they cannot be. */
export type SandboxMaker =
  | { works: true; programs: Programs; host: SandboxHost }
  | { works: false; why: string };

let known: Promise<SandboxMaker> | null = null;

/**
 * Whether a command can be put into a sandbox here, found out by doing it: some systems have bwrap and forbid what it
 * needs. `why` is a sentence. Asked once a process. Never rejects.
 */
export async function probeSandbox(): Promise<SandboxProbe> {
  const maker = await sandboxMaker();
  return maker.works ? { works: true } : maker;
}

export function sandboxMaker(): Promise<SandboxMaker> {
  known ??= probe().catch((error: unknown) => ({
    works: false,
    why: `The sandbox could not be tried: ${error}`,
  }));
  return known;
}

async function probe(): Promise<SandboxMaker> {
  if (process.platform !== 'linux')
    return { works: false, why: 'The sandbox needs Linux: bubblewrap runs nowhere else.' };
  const programs = findPrograms();
  if (programs === 'bwrap')
    return { works: false, why: 'bwrap is not installed. Install the package bubblewrap.' };
  if (typeof programs === 'string')
    return { works: false, why: `The sandbox needs ${programs}, which is not installed.` };
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  let said = '';
  for (const userNamespace of uid === 0 ? [false, true] : [true]) {
    const host: SandboxHost = { uid, gid, userNamespace, overlays: false };
    said = await attempt(programs, host, { caches: [], scratch: null });
    if (said === '')
      return { works: true, programs, host: { ...host, overlays: await canOverlay(programs, host) } };
  }
  return { works: false, why: `bwrap does not work here: ${said}` };
}

/** Empty where a sandbox could be made; otherwise what was said about it. */
async function attempt(
  programs: Programs,
  host: SandboxHost,
  overlays: Parameters<typeof stageCommand>[2],
): Promise<string> {
  const [file, ...args] = stageCommand(programs, host, overlays, [programs.env]);
  const child = spawn(file, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ignore', 'ignore', 'ignore', 'pipe'],
  });
  const options = (child.stdio as unknown as Record<number, NodeJS.WritableStream>)[OPTIONS_FD]!;
  options.on('error', () => {});
  options.end(
    trial(host)
      .map((word) => `${word}\0`)
      .join(''),
  );
  let stderr = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    stderr += bytes;
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? '' : firstLine(stderr) || `it ended with ${code}`));
  });
}

/** Everything that a sandbox needs of the system, around nothing. */
const trial = ({ userNamespace, uid, gid }: SandboxHost): string[] => [
  ...[...walls, '--unshare-net'],
  ...(userNamespace ? ['--unshare-user', '--uid', String(uid), '--gid', String(gid)] : []),
  ...['--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
];

async function canOverlay(programs: Programs, host: SandboxHost): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-probe-'));
  try {
    const [cache, scratch] = [join(folder, 'cache'), join(folder, 'scratch')];
    mkdirSync(cache);
    mkdirSync(scratch);
    return (await attempt(programs, host, { caches: [cache], scratch })) === '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').replace(/^bwrap: /, '');
