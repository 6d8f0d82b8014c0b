import { createHash } from 'node:crypto';
import {
  fallbackRequest,
  pathsOf,
  SELF_CORRECT_ATTEMPT,
  type SimpleAction,
  type StepResult,
} from '../../../core/contract/index.ts';
import { type AttemptWork, failedResult } from '../../../core/run/index.ts';
import { ConfinementError, type Whereabouts } from '../../workspace/index.ts';
import { checkExpectation, lookingFrom } from '../expectations/check.ts';
import { watchOutput } from '../expectations/output.ts';
import { realDirectory } from '../judging/paths.ts';
import { recorderOf } from '../record-output.ts';
import { abortedResult, sentenceOf as errorSentence } from '../results.ts';
import type { Attempt, Tools } from '../tools.ts';
import type { Prepare, PreparedChange } from './change.ts';
import { FileProblem, SelfCorrectProblem, sentenceOf } from './problem.ts';

export const whereOf = ({ workspace, session }: Pick<AttemptWork, 'workspace' | 'session'>): Whereabouts => ({
  workspace,
  cwd: realDirectory(session.cwd),
});

/** Hidden, and the same for the same attempt. */
export function temporaryName(run: string, stepId: string, attemptIndex: number): string {
  const hash = createHash('sha256').update(JSON.stringify([run, stepId, attemptIndex]));
  return `.planwright-${hash.digest('hex').slice(0, 16)}`;
}

/**
 *   look into it ──▶ what will become of which path is durable ──▶ change it, in one go ──▶ look at `expects` ──▶ result
 *
 * Never throws. Nothing has been changed in a result whose `why` is 'not-started' or 'blocked'.
 */
export async function attemptFile<A extends SimpleAction>(
  action: A,
  prepare: Prepare<A>,
  attempt: Attempt,
): Promise<StepResult> {
  const { work, hooks, tools } = attempt;
  const { run, step, attemptIndex } = work;
  const startedAt = tools.clock.now();
  const elapsed = (): number => Math.max(0, tools.clock.now() - startedAt);
  const fail = (failed: StepResult): StepResult => ({ ...failed, durationMs: elapsed() });
  let change: PreparedChange | null = null;
  try {
    const temporary = temporaryName(run, step.id, attemptIndex);
    change = await prepare(action, { where: whereOf(work), temporary });
    if (hooks.signal.aborted) return abortedResult(hooks.signal, elapsed());
    if (change.changes.length > 0 && !(await hooks.prepared(change.changes)))
      return fail(failedResult('not-started', 'not started: this driver lost the run'));
    if (hooks.signal.aborted) return abortedResult(hooks.signal, elapsed());
    await change.apply?.(hooks.signal);
  } catch (error) {
    if (hooks.signal.aborted) return abortedResult(hooks.signal, elapsed());
    return fail(failure(error, action));
  } finally {
    change?.close();
  }
  return { ...(await finish(change, attempt)), durationMs: elapsed() };
}

function failure(error: unknown, action: SimpleAction): StepResult {
  if (error instanceof SelfCorrectProblem) {
    const { signal } = error;
    const said = `${SELF_CORRECT_ATTEMPT}: ${fallbackRequest(signal)}`;
    return { ...failedResult('not-started', said), selfCorrect: signal };
  }
  const sentence = sentenceOf(error, pathsOf(action)[0]?.path ?? action.kind);
  if (error instanceof ConfinementError && error.code === 'missing')
    return failedResult('not-started', `could not be done: ${sentence}: make it with CREATE_DIR first`);
  if (error instanceof ConfinementError && error.code !== 'not-a-folder' && error.code !== 'changed')
    return failedResult('blocked', `not done: ${sentence}`);
  if (error instanceof FileProblem && error.halfway)
    return failedResult('internal', `half done: ${sentence}`);
  return failedResult('not-started', `could not be done: ${sentence}`);
}

/** The log gets a line, and `expects` is looked at as for a command that wrote what was read. */
async function finish(
  { sentence, captured, picture }: PreparedChange,
  { expectation, work, hooks: { signal }, tools }: Attempt,
): Promise<Omit<StepResult, 'durationMs'>> {
  const line = Buffer.from(`${sentence.replaceAll(`${work.workspace}/`, '')}\n`);
  const output = watchOutput(expectation);
  if (captured === undefined) output?.see('stdout', line);
  else output?.see('stdout', Buffer.from([captured.value, ''].flat().join('\n')));
  const { problem, ...recorded } = await writeLine(line, work, tools);
  const seen =
    expectation &&
    (await checkExpectation(expectation, {
      ...lookingFrom(work, tools.baseEnv),
      exitCode: 0,
      output,
      ...(signal.aborted ? {} : { signal }),
    }));
  const remark = problem === null ? undefined : `its output log is incomplete: ${problem}`;
  const unmet = seen !== null && !seen.held;
  const message = [unmet ? seen.sentence : undefined, remark].filter((part) => part !== undefined).join('; ');
  return {
    exitCode: null,
    signal: null,
    expectation: seen,
    ...recorded,
    leftover: false,
    ...(captured === undefined ? {} : { captured }),
    ...(picture === undefined ? {} : { picture }),
    ...(unmet ? { why: 'expectation' as const } : {}),
    ...(message === '' ? {} : { message }),
  };
}

async function writeLine(line: Buffer, work: AttemptWork, tools: Tools) {
  try {
    const recorder = await recorderOf(work, tools);
    // Not waited for: what is ended at once is written with its end.
    void recorder.take('stdout', line);
    return await recorder.finish({ withNext: true });
  } catch (error) {
    // What was to be done is done: a log that cannot be opened does not undo it.
    const problem = errorSentence(error);
    return { stdoutTail: '', stderrTail: '', outputBytes: 0, outputTruncated: true, problem };
  }
}
