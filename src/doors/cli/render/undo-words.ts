import type { RunState } from '../../../core/contract/index.ts';
import { outsideWords, uncoveredWords } from '../../../core/contract/told/index.ts';

/** Whether there is something that an undo could take back. */
export const hasUndo = ({ ranges, rollback }: RunState): boolean =>
  ranges.some(
    ({ stepId, before, after }) => after !== null && after !== before && stepId !== rollback?.stepId,
  );

const few = 3;

/** What an undo of the run would not bring back, for a person who is about to rely on it; null: all is covered. */
export function notUndone({ ranges, uncovered, missingCheckpoint }: RunState): string | null {
  if (missingCheckpoint !== null) return `Steps ran without a checkpoint: ${missingCheckpoint.message}`;
  if (ranges.length === 0) return null;
  const outside = [...new Set(ranges.flatMap((range) => range.outside))];
  const parts = [
    ...(uncovered === null || uncovered.count === 0 ? [] : [uncoveredWords(uncovered, few)]),
    ...(outside.length === 0 ? [] : [outsideWords(outside)]),
  ];
  return parts.length === 0 ? null : `Undo does not cover ${parts.join('; ')}.`;
}
