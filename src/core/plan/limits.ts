/** More steps than a person can agree on is not a plan. */
export const MAX_STEPS = 10_000;
