import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { ProcessGroup, Session } from '../../core/contract/index.ts';
import { type Environment, type Marker, RUN_MARKER, STEP_MARKER, stepEnvironment } from './environment.ts';
import { findBash } from './find-shell.ts';
import { DEFAULT_GRACE_MS, endGroup, endMarked, outlives } from './group.ts';
import { bootId, processStartTime } from './identity.ts';
import { drainOutput, type OnOutput } from './output.ts';
import { readReport } from './report.ts';
import { type Entrance, enterSandbox } from './sandbox/enter.ts';
import type { SandboxPolicy } from './sandbox/policy.ts';
import { sayWhetherEntered } from './sandbox/status.ts';
import { describeStartFailure, type StartFailure } from './start-failure.ts';
import { throughTheGate, WRAPPER } from './wrapper.ts';

/** How long output is still taken after the shell has exited, where another process holds the pipe. */
const DRAIN_MS = 200;

export interface CommandSpec {
  script: string;
  shell: 'bash';
  /** The run's base environment, to which `session.env` and what the command reports are relative. */
  baseEnv: Environment;
  /** Where and with what it starts. */
  session: Session;
  marker: Marker;
  onOutput: OnOutput;
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
  /** Processes of the group live on. Never in a sandbox, which ends with its shell. */
  leftover: boolean;
  /** It was abandoned, or the signal ended it: it did not come to its own end. */
  aborted: boolean;
  /** The sandbox could not be made: nothing of the script has run, and stderr says why. */
  notEntered?: true;
}

/**
 *   startCommand ──▶ at the gate ──open──▶ running ──exit, pipes closed or 200 ms──▶ done
 *                        │                    └──signal aborts──▶ ending: SIGTERM, SIGKILL, group gone──▶ done
 *                        └──abandon, signal aborts──▶ killed, nothing has run──▶ done
 */
export interface Command {
  group: ProcessGroup;
  /** Lets it run. Does nothing after `abandon`. */
  open(): void;
  /** Ends it before it has run anything. Does nothing after `open`. */
  abandon(): void;
  /** Never rejects. */
  done: Promise<CommandEnd>;
}

export type Started = { ok: true; command: Command } | ({ ok: false } & StartFailure);

/** Starts a shell that waits at the gate. What prevents that is in the answer; never throws. */
export async function startCommand(spec: CommandSpec): Promise<Started> {
  const script = throughTheGate(spec.script);
  if (!script)
    return { ok: false, code: 'bad-script', message: 'the script holds a NUL byte, which bash cannot read' };
  const bash = findBash(spec.baseEnv['PATH']);
  if (!bash) return { ok: false, code: 'no-shell', message: 'bash was not found on the PATH' };
  const env = stepEnvironment(spec.baseEnv, spec.session, spec.marker);
  const command = [bash, '--noprofile', '--norc', '-c', WRAPPER, 'bash'];
  const entering = await enter(spec, command, env);
  if (!entering.ok) return entering;
  const { entrance } = entering;
  try {
    const child = entrance
      ? spawnInside(entrance, spec)
      : spawn(bash, command.slice(1), { ...common(spec), argv0: 'bash', env, stdio: ['ignore', ...pipes] });
    entrance?.started();
    if (child.pid !== undefined)
      return { ok: true, command: watch(child, child.pid, script, spec, entrance) };
    entrance?.leave();
    const error = await new Promise<Error>((resolve) => child.once('error', resolve));
    return { ok: false, ...describeStartFailure(error, spec.session.cwd) };
  } catch (error) {
    entrance?.started();
    entrance?.leave();
    return { ok: false, ...describeStartFailure(error, spec.session.cwd) };
  }
}

/** Output, errors, gate and report. */
const pipes = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
const common = ({ session }: CommandSpec) => ({ cwd: session.cwd, detached: true });

const enter = async ({ sandbox, session }: CommandSpec, command: string[], env: Environment) =>
  sandbox ? enterSandbox(sandbox, { command, cwd: session.cwd, env }) : { ok: true as const, entrance: null };

/**
 * What makes the sandbox runs outside of it, so it gets no variable of the session: an LD_PRELOAD that a sandboxed
 * command exported would be a way out.
 */
const spawnInside = ({ file, args, stdio }: Entrance, spec: CommandSpec): ChildProcess =>
  spawn(file, args, {
    ...common(spec),
    env: { [RUN_MARKER]: spec.marker.run, [STEP_MARKER]: spec.marker.step },
    stdio: ['ignore', ...pipes, ...stdio],
  });

function watch(
  child: ChildProcess,
  pid: number,
  script: Buffer,
  spec: CommandSpec,
  entrance: Entrance | null,
): Command {
  const graceMs = spec.graceMs ?? DEFAULT_GRACE_MS;
  // The child is not reaped before the event loop turns, so its entry is still there even if it died at once.
  const group: ProcessGroup = { pgid: pid, startTime: processStartTime(pid) ?? '', boot: bootId() };
  const [, stdout, stderr, gate, reports] = child.stdio as unknown as [null, Socket, Socket, Socket, Socket];
  const output = drainOutput({ stdout, stderr }, spec.onOutput);
  const report = readReport(reports);
  const entered = entrance && sayWhetherEntered(child, entrance);
  // A shell that is gone before it has read its script: its exit tells.
  gate.on('error', () => {});
  child.on('error', () => {});
  const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });

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
    const outcome = await endGroup(group, { run: spec.marker.run, graceMs });
    await endMarked(spec.marker, { graceMs });
    if (outcome === 'stuck') stuck.resolve({ exitCode: null, signal: null });
  };
  const onAbort = (): void => {
    abandon();
    if (state !== 'running') return;
    state = 'ending';
    ending = end();
  };

  const finish = async (): Promise<CommandEnd> => {
    const exit = await Promise.race([exited, stuck.promise]);
    if (state === 'running') state = 'exited';
    spec.signal?.removeEventListener('abort', onAbort);
    await ending;
    await output.taken();
    await within(DRAIN_MS, Promise.all([output.ended, report.finished]));
    await output.taken();
    output.leave();
    gate.destroy();
    reports.destroy();
    const leftover = await outlives(pid);
    entrance?.leave();
    return {
      ...exit,
      session: report.session(spec.baseEnv),
      leftover,
      aborted: state === 'ending',
      ...(entered && state !== 'ending' && exit.exitCode !== null && !(await entered)
        ? { notEntered: true }
        : {}),
    };
  };

  spec.signal?.addEventListener('abort', onAbort, { once: true });
  if (spec.signal?.aborted) onAbort();
  return { group, open, abandon, done: finish() };
}

/** Resolves with the promise, or after so many milliseconds without it. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const handle = setTimeout(timer.resolve, ms);
  await Promise.race([promise, timer.promise]);
  clearTimeout(handle);
}
