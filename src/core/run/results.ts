import type { FailureWhy, StepResult } from '../contract/index.ts';

const nothingRan: StepResult = {
  exitCode: null,
  signal: null,
  durationMs: 0,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
};

/** The result of an attempt that never came to run anything. */
export const failedResult = (why: FailureWhy, message: string): StepResult => ({
  ...nothingRan,
  why,
  message,
});

/** The result of a step that a person says they did themselves. */
export const doneByPerson: StepResult = { ...nothingRan, message: 'done by a person' };

/** The result of a step for which nothing was left to perform. */
export const nothingToDo = (message: string): StepResult => ({ ...nothingRan, message });
