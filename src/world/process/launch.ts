import { type ChildProcess, spawn } from 'node:child_process';
import type { ProcessGroup, Shell } from '../../core/contract/index.ts';
import { type Child, childOf } from './child.ts';
import { type Environment, type Marker, marksOf } from './environment.ts';
import { findShell } from './find-shell.ts';
import { bootId, hostHere } from './identity.ts';
import { PWSH_SERVICE_WRAPPER, PWSH_WRAPPER } from './pwsh-wrapper.ts';
import { type Entering, type Entrance, enterSandbox } from './sandbox/enter.ts';
import type { SandboxPolicy } from './sandbox/policy.ts';
import { type Inhabited, inhabit } from './sandbox/status.ts';
import type { Spawn } from './spawner/batch.ts';
import { createSpawner } from './spawner/spawner.ts';
import { describeStartFailure, type StartFailure } from './start-failure.ts';
import { INSIDE_WRAPPER, SERVICE_WRAPPER, throughTheGate, WRAPPER } from './wrapper.ts';

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
  stdio: ['ignore' | 'inherit' | 'pipe', 'pipe' | 'inherit' | number, 'pipe' | 'inherit' | number];
  /** Whether it reports its session on descriptor 4 when it ends. */
  reports: boolean;
  sandbox?: SandboxPolicy | undefined;
  /** What leftovers are recognised by, also where a sandbox stands between. */
  marker?: Marker | undefined;
}

/** The sandbox that it is in. */
export type Room = { entrance: Entrance; inside: Inhabited };

export type Launched =
  | { ok: true; child: Child; group: ProcessGroup; script: Buffer; room: Room | null }
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
  const entering = await enter(spec, file);
  if (!entering.ok) return entering;
  const { entrance } = entering;
  try {
    const spawned = entrance ? null : await fromSmall(file, spec);
    const process =
      spawned === null ? (entrance ? spawnInside(entrance, spec) : spawnShell(file, spec)) : null;
    entrance?.started();
    const child = spawned ?? childOf(process!);
    if (child === null) {
      entrance?.leave();
      const error = await new Promise<Error>((resolve) => process!.once('error', resolve));
      return { ok: false, ...describeStartFailure(error, spec.cwd) };
    }
    const [host, boot] = [hostHere(), bootId()];
    const group: ProcessGroup = { pgid: child.pid, startTime: child.startTime, host, boot };
    const room = entrance && { entrance, inside: inhabit(process!, entrance.options) };
    return { ok: true, child, group, script, room };
  } catch (error) {
    entrance?.started();
    entrance?.leave();
    return { ok: false, ...describeStartFailure(error, spec.cwd) };
  }
}

/** One for all that this process starts. */
const spawner = createSpawner();

/** What the spawner is asked for; null where it gives other streams than those that are wanted. */
function spawnOf(file: string, spec: LaunchSpec): Spawn | null {
  const { detached, reports, stdio, sandbox, cwd, env } = spec;
  if (!detached || !reports || sandbox !== undefined || stdio.join() !== 'ignore,pipe,pipe') return null;
  return { file, argv: [spec.shell, ...argumentsOf(spec)], cwd, env };
}

/** By the spawner, where it has one at hand. */
async function fromSmall(file: string, spec: LaunchSpec): Promise<Child | null> {
  const what = spawnOf(file, spec);
  return what && spawner.start(what);
}

/** So many of them will probably be launched. Never throws. */
export const expectLaunches = (count: number): void => spawner.expect(count);

/** It will probably be launched next: the shell may be made ready. Never throws. */
export function expectLaunch(spec: Omit<LaunchSpec, 'script'>): void {
  const file = findShell(spec.shell, spec.path);
  const what = file === null ? null : spawnOf(file, { ...spec, script: '' });
  if (what !== null) spawner.prepare(what);
}

/** Standard streams, the gate, and the report where there is one. */
const descriptors = ({ stdio, reports }: LaunchSpec) =>
  [...stdio, 'pipe', ...(reports ? ['pipe' as const] : [])] as const;

const spawnShell = (file: string, spec: LaunchSpec): ChildProcess =>
  spawn(file, argumentsOf(spec), {
    argv0: spec.shell,
    cwd: spec.cwd,
    env: spec.env,
    detached: spec.detached,
    stdio: [...descriptors(spec)],
  });

async function enter(spec: LaunchSpec, file: string): Promise<Entering> {
  if (spec.sandbox === undefined) return { ok: true, entrance: null };
  const name = spec.shell === 'bash' ? ['bash'] : [];
  const command = [file, ...argumentsOf(spec), ...name];
  return enterSandbox(spec.sandbox, { command, cwd: spec.cwd, env: spec.env });
}

/**
 * What makes the sandbox runs outside of it, so it gets no variable of the session: an LD_PRELOAD that a sandboxed
 * command exported would be a way out.
 */
const spawnInside = ({ file, args, stdio }: Entrance, spec: LaunchSpec): ChildProcess =>
  spawn(file, args, {
    cwd: spec.cwd,
    detached: spec.detached,
    env: spec.marker === undefined ? {} : marksOf(spec.marker),
    stdio: [...descriptors(spec), ...stdio],
  });

function argumentsOf({ shell, reports, sandbox }: LaunchSpec): string[] {
  const told = sandbox === undefined ? WRAPPER : INSIDE_WRAPPER;
  if (shell === 'bash') return ['--noprofile', '--norc', '-c', reports ? told : SERVICE_WRAPPER];
  const wrapper = reports ? PWSH_WRAPPER : PWSH_SERVICE_WRAPPER;
  return ['-NoProfile', '-NonInteractive', '-Command', wrapper];
}
