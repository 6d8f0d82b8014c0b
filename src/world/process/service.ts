import type { Socket } from 'node:net';
import type { ProcessGroup, Session, Shell } from '../../core/contract/index.ts';
import type { Exit } from './child.ts';
import { type Environment, stepEnvironment } from './environment.ts';
import { launch } from './launch.ts';
import type { StartFailure } from './start-failure.ts';

export interface ServiceSpec {
  command: string;
  shell: Shell;
  baseEnv: Environment;
  session: Session;
  run: string;
  step: string;
  epoch: number;
  name: string;
  keep: boolean;
  /** An open file that its output goes to, straight: no pipe of ours, so it needs nobody. */
  log: number;
}

export type ServiceExit = Exit;

/**
 *   startService ──▶ at the gate ──open──▶ running, whoever lives ──▶ exited
 *                        └──abandon──▶ killed, nothing has run
 */
export interface Service {
  group: ProcessGroup;
  open(): void;
  abandon(): void;
  /** How its shell ended; null while it lives. */
  exit(): ServiceExit | null;
  /** Resolves when its shell has ended. Never rejects. */
  exited: Promise<ServiceExit>;
}

/** Starts a service that waits at its gate. It does not keep this process alive. Never throws. */
export async function startService(
  spec: ServiceSpec,
): Promise<{ ok: true; service: Service } | ({ ok: false } & StartFailure)> {
  const { run, step, epoch, name, keep } = spec;
  const launched = await launch({
    script: spec.command,
    shell: spec.shell,
    path: spec.baseEnv['PATH'],
    cwd: spec.session.cwd,
    env: stepEnvironment(spec.baseEnv, spec.session, { run, step, epoch, service: { name, keep } }),
    detached: true,
    stdio: ['ignore', spec.log, spec.log],
    reports: false,
  });
  if (!launched.ok) return launched;
  const { child, group, script } = launched;
  const gate = child.stdio[3] as Socket;
  gate.on('error', () => {});
  let exit: ServiceExit | null = null;
  const exited = child.exited.then((how) => (exit = how));
  child.unref();
  return {
    ok: true,
    service: {
      group,
      open: () => void gate.end(script),
      abandon: () => {
        child.kill('SIGKILL');
        gate.destroy();
      },
      exit: () => exit,
      exited,
    },
  };
}
