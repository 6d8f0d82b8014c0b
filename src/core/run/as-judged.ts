import { judgementOf, type RunState, type StepState } from '../contract/index.ts';
import type { Judged } from '../stream/index.ts';

/** A step as the gate looks at it. */
export function asJudged(state: RunState, { id, wants }: StepState): Judged | null {
  const judged = judgementOf(state, id);
  return judged && { verdict: judged.verdict, fingerprint: judged.fingerprint, wantsMore: wants !== null };
}
