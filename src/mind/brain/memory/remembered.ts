import type { Brain } from '../brain.ts';
import { applyRemembered } from './generalise.ts';
import type { FixMemory } from './memory.ts';
import { signatureOf } from './signature.ts';

/** First in the chain: what mended the same failure before. The memories are asked in order (workspace, then user). */
export function createRememberedBrain(memories: readonly FixMemory[]): Brain {
  return {
    async analyzeFailure(failure, context) {
      const signature = signatureOf(failure);
      if (signature === null) return null;
      for (const memory of memories) {
        const fix = await memory.find(signature.key).catch(() => null);
        if (fix === null) continue;
        const correction = applyRemembered(fix.general, failure, fix.failures === 0 ? 0.9 : 0.6);
        // What this step was already told, or the gate refused, is no help now.
        const told = [
          ...failure.earlier.flatMap((attempt) => attempt.correction ?? []),
          ...context.refused.map((refusal) => refusal.correction),
        ];
        const isOld = told.some(
          (old) =>
            old.modifiedCommand === correction?.modifiedCommand &&
            JSON.stringify(old.newSteps) === JSON.stringify(correction?.newSteps),
        );
        if (correction !== null && !isOld) return { ...correction, fix: fix.id };
      }
      return null;
    },
  };
}
