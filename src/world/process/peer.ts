import type { Socket } from 'node:net';
import type { ProcessGroup, Session } from '../../core/contract/index.ts';
import type { Exit } from './child.ts';
import { type Environment, type Marker, stepEnvironment } from './environment.ts';
import { DEFAULT_GRACE_MS, endGroup, endMarked } from './group.ts';
import { launch } from './launch.ts';
import type { SandboxPolicy } from './sandbox/policy.ts';
import type { StartFailure } from './start-failure.ts';
import { keepTail } from './tail.ts';

export interface PeerSpec {
  /** A command line, which becomes the program. */
  command: string;
  baseEnv: Environment;
  session: Session;
  marker: Marker;
  /** Starts it inside a sandbox; where none can be made, it is not started. */
  sandbox?: SandboxPolicy;
  graceMs?: number;
}

/**
 * A program that is talked with over its standard streams.
 *
 *   startPeer ──▶ at the gate ──open──▶ running ──end, or by itself──▶ gone, with all that it started
 *                     └──end──▶ killed, nothing has run
 */
export interface ProgramPeer {
  group: ProcessGroup;
  input: Socket;
  output: Socket;
  /** The end of what it wrote to its standard error. */
  said(): string;
  open(): void;
  /** Resolves when it has ended by itself or was ended. Never rejects. */
  exited: Promise<Exit>;
  /** Ends it and whatever it started, wherever that went. Resolves when all is gone. Never rejects. */
  end(): Promise<void>;
}

/** Starts a program that waits at its gate. What prevents that is in the answer; never throws. */
export async function startPeer(
  spec: PeerSpec,
): Promise<{ ok: true; peer: ProgramPeer } | ({ ok: false } & StartFailure)> {
  const { marker, graceMs = DEFAULT_GRACE_MS } = spec;
  const launched = await launch({
    script: spec.command,
    shell: 'bash',
    path: spec.baseEnv['PATH'],
    cwd: spec.session.cwd,
    env: stepEnvironment(spec.baseEnv, spec.session, marker),
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    // Nobody reads the report; a sandbox counts its descriptors from behind it.
    reports: true,
    sandbox: spec.sandbox,
    marker,
  });
  if (!launched.ok) return launched;
  const { child, group, script, room } = launched;
  const [input, output, errors, gate] = child.stdio as unknown as [Socket, Socket, Socket, Socket];
  const tail = keepTail();
  errors.on('data', (bytes: Buffer) => tail.add(bytes));
  child.report?.resume();
  for (const socket of [input, output, errors, gate]) socket.on('error', () => {});
  let isOpen = false;
  let ending: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    if (!isOpen) child.kill('SIGKILL');
    gate.destroy();
    const { run, step, epoch } = marker;
    await endGroup(group, { run, graceMs });
    await endMarked({ run, step, epoch }, { graceMs });
    await child.exited;
    // With something left inside, the guards stay.
    if (room === null || (await room.inside.emptied())) room?.entrance.leave();
    for (const socket of [input, output, errors]) socket.destroy();
    child.report?.destroy();
  };
  return {
    ok: true,
    peer: {
      group,
      input,
      output,
      said: () => tail.text().trim(),
      open() {
        if (isOpen || ending !== null) return;
        isOpen = true;
        gate.end(script);
      },
      exited: child.exited,
      end: () => (ending ??= end()),
    },
  };
}
