import type { RunOptions, RunState } from '../contract/index.ts';

/** When the run's wall time is used up; null where it has no limit or does not count now. */
export const timeLimit = (state: RunState, options: RunOptions): number | null =>
  options.limits.wallMs === null || state.activeSince === null
    ? null
    : state.activeSince + options.limits.wallMs - state.activeMs;

export function isOverTime(state: RunState, options: RunOptions, now: number): boolean {
  const limit = timeLimit(state, options);
  return limit !== null && now >= limit;
}

export const earliest = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
