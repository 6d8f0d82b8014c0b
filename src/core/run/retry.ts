import {
  type FailureWhy,
  innermost,
  planStep,
  type RunOptions,
  type RunState,
  type StepState,
  shellText,
} from '../contract/index.ts';
import { countsTwice, doneTwice } from '../plan/index.ts';
import { type RunEffect, record } from './work.ts';

/** It ran, and did not do what it should. What a person or the gate ended, and what never began, is theirs. */
const repeatable: ReadonlySet<FailureWhy | undefined> = new Set<FailureWhy>([
  'exit-code',
  'signal',
  'timeout',
  'expectation',
]);

/**
 * A failed step that its own plan has attempted again; null where there is none. In teacher mode a person decides.
 *
 *   failed ──so often was not tried, nothing of it would be done twice──▶ step-retried ──delay──▶ pending
 */
export function retryOwn(state: RunState, options: RunOptions, now: number): RunEffect | null {
  if (options.mode === 'teacher') return null;
  for (const step of state.steps) {
    const retry = planStep(state, step.id)?.retry;
    if (step.status !== 'failed' || retry === undefined || !repeatable.has(step.result?.why)) continue;
    const { retries = 0 } = step;
    if (retries >= retry.times || wouldBeTwice(state, step) !== null) continue;
    const { times, delayMs = 0 } = retry;
    return record({
      type: 'step-retried',
      stepId: step.id,
      attemptIndex: step.attempts,
      retry: retries + 1,
      times,
      ...(delayMs === 0 ? {} : { notBefore: now + delayMs }),
    });
  }
  return null;
}

/** The part of it that has run, or may have, and would show when it is done twice. */
function wouldBeTwice(state: RunState, { id, result }: StepState): string | null {
  const half = result?.halfway;
  if (half !== undefined) return half.done.find(countsTwice) ?? null;
  return doneTwice(shellText(innermost(planStep(state, id)!.action)) ?? '');
}

/** Why a step that its plan would have attempted again was not; null where it was, or where nothing says so. */
export function whyNotRetried(state: RunState, step: StepState): string | null {
  const retry = planStep(state, step.id)?.retry;
  if (retry === undefined || !repeatable.has(step.result?.why)) return null;
  if ((step.retries ?? 0) >= retry.times) return null;
  const twice = wouldBeTwice(state, step);
  return twice === null ? null : `not attempted again: \`${twice.slice(0, 80)}\` would be done twice`;
}
