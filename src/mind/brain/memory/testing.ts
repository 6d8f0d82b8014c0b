import type { Generalised } from './generalise.ts';
import { type FixMemory, FORGET_AFTER, type RememberedFix } from './memory.ts';

/** Lives as long as the test. */
export function createInMemoryFixes(): FixMemory & { list(): readonly RememberedFix[] } {
  const fixes = new Map<string, RememberedFix>();
  const idOf = (general: Generalised): string =>
    JSON.stringify([
      general.key,
      general.correction.modifiedCommand,
      general.correction.newSteps?.map((step) => step.action),
    ]);
  return {
    async find(key) {
      const found = [...fixes.values()].filter(({ general }) => general.key === key);
      return found.sort((a, b) => b.successes - b.failures - (a.successes - a.failures))[0] ?? null;
    },
    async remember(general) {
      const id = idOf(general);
      const known = fixes.get(id);
      const fix = { id, general, successes: (known?.successes ?? 0) + 1, failures: 0 };
      fixes.set(id, fix);
      return fix;
    },
    async succeeded(id) {
      const known = fixes.get(id);
      if (known !== undefined) fixes.set(id, { ...known, successes: known.successes + 1, failures: 0 });
    },
    async failed(id) {
      const known = fixes.get(id);
      if (known === undefined) return;
      if (known.failures + 1 >= FORGET_AFTER) fixes.delete(id);
      else fixes.set(id, { ...known, failures: known.failures + 1 });
    },
    list: () => [...fixes.values()],
  };
}
