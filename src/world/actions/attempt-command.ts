import { constants } from 'node:os';
import {
  type Expectation,
  type ExpectationResult,
  type ProcessGroup,
  type Session,
  type StepResult,
  shellText,
} from '../../core/contract/index.ts';
import { halfwayIn } from '../../core/plan/index.ts';
import { type AttemptWork, failedResult } from '../../core/run/index.ts';
import {
  definedAfter,
  namesAsked,
  noDefinitions,
  stoppingAtFirst,
  straightUnits,
} from '../../core/shell/index.ts';
import {
  type CommandEnd,
  classifyDenial,
  endGroup,
  endMarked,
  ignoreInterrupts,
  type SandboxPolicy,
  startCommand,
  tellingNames,
  tellingTheWay,
  withDefinitions,
} from '../process/index.ts';
import { checkExpectation, isCheckableAnytime, lookingFrom, observe } from './expectations/check.ts';
import { type OutputWatch, watchOutput } from './expectations/output.ts';
import { definitionsFor } from './judging/definitions.ts';
import { type OutputRecorder, recorderOf } from './record-output.ts';
import { abortedResult, describeAbort, judgeEnd, logNotOpened, notStarted, refusalOf } from './results.ts';
import type { Attempt, Tools } from './tools.ts';
import { watchPorts } from './watch-ports.ts';

/** What a service that a step started may need until it answers. */
const PATIENCE_MS = 3_000;
const TIMEOUT_BEFORE_MS = 2_000;

/**
 * Hands the terminal over for an interactive step. Without one, such a step cannot be performed.
 */
export async function attemptCommand(script: string, attempt: Attempt): Promise<StepResult> {
  if (attempt.work.step.interactive !== true) return runCommand(script, attempt);
  const { terminal } = attempt.tools;
  if (terminal === undefined)
    return failedResult('no-terminal', 'it has to be answered at a terminal, and there is none');
  await terminal.take();
  const listenAgain = ignoreInterrupts();
  let wasInterrupted = false;
  try {
    // What it writes goes to the terminal and cannot be looked at.
    const expectation = watchOutput(attempt.expectation) === null ? attempt.expectation : null;
    const result = await runCommand(script, { ...attempt, expectation });
    wasInterrupted = result.signal === 'SIGINT' || result.exitCode === 128 + constants.signals.SIGINT;
    return result;
  } finally {
    await listenAgain(wasInterrupted);
    terminal.give();
  }
}

/**
 *   look (expects) ──▶ start at the gate ──▶ spawned is durable ──▶ open ──▶ exit ──▶ look again ──▶ result
 *
 * Never throws. Nothing has run in a result whose `why` is 'not-started'.
 */
async function runCommand(script: string, attempt: Attempt): Promise<StepResult> {
  const { expectation, work, hooks, tools } = attempt;
  const { run, step, epoch, session } = work;
  const { signal } = hooks;
  const startedAt = tools.clock.now();
  const elapsed = (): number => Math.max(0, tools.clock.now() - startedAt);

  const heldBefore = await lookBefore(attempt);
  if (signal.aborted) return abortedResult(signal, elapsed());
  let recorder: OutputRecorder;
  try {
    recorder = await recorderOf(work, tools);
  } catch (error) {
    return logNotOpened(error);
  }
  const watch = watchOutput(expectation);
  const sandbox = step.interactive ? null : tools.sandbox(work);
  // Only where it is what the plan says, word by word: what was put in is nobody's to tell.
  const tells = work.shell === 'bash' && shellText(step.action) === script && straightUnits(script) !== null;
  const stopping = work.shell === 'bash' ? stoppingAtFirst(script) : script;
  const told = tells ? tellingTheWay(stopping) : stopping;
  const defined = session.defined ?? noDefinitions;
  // Nothing that nobody has seen, and nothing out of a sandbox, defines what comes after it.
  const defines = work.shell === 'bash' && sandbox === null && !work.unseen;
  const asked = defines ? namesAsked(defined, script) : [];
  const started = await startCommand({
    script: withDefinitions(tellingNames(told, asked), definitionsFor(script, work)?.text ?? ''),
    ...(sandbox === null ? {} : { sandbox }),
    shell: work.shell,
    ...(step.interactive ? { interactive: true } : {}),
    baseEnv: tools.baseEnv,
    session,
    marker: { run, step: step.id, epoch },
    onOutput: (stream, bytes) => {
      watch?.see(stream, bytes);
      return recorder.take(stream, bytes);
    },
    signal,
    ...tools.grace,
  });
  if (!started.ok) {
    await recorder.finish();
    return notStarted(started, work.shell);
  }

  const { command } = started;
  const refusal = await refusalOf(hooks, command.group, heldBefore);
  // When it is told to end: how long that takes is no part of a timeout.
  let abortedAfter: number | null = null;
  const noteAbort = (): void => {
    abortedAfter = elapsed();
  };
  signal.addEventListener('abort', noteAbort, { once: true });
  if (refusal === null) command.open();
  else command.abandon();
  const unwatch =
    refusal === null ? watchPorts(command.group.pgid, (ports) => void hooks.listening(ports)) : null;
  const end = await command.done;
  unwatch?.();
  signal.removeEventListener('abort', noteAbort);
  const { problem, ...output } = await recorder.finish();
  if (refusal !== null)
    return { ...failedResult('not-started', `not started: ${refusal}`), durationMs: elapsed() };

  const leaving = (): Pick<Session, 'defined'> => {
    const exported = new Set(Object.keys(end.session?.env ?? {}));
    const after = defines ? definedAfter(defined, script, end.variables ?? {}, exported) : defined;
    const isNothing = Object.keys({ ...after.variables, ...after.functions }).length === 0;
    return isNothing ? {} : { defined: after };
  };
  const durationMs = elapsed();
  const seen = expectation && (await lookAfter(expectation, attempt, end, watch));
  const ended = whyFailed(end, expectation, seen, signal, step.timeoutMs ?? abortedAfter ?? durationMs);
  const denial =
    (ended === null || ended.why === 'exit-code' || ended.why === 'expectation') && sandbox !== null
      ? denialOf(end, output.stderrTail, sandbox, session.cwd, script)
      : null;
  const failure = denial ?? ended;
  const leftover = failure ? await endRemains(end, command.group, work, tools) : end.leftover;
  const remark = problem === null ? undefined : `its output log is incomplete: ${problem}`;
  const message = [failure?.message, remark].filter((part) => part !== undefined).join('; ');
  return {
    exitCode: end.exitCode,
    signal: end.signal,
    durationMs,
    ...(end.session ? { session: { ...end.session, ...leaving() } } : {}),
    expectation: seen,
    ...output,
    leftover,
    ...(tells && ended?.why === 'exit-code' ? howFar(script, end) : {}),
    ...(end.sandboxed && !end.notEntered ? { sandboxed: true } : {}),
    ...(denial?.missing ? { missing: denial.missing } : {}),
    ...(failure ? { why: failure.why } : {}),
    ...(message === '' ? {} : { message }),
  };
}

/** Which of its commands ran, where bash told the one at which it stopped. */
function howFar(script: string, { last }: CommandEnd): Pick<StepResult, 'halfway'> {
  const halfway = last === null ? null : halfwayIn(script, last);
  return halfway === null ? {} : { halfway };
}

/** The sandbox, not the command, was to blame: a failure of its own kind, never one to be mended. */
function denialOf(end: CommandEnd, stderrTail: string, policy: SandboxPolicy, cwd: string, script: string) {
  const { exitCode, quietly } = end;
  const denial = classifyDenial({ exitCode, stderrTail, policy, cwd, quietly, script });
  if (denial === null) return null;
  const message = `the sandbox refused it: ${denial.detail}`;
  return {
    why: 'sandbox-denied' as const,
    message,
    ...(denial.grant === null ? {} : { missing: denial.grant }),
  };
}

/**
 * A failed attempt leaves nothing running: its step may be attempted again, and a port or a lock that the first
 * one still holds would fail the second for another reason. True where it could not be ended.
 */
async function endRemains(
  end: CommandEnd,
  group: ProcessGroup,
  { run, step, epoch }: AttemptWork,
  { grace }: Tools,
): Promise<boolean> {
  if (end.aborted) return end.leftover;
  const ended = end.leftover ? await endGroup(group, { run, ...grace }) : 'absent';
  await endMarked({ run, step: step.id, epoch }, grace);
  return ended === 'stuck';
}

function whyFailed(
  end: CommandEnd,
  expectation: Expectation | null,
  seen: ExpectationResult | null,
  signal: AbortSignal,
  afterMs: number,
): ReturnType<typeof judgeEnd> {
  if (end.aborted) {
    const { why, message } = describeAbort(signal.reason, afterMs);
    const stuck = end.exitCode === null && end.signal === null;
    return { why, message: stuck ? `${message}, but processes of it could not be ended` : message };
  }
  const failure = judgeEnd(end, expectation, seen);
  // It ended well, and was aborted while waiting for what it should bring about.
  if (failure?.why === 'expectation' && signal.aborted) return describeAbort(signal.reason, afterMs);
  return failure;
}

async function lookBefore({ expectation, work, hooks, tools }: Attempt): Promise<boolean | null> {
  if (!expectation || !isCheckableAnytime(expectation)) return null;
  const from = lookingFrom(work, tools.baseEnv);
  const { held } = await observe(expectation, {
    ...from,
    timeoutMs: TIMEOUT_BEFORE_MS,
    signal: hooks.signal,
  });
  return held;
}

/** A step that failed already is only looked at; one that ended well may need a moment. */
function lookAfter(
  expectation: Expectation,
  { work: { session, workspace }, hooks: { signal }, tools }: Attempt,
  end: CommandEnd,
  output: OutputWatch | null,
): Promise<ExpectationResult> {
  const endedWell = end.exitCode === 0 && !end.aborted;
  return checkExpectation(expectation, {
    ...lookingFrom({ workspace, session: end.session ?? session }, tools.baseEnv),
    exitCode: end.exitCode,
    output,
    timeoutMs: endedWell ? 5_000 : 1_000,
    patienceMs: endedWell ? PATIENCE_MS : 0,
    ...(signal.aborted ? {} : { signal }),
  });
}
