import { constants } from 'node:os';
import type {
  Expectation,
  ExpectationResult,
  FailureWhy,
  ProcessGroup,
  Shell,
  StepResult,
} from '../../core/contract/index.ts';
import { type AttemptHooks, failedResult, nothingToDo } from '../../core/run/index.ts';
import type { CommandEnd, StartFailure } from '../process/index.ts';

type Failure = { why: FailureWhy; message: string };

/** Why the attempt failed, or null where it did what it should. */
export function judgeEnd(
  end: Pick<CommandEnd, 'exitCode' | 'signal'>,
  expectation: Expectation | null,
  result: ExpectationResult | null,
): Failure | null {
  if (end.signal !== null) return { why: 'signal', message: `ended by ${end.signal}` };
  if (end.exitCode === null) return { why: 'internal', message: 'nobody saw how it ended' };
  const wanted = expectation?.kind === 'exit' ? expectation.code : 0;
  if (end.exitCode !== wanted && end.exitCode !== 0)
    return { why: 'exit-code', message: exitMessage(end.exitCode, wanted) };
  if (result && !result.held) return { why: 'expectation', message: result.sentence };
  return null;
}

function exitMessage(exitCode: number, wanted: number): string {
  const signal = exitCode > 128 ? signalNames.get(exitCode - 128) : undefined;
  const cause = signal ? ` (a command was ended by ${signal})` : '';
  const expected = wanted === 0 ? '' : `, and code ${wanted} was expected`;
  return `exited with code ${exitCode}${cause}${expected}`;
}

const signalNames: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals).map(([name, number]) => [number, name]),
);

/** What the driver's reason for aborting means for the result. */
export function describeAbort(reason: unknown, afterMs: number): Failure {
  if (reason === 'timeout') return { why: 'timeout', message: `timed out after ${seconds(afterMs)}` };
  const because = abortWords.get(reason);
  const message = because === undefined ? 'ended by its driver' : `ended because ${because}`;
  return { why: 'aborted', message };
}

const abortWords: ReadonlyMap<unknown, string> = new Map([
  ['cancelled', 'the run was cancelled'],
  ['skipped', 'the step was skipped'],
  ['limit', 'the run used up its wall time'],
  ['served', 'it is begun again as a service'],
  ['rested', 'its driver had to go'],
  ['lost', 'this driver lost the run'],
]);

/** The result of an attempt that was ended before it could do anything. */
export function abortedResult(signal: AbortSignal, durationMs: number): StepResult {
  const { why, message } = describeAbort(signal.reason, durationMs);
  return { ...failedResult(why, message), durationMs };
}

export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const logNotOpened = (error: unknown): StepResult =>
  failedResult(
    'not-started',
    `could not be started: its output log could not be opened: ${sentenceOf(error)}`,
  );

export const notStarted = ({ code, message }: StartFailure, shell: Shell): StepResult =>
  failedResult(
    code === 'no-shell' && shell !== 'bash' ? 'unsupported' : 'not-started',
    `could not be started: ${message}`,
  );

/** Why a process that waits at its gate may not be let run; null where its start is durable. Never rejects. */
export const refusalOf = (hooks: AttemptHooks, group: ProcessGroup, heldBefore: boolean | null) =>
  hooks.spawned(group, heldBefore).then(
    (durable) => (durable ? null : 'this driver lost the run'),
    (error: unknown) => `its start could not be recorded: ${sentenceOf(error)}`,
  );

export const seconds = (ms: number): string =>
  `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;

/** The result of a step that was found done: nothing of how it ran is known. */
export const foundDone = (expectation: ExpectationResult): Omit<StepResult, 'session'> => ({
  ...nothingToDo(`found done after an interruption: ${expectation.sentence}`),
  expectation,
});
