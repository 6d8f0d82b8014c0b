import type { ModelName } from '../../core/contract/index.ts';
import type { CallLedger, Clock } from '../../core/stream/index.ts';
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

/** Without a word of when to come back: a minute, then twice as long each time. */
const firstBreak = 60_000;
const longestBreak = 600_000;
/** Where the run itself has no limit of time. */
const longestPatience = 3_600_000;

/**
 * The models that have had enough for now, and when they may be asked again. `wait` is null where nobody has patience
 * for it, where none is known, or where it would take too long.
 */
export function createLimited(patience: CallLedger['patience'], clock: Pick<Clock, 'now'>) {
  let limited: { name: ModelName; at: number }[] = [];
  let until: number | null = null;
  let pause = firstBreak;
  return {
    note(name: ModelName, { retryAfterMs }: CallFailure): void {
      limited.push({ name, at: clock.now() + (retryAfterMs ?? pause) });
    },
    wait(): { names: readonly ModelName[]; at: number; seconds: number } | null {
      if (patience === undefined || limited.length === 0) return null;
      until ??= patience.until ?? clock.now() + longestPatience;
      const at = Math.min(...limited.map((each) => each.at));
      if (at > until) return null;
      const names = limited.map(({ name }) => name);
      limited = [];
      pause = Math.min(longestBreak, pause * 2);
      return { names, at, seconds: Math.ceil((at - clock.now()) / 1000) };
    },
  };
}
