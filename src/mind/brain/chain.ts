import { Correction } from '../../core/contract/index.ts';
import type { Brain } from './brain.ts';
import { createNearMisses } from './near-misses.ts';

/** Below this a brain is guessing, and the next one is asked. */
export const CONFIDENT = 0.5;

/**
 * Asks one brain after the other; the first confident answer wins. A brain that throws against its contract, or
 * answers with what is no correction, has declined. What brains thought of and were not sure of is told to those after
 * them. Never throws.
 */
export function chainBrains(brains: readonly Brain[]): Brain {
  return {
    async analyzeFailure(failure, context, calls) {
      const misses = createNearMisses(context.nearMisses);
      for (const brain of brains) {
        if (calls?.signal.aborted) return null;
        const told = { ...context, nearMisses: misses.best(), noteNearMiss: misses.note };
        const answer = await brain.analyzeFailure(failure, told, calls).catch(() => null);
        const parsed = answer === null ? null : Correction.safeParse(answer);
        if (parsed?.success !== true || !isComplete(parsed.data)) continue;
        // Whoever has nothing new to say gives way to the next.
        if (context.isRepeat?.(parsed.data)) continue;
        if (parsed.data.confidence >= CONFIDENT) return parsed.data;
        misses.note(parsed.data);
      }
      return null;
    },
  };
}

/** An answer that names an action without what the action needs cannot be applied. */
function isComplete(correction: Correction): boolean {
  const { modifiedCommand, modifiedStep } = correction;
  if (modifiedCommand?.trim() === '') return false;
  if (correction.action === 'modify') return modifiedCommand !== undefined || modifiedStep !== undefined;
  if (correction.action === 'insert_steps') return (correction.newSteps ?? []).length > 0;
  return true;
}
