import type { Expectation, SimpleAction, StepResult } from '../../../core/contract/index.ts';
import { type AttemptHooks, type AttemptWork, failedResult } from '../../../core/run/index.ts';
import type { ServiceLog } from '../../../core/stream/index.ts';
import { endGroup, endMarked, inspectGroup, type Service, startService } from '../../process/index.ts';
import { pathOf } from '../expectations/path.ts';
import { describeAbort, seconds } from '../results.ts';
import type { Tools } from '../tools.ts';
import { keeperOf } from './keep-logs.ts';
import { becomeReady, holdsBefore, READY_MS, type Readiness } from './ready.ts';
import { lastLines, tailOf } from './service-log.ts';

export type StartAction = Extract<SimpleAction, { kind: 'start' }>;

/**
 *   look (expects) ──▶ start at the gate ──▶ spawned is durable ──▶ open ──▶ ready: `expects` holds, or it lives ──▶ done
 *                                                                       └──▶ exited, late, aborted ──▶ ended, failed
 *
 * From then on it needs nobody: its output goes straight to its log. Never throws.
 */
export async function attemptStart(
  action: StartAction,
  expectation: Expectation | null,
  work: AttemptWork,
  hooks: AttemptHooks,
  tools: Tools,
): Promise<StepResult> {
  const { run, step, attemptIndex, session, workspace } = work;
  const { name, keep } = action;
  const startedAt = tools.clock.now();
  const elapsed = (): number => Math.max(0, tools.clock.now() - startedAt);
  const context = { workspace, cwd: session.cwd, path: pathOf(tools.baseEnv, session.env) };

  const other = work.services.find((service) => service.name === name && service.status === 'running');
  if (other !== undefined && inspectGroup(other.group, { run, service: name }) === 'ours')
    return failedResult('not-started', `not started: the service ${name} is running already; stop it first`);
  const heldBefore = await holdsBefore(expectation, context);
  if (hooks.signal.aborted) return aborted(hooks.signal, elapsed());
  const busy = heldBefore === true ? describeBusy(expectation) : null;
  if (busy !== null) return { ...failedResult('not-started', `not started: ${busy}`), durationMs: elapsed() };

  let log: ServiceLog;
  try {
    log = await tools.output.serviceLog(run, step.id, attemptIndex);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return failedResult('not-started', `could not be started: its output log could not be opened: ${why}`);
  }
  const { baseEnv } = tools;
  const spec = {
    command: action.command,
    shell: work.shell,
    baseEnv,
    session,
    run,
    step: step.id,
    name,
    keep,
  };
  const started = await startService({ ...spec, log: log.fd });
  await log.close();
  if (!started.ok) {
    const why = started.code === 'no-shell' && work.shell === 'pwsh' ? 'unsupported' : 'not-started';
    return failedResult(why, `could not be started: ${started.message}`);
  }

  const { service } = started;
  const refusal = await hooks.spawned(service.group, heldBefore).then(
    (durable) => (durable ? null : 'this driver lost the run'),
    (error: unknown) => `its start could not be recorded: ${error instanceof Error ? error.message : error}`,
  );
  if (refusal !== null) {
    service.abandon();
    await service.exited;
    return { ...failedResult('not-started', `not started: ${refusal}`), durationMs: elapsed() };
  }
  service.open();
  const readiness = await becomeReady({
    service,
    expectation,
    context,
    log: log.path,
    heldBefore: heldBefore === true,
    withinMs: step.timeoutMs ?? READY_MS,
    signal: hooks.signal,
  });
  const { group } = service;
  if (readiness.state !== 'ready') await endService(service, run, name, tools);
  else keeperOf(tools.output).keep(run, { name, stepId: step.id, attemptIndex, group });
  const tail = tailOf(log.path, tools.filterSecrets);
  return {
    exitCode: readiness.state === 'exited' ? (service.exit()?.exitCode ?? null) : null,
    signal: readiness.state === 'exited' ? (service.exit()?.signal ?? null) : null,
    durationMs: elapsed(),
    expectation: readiness.seen,
    stdoutTail: tail.text,
    stderrTail: '',
    outputBytes: tail.bytes,
    outputTruncated: false,
    leftover: false,
    ...(readiness.state === 'ready'
      ? { service: { name, state: 'started' as const, keep } }
      : failure(readiness, service, work, hooks.signal, elapsed(), tail.text)),
  };
}

async function endService({ group }: Service, run: string, name: string, tools: Tools): Promise<void> {
  await endGroup(group, { run, service: name, ...tools.grace });
  await endMarked({ run, service: name }, tools.grace);
}

function failure(
  { state, seen }: Readiness,
  service: Service,
  work: AttemptWork,
  signal: AbortSignal,
  afterMs: number,
  output: string,
): Pick<StepResult, 'why' | 'message'> {
  const said = lastLines(output);
  const withOutput = (message: string): string => (said === '' ? message : `${message}: ${said}`);
  if (state === 'aborted') {
    const { why, message } = describeAbort(signal.reason, work.step.timeoutMs ?? afterMs);
    return { why, message: withOutput(why === 'timeout' ? `${message}, and was not ready` : message) };
  }
  if (state === 'late') {
    const unmet = seen === null ? '' : ` (${seen.sentence})`;
    const within = seconds(work.step.timeoutMs ?? READY_MS);
    return { why: 'timeout', message: withOutput(`was not ready within ${within}${unmet}`) };
  }
  const { exitCode, signal: by } = service.exit()!;
  const how = by === null ? `exited with code ${exitCode}` : `was ended by ${by}`;
  return { why: by === null ? 'exit-code' : 'signal', message: withOutput(`${how} before it was ready`) };
}

const aborted = (signal: AbortSignal, afterMs: number): StepResult => {
  const { why, message } = describeAbort(signal.reason, afterMs);
  return { ...failedResult(why, message), durationMs: afterMs };
};

/** What answers before the service was started is something else, and would be taken for it. */
function describeBusy(expectation: Expectation | null): string | null {
  if (expectation?.kind === 'url') return `${expectation.url} answers already: something else is there`;
  if (expectation?.kind !== 'port' || !expectation.open) return null;
  return `port ${expectation.port} is open already: something else listens there`;
}
