import type { CallFailure } from './outcome.ts';

/** The longest that one model is waited for while others, or a person, could be asked. */
export const longestWait = 20_000;
const shortBreath = 1000;

/**
 * After how many milliseconds the same model is asked again, or null to go on to the next. A provider that says when
 * to come back is believed, once, if that is soon. Without such a word only the last model of a chain gets a second
 * chance: before that, another model is the better bet.
 */
export function waitBeforeRetry(failure: CallFailure, tried: number, isLast: boolean): number | null {
  if (tried > 1 || !failure.isTransient) return null;
  if (failure.retryAfterMs !== null) return failure.retryAfterMs <= longestWait ? failure.retryAfterMs : null;
  return isLast ? shortBreath : null;
}
