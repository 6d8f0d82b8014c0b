import type { Correction } from '../../core/contract/index.ts';
import { doing } from './correction.ts';

/** More would distract whoever reads them. */
const most = 8;

export interface NearMisses {
  note(correction: Correction): void;
  /** The surest first; of those that would do the same only the surest. */
  best(): readonly Correction[];
}

/** Collects what brains came up with for one failure and were not sure of. */
export function createNearMisses(known: readonly Correction[] = []): NearMisses {
  let kept: readonly Correction[] = [];
  const note = (correction: Correction): void => {
    const same = kept.find((one) => doing(one) === doing(correction));
    if (same !== undefined && same.confidence >= correction.confidence) return;
    kept = [...kept.filter((one) => one !== same), correction]
      .toSorted((a, b) => b.confidence - a.confidence)
      .slice(0, most);
  };
  for (const correction of known) note(correction);
  return { note, best: () => kept };
}
