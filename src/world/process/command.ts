import type { Socket } from 'node:net';
import type { ProcessGroup, Session, Shell } from '../../core/contract/index.ts';
import { type Environment, type Marker, stepEnvironment } from './environment.ts';
import { DEFAULT_GRACE_MS, endGroup, endMarked, outlives } from './group.ts';
import { expectLaunch, expectLaunches, type Launched, type LaunchSpec, launch } from './launch.ts';
import { drainOutput, type OnOutput, within } from './output.ts';
import { type QuietRefusals, readReport } from './report.ts';
import type { SandboxPolicy } from './sandbox/policy.ts';
import type { StartFailure } from './start-failure.ts';

/** How long output is still taken after the shell has exited, where another process holds the pipe. */
const DRAIN_MS = 200;

export interface CommandSpec {
  script: string;
  shell: Shell;
  /** The run's base environment, to which `session.env` and what the command reports are relative. */
  baseEnv: Environment;
  /** Where and with what it starts. */
  session: Session;
  marker: Marker;
  onOutput: OnOutput;
  /** It has the terminal of this process, and no group of its own: a key that interrupts reaches both. */
  interactive?: boolean;
  /** Aborting ends the whole group, and with it `done`. */
  signal?: AbortSignal;
  graceMs?: number;
  /** Starts it inside a sandbox; where none can be made, it is not started. */
  sandbox?: SandboxPolicy;
}

export interface CommandEnd {
  exitCode: number | null;
  /** The signal that ended the shell itself. In a sandbox bwrap stands between: there it shows as 128 + n. */
  signal: string | null;
  /** What the script left for the next one; null where it reported nothing, and the session stays as it was. */
  session: Session | null;
  /** The command of the script that was begun last, as bash prints it; null where it was not told. */
  last: string | null;
  /** Variables that it was asked for and left unexported; null where it was not told. */
  variables: Record<string, string> | null;
  /** What its sandbox refused in silence; null outside of one, and where it was not told. */
  quietly: QuietRefusals | null;
  /** Processes of the group live on. Never in a sandbox, which ends with its shell. */
  leftover: boolean;
  /** It was abandoned, or the signal ended it: it did not come to its own end. */
  aborted: boolean;
  /** The sandbox could not be made: nothing of the script has run, and stderr says why. */
  notEntered?: true;
  /** It was started in a sandbox, which was made for it. */
  sandboxed?: true;
}

/**
 *   startCommand ──▶ at the gate ──open──▶ running ──exit, pipes closed or 200 ms──▶ done
 *                        │                    └──signal aborts──▶ ending: SIGTERM, SIGKILL, group gone──▶ done
 *                        └──abandon, signal aborts──▶ killed, nothing has run──▶ done
 */
export interface GatedCommand {
  group: ProcessGroup;
  /** Lets it run. Does nothing after `abandon`. */
  open(): void;
  /** Ends it before it has run anything. Does nothing after `open`. */
  abandon(): void;
  /** Never rejects. */
  done: Promise<CommandEnd>;
}

export type StartedCommand = { ok: true; command: GatedCommand } | ({ ok: false } & StartFailure);

/** Starts a shell that waits at the gate. What prevents that is in the answer; never throws. */
export async function startCommand(spec: CommandSpec): Promise<StartedCommand> {
  const launched = await launch({ ...shellOf(spec), script: spec.script });
  if (!launched.ok) return launched;
  return { ok: true, command: watch(launched, spec) };
}

/** So many commands will probably be started here: what starts them cheaply may be loaded. Never throws. */
export const expectCommands = (count: number): void => expectLaunches(count);

type ShellSpec = Pick<CommandSpec, 'shell' | 'baseEnv' | 'session' | 'marker' | 'interactive' | 'sandbox'>;

/**
 * A command will probably be started there next: its shell may be made ready at the gate meanwhile. It costs nothing that
 * it is not, and one that is started otherwise finds another shell. Never throws.
 */
export const expectCommand = (spec: ShellSpec): void => expectLaunch(shellOf(spec));

function shellOf(spec: ShellSpec): Omit<LaunchSpec, 'script'> {
  const output = spec.interactive ? 'inherit' : 'pipe';
  return {
    shell: spec.shell,
    path: spec.baseEnv['PATH'],
    cwd: spec.session.cwd,
    env: stepEnvironment(spec.baseEnv, spec.session, spec.marker),
    detached: !spec.interactive,
    stdio: [spec.interactive ? 'inherit' : 'ignore', output, output],
    reports: true,
    sandbox: spec.sandbox,
    marker: spec.marker,
  };
}

type Running = Extract<Launched, { ok: true }>;

function watch({ child, group, script, room }: Running, spec: CommandSpec): GatedCommand {
  const graceMs = spec.graceMs ?? DEFAULT_GRACE_MS;
  const [, stdout, stderr, gate] = child.stdio as unknown as [null, Socket | null, Socket | null, Socket];
  const reports = child.report!;
  const output = drainOutput({ stdout, stderr }, spec.onOutput);
  const report = readReport(reports, spec.shell, room !== null);
  // A shell that is gone before it has read its script: its exit tells.
  gate.on('error', () => {});

  let state: 'at the gate' | 'running' | 'ending' | 'exited' = 'at the gate';
  let ending: Promise<unknown> = Promise.resolve();
  const stuck = Promise.withResolvers<{ exitCode: null; signal: null }>();

  const open = (): void => {
    if (state !== 'at the gate') return;
    state = 'running';
    gate.end(script);
  };
  const abandon = (): void => {
    if (state !== 'at the gate') return;
    state = 'ending';
    child.kill('SIGKILL');
    gate.destroy();
  };
  const end = async (): Promise<void> => {
    if (spec.interactive) child.kill('SIGTERM');
    const { run, step, epoch } = spec.marker;
    const outcome = await endGroup(group, { run, graceMs });
    await endMarked({ run, step, epoch }, { graceMs });
    if (spec.interactive && !child.hasExited()) child.kill('SIGKILL');
    if (outcome === 'stuck') stuck.resolve({ exitCode: null, signal: null });
  };
  const onAbort = (): void => {
    abandon();
    if (state !== 'running') return;
    state = 'ending';
    ending = end();
  };

  /** Nobody saw how it ended, nor that it did. */
  const lose = (): void => {
    abandon();
    if (state === 'running') ending = end();
  };

  const finish = async (): Promise<CommandEnd> => {
    const exit = await Promise.race([child.exited, stuck.promise]);
    if (exit.exitCode === null && exit.signal === null) lose();
    if (state === 'running') state = 'exited';
    spec.signal?.removeEventListener('abort', onAbort);
    await ending;
    await output.taken();
    await within(DRAIN_MS, Promise.all([output.ended, report.finished]));
    await output.taken();
    output.leave();
    gate.destroy();
    reports.destroy();
    const leftover = room ? !(await room.inside.emptied()) : await outlives(group.pgid);
    // With something left inside, the guards stay.
    if (!leftover) room?.entrance.leave();
    return {
      ...exit,
      session: report.session(spec.baseEnv),
      last: report.last(),
      variables: report.variables(),
      quietly: report.quietly(),
      leftover,
      aborted: state === 'ending',
      ...(room ? { sandboxed: true } : {}),
      ...(room && state !== 'ending' && exit.exitCode !== null && !(await room.inside.began)
        ? { notEntered: true }
        : {}),
    };
  };

  spec.signal?.addEventListener('abort', onAbort, { once: true });
  if (spec.signal?.aborted) onAbort();
  return { group, open, abandon, done: finish() };
}
