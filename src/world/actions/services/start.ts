import type { ActionOf, Expectation, StepResult } from '../../../core/contract/index.ts';
import { type AttemptWork, failedResult } from '../../../core/run/index.ts';
import { stoppingAtFirst } from '../../../core/shell/index.ts';
import type { ServiceLog } from '../../../core/stream/index.ts';
import {
  endGroup,
  endMarked,
  inspectGroup,
  type Service,
  startService,
  withDefinitions,
} from '../../process/index.ts';
import { lookingFrom } from '../expectations/check.ts';
import { definitionsFor } from '../judging/definitions.ts';
import { abortedResult, describeAbort, logNotOpened, notStarted, refusalOf, seconds } from '../results.ts';
import type { Attempt, Tools } from '../tools.ts';
import { keeperOf } from './keep-logs.ts';
import { becomeReady, holdsBefore, READY_MS, type Readiness } from './ready.ts';
import { lastLines, tailOf } from './service-log.ts';

/**
 *   look (expects) ──▶ start at the gate ──▶ spawned is durable ──▶ open ──▶ ready: `expects` holds, or it lives ──▶ done
 *                                                                       └──▶ exited, late, aborted ──▶ ended, failed
 *
 * From then on it needs nobody: its output goes straight to its log. Never throws.
 */
export async function attemptStart(
  action: ActionOf<'start'>,
  { expectation, work, hooks, tools }: Attempt,
): Promise<StepResult> {
  const { run, step, epoch, attemptIndex, session } = work;
  const { name, keep } = action;
  const startedAt = tools.clock.now();
  const elapsed = (): number => Math.max(0, tools.clock.now() - startedAt);
  const context = lookingFrom(work, tools.baseEnv);

  const other = work.services.find((service) => service.name === name && service.status === 'running');
  if (other !== undefined && inspectGroup(other.group, { run, service: name }) === 'ours')
    return failedResult('not-started', `not started: the service ${name} is running already; stop it first`);
  const heldBefore = await holdsBefore(expectation, context);
  if (hooks.signal.aborted) return abortedResult(hooks.signal, elapsed());
  const busy = heldBefore === true ? describeBusy(expectation) : null;
  if (busy !== null) return { ...failedResult('not-started', `not started: ${busy}`), durationMs: elapsed() };

  let log: ServiceLog;
  try {
    log = await tools.output.serviceLog(run, step.id, attemptIndex);
  } catch (error) {
    return logNotOpened(error);
  }
  const { baseEnv } = tools;
  const { shell } = work;
  const stopping = shell === 'bash' ? stoppingAtFirst(action.command) : action.command;
  const command = withDefinitions(stopping, definitionsFor(action.command, work)?.text ?? '');
  const spec = { command, shell, baseEnv, session, run, step: step.id, epoch, name, keep };
  const started = await startService({ ...spec, log: log.fd });
  await log.close();
  if (!started.ok) return notStarted(started, shell);

  const { service } = started;
  const refusal = await refusalOf(hooks, service.group, heldBefore);
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
    whileItSpeaks: step.timeoutMs === undefined,
    signal: hooks.signal,
  });
  const { group } = service;
  if (readiness.state !== 'ready') await endService(service, { run, epoch, service: name }, tools);
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

async function endService(
  { group }: Service,
  owner: { run: string; epoch: number; service: string },
  tools: Tools,
): Promise<void> {
  await endGroup(group, { ...owner, ...tools.grace });
  await endMarked(owner, tools.grace);
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

/** What answers before the service was started is something else, and would be taken for it. */
function describeBusy(expectation: Expectation | null): string | null {
  if (expectation?.kind === 'url') return `${expectation.url} answers already: something else is there`;
  if (expectation?.kind !== 'port' || !expectation.open) return null;
  return `port ${expectation.port} is open already: something else listens there`;
}
