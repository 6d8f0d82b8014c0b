import type { FailureWhy, Grants, RunState, Step, StepResult, StepState, StopReason } from '../index.ts';
import { numberOf } from './numbering.ts';
import { capital, count } from './text.ts';
import { visible } from './visible.ts';

/** Why things are as they are: a run that stopped, a step that failed or was skipped. Each reason is worded here alone. */

/** What is known about a stop besides its reason. All are the middle of a sentence; `before` and `came` may be empty. */
export interface Stop {
  /** What was denied, or nobody knows about: `step 3 of 9`, `a step`. */
  step: string;
  /** What failed: that, or `2 of 9 steps`. */
  failed: string;
  /** ` before step 3 of 9`. */
  before: string;
  /** How far it came: `: all 9 steps succeeded`. */
  came: string;
  /** Who could not be asked, and why: `: openai/big refused its key (401)`. */
  trouble: string;
}

const stops: Record<StopReason, (stop: Stop) => string> = {
  completed: ({ came }) => `Done${came}`,
  'completed-with-skips': ({ came }) => `Done without a step that failed${came}`,
  'step-failed': ({ failed }) => `${failed} failed`,
  cancelled: () => 'Cancelled',
  'plan-rejected': () => 'The plan was not agreed to, so nothing ran',
  paused: ({ before }) => `Paused${before}`,
  'approval-needed': ({ before }) => `Paused${before}: it needs an approval`,
  'approval-denied': ({ step }) => `${step} was denied`,
  'decision-needed': ({ before }) => `Paused${before}: a person has to decide`,
  'interrupted-unknown': ({ step }) => `Nobody knows whether ${step} was done`,
  'limit-time': ({ before }) => `The run used up its time${before}`,
  'agent-error': ({ failed, trouble }) => `${failed} failed, and no brain could mend it${trouble}`,
  'agent-stuck': ({ failed }) => `${failed} failed, and the limits for mending it are reached`,
  'agent-aborted': ({ failed }) => `${failed} failed, and the brain advised against going on`,
  'checkpoint-failed': ({ before }) => `Paused${before}: it could not be made undoable`,
  'rolled-back': ({ failed }) => `${failed} failed, and what it had changed was put back`,
  'planning-failed': () => 'No plan could be made',
  'source-failed': ({ before }) => `Paused${before}: its folder could not be got from its git source`,
};

/** Why a run does not go on, without a full stop; what is not known about it is left open. */
export function stopWords(reason: StopReason, stop: Partial<Stop> = {}): string {
  const { step = 'a step', failed = step, before = '', came = '', trouble = '' } = stop;
  return capital(stops[reason]({ step, failed, before, came, trouble }));
}

type Failure = Pick<StepResult, 'why' | 'exitCode' | 'signal'>;

const failures: Record<FailureWhy, (failure: Failure) => string> = {
  'exit-code': ({ exitCode }) => `exit ${exitCode}`,
  signal: ({ signal }) => `ended by ${signal ?? 'a signal'}`,
  timeout: () => 'timed out',
  aborted: () => 'stopped',
  expectation: () => 'not as expected',
  'not-started': () => 'could not start',
  precheck: () => 'it would have failed',
  blocked: () => 'blocked',
  denied: () => 'denied',
  'no-terminal': () => 'needs a terminal',
  'sandbox-denied': () => 'refused by the sandbox',
  'tool-failed': () => 'the tool failed',
  unsupported: () => 'not supported',
  internal: () => 'internal error',
};

/** What went wrong with an attempt, short enough to stand beside the title of its step: `exit 17`. */
export const failureNote = (result: Failure | null): string =>
  result?.why === undefined ? 'failed' : failures[result.why](result);

/** The same as a sentence goes on: `failed: exit 17`. */
export const failureWords = (result: Failure | null): string =>
  result?.why === undefined ? 'failed' : `failed: ${failureNote(result)}`;

/** What an attempt says besides how it failed; null where that is all. */
export const furtherWords = (result: Pick<StepResult, 'message'> | null): string | null =>
  result?.message === undefined || /^exited with code \d+$/i.test(result.message) ? null : result.message;

/** Commands that are named of a script that stopped on its way; of more, the last ones. */
const MOST_NAMED = 3;
const LONGEST_NAME = 80;

/** How far a script of several commands came that failed; null where nothing of it ran, or nobody can tell. */
export function halfwayWords(result: Pick<StepResult, 'halfway'> | null): string | null {
  const { done = [], failed = '' } = result?.halfway ?? {};
  if (done.length === 0) return null;
  const name = (text: string): string => {
    const line = visible(text.replace(/\s+/g, ' ').trim());
    return `\`${line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line}\``;
  };
  const more = done.length > MOST_NAMED ? `${count(done.length - MOST_NAMED, 'command')} more, ` : '';
  return `Ran before: ${more}${done.slice(-MOST_NAMED).map(name).join(', ')}; it stopped at ${name(failed)}.`;
}

type SkipReason = NonNullable<StepState['skipReason']>;

const skips: Record<SkipReason, (step: Step, state: RunState) => string> = {
  'not-selected': () => 'not selected',
  requested: () => 'skipped on request',
  dependency: (step, state) => `skipped: needs ${unmet(step, state)}`,
  interrupted: () => 'skipped after an interruption',
  declined: () => 'skipped: declined',
  corrected: ({ repairs }) => (repairs === undefined ? 'skipped: the brain did without it' : 'taken back'),
};

function unmet({ after = [] }: Step, { steps, plan }: RunState): string {
  const id = after.find((wanted) => steps.some((step) => step.id === wanted && step.status !== 'done'));
  const number = id === undefined ? null : numberOf(plan, id);
  return number === null ? 'a step that did not succeed' : `step ${number}`;
}

export const skipWords = (reason: SkipReason, step: Step, state: RunState): string =>
  skips[reason](step, state);

/** What a sandboxed step wants beyond its sandbox, as it goes on after "it wants to". */
export const grantWords = ({ network, privilege, write = [] }: Grants): string[] => [
  ...(network ? ['use the network'] : []),
  ...(privilege ? ['use privilege'] : []),
  ...write.map((path) => `write to ${path}`),
];
