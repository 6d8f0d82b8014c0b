import { constants } from 'node:os';
import type { Expectation, ExpectationResult, FailureWhy, StepResult } from '../../core/contract/index.ts';
import { nothingToDo } from '../../core/run/index.ts';
import type { CommandEnd } from '../process/index.ts';

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
  switch (reason) {
    case 'timeout':
      return { why: 'timeout', message: `timed out after ${seconds(afterMs)}` };
    case 'cancelled':
      return { why: 'aborted', message: 'ended because the run was cancelled' };
    case 'skipped':
      return { why: 'aborted', message: 'ended because the step was skipped' };
    case 'lost':
      return { why: 'aborted', message: 'ended because this driver lost the run' };
    default:
      return { why: 'aborted', message: 'ended by its driver' };
  }
}

export const seconds = (ms: number): string =>
  `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;

/** The result of a step that was found done: nothing of how it ran is known. */
export const foundDone = (expectation: ExpectationResult): Omit<StepResult, 'session'> => ({
  ...nothingToDo(`found done after an interruption: ${expectation.sentence}`),
  expectation,
});
