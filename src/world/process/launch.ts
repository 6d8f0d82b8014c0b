import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { ProcessGroup, Shell } from '../../core/contract/index.ts';
import type { Environment } from './environment.ts';
import { findShell } from './find-shell.ts';
import { bootId, processStartTime } from './identity.ts';
import { PWSH_SERVICE_WRAPPER, PWSH_WRAPPER } from './pwsh-wrapper.ts';
import { describeStartFailure, type StartFailure } from './start-failure.ts';
import { SERVICE_WRAPPER, throughTheGate, WRAPPER } from './wrapper.ts';

export interface LaunchSpec {
  script: string;
  shell: Shell;
  /** Where the shell is looked for. */
  path: string | undefined;
  cwd: string;
  env: Environment;
  /** With a session and a group of its own. */
  detached: boolean;
  /** Of descriptors 0 to 2. */
  stdio: ['ignore' | 'inherit', 'pipe' | 'inherit' | number, 'pipe' | 'inherit' | number];
  /** Whether it reports its session on descriptor 4 when it ends. */
  reports: boolean;
}

export type Launched =
  | { ok: true; child: ChildProcess; group: ProcessGroup; script: Buffer }
  | ({ ok: false } & StartFailure);

/**
 * Starts a shell that waits at its gate, descriptor 3, for `script`. The group is the shell's own where it is
 * detached; otherwise its number names the shell alone. What prevents it is in the answer; never throws.
 */
export async function launch(spec: LaunchSpec): Promise<Launched> {
  const script = throughTheGate(spec.script);
  if (!script)
    return { ok: false, code: 'bad-script', message: 'the script holds a NUL byte, which no shell can read' };
  const file = findShell(spec.shell, spec.path);
  if (!file) return { ok: false, code: 'no-shell', message: `${spec.shell} was not found on the PATH` };
  const stdio: StdioOptions = [...spec.stdio, 'pipe', ...(spec.reports ? ['pipe' as const] : [])];
  try {
    const child = spawn(file, argumentsOf(spec), {
      argv0: spec.shell,
      cwd: spec.cwd,
      env: spec.env,
      detached: spec.detached,
      stdio,
    });
    const { pid } = child;
    if (pid === undefined) {
      const error = await new Promise<Error>((resolve) => child.once('error', resolve));
      return { ok: false, ...describeStartFailure(error, spec.cwd) };
    }
    // The child is not reaped before the event loop turns, so its entry is still there even if it died at once.
    const group: ProcessGroup = { pgid: pid, startTime: processStartTime(pid) ?? '', boot: bootId() };
    return { ok: true, child, group, script };
  } catch (error) {
    return { ok: false, ...describeStartFailure(error, spec.cwd) };
  }
}

function argumentsOf({ shell, reports }: LaunchSpec): string[] {
  if (shell === 'bash') return ['--noprofile', '--norc', '-c', reports ? WRAPPER : SERVICE_WRAPPER];
  const wrapper = reports ? PWSH_WRAPPER : PWSH_SERVICE_WRAPPER;
  return ['-NoProfile', '-NonInteractive', '-Command', wrapper];
}
