import type { StepState } from '../contract/index.ts';
import type { Judged } from '../stream/index.ts';

/** A step as the gate looks at it. */
export const asJudged = ({ judged, wants }: StepState): Judged | null =>
  judged && { verdict: judged.verdict, fingerprint: judged.fingerprint, wantsMore: wants !== null };
