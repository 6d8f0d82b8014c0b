import type { Generalised } from './generalise.ts';

/** A fix that led to success, and how often since. */
export interface RememberedFix {
  readonly id: string;
  readonly general: Generalised;
  readonly successes: number;
  readonly failures: number;
}

/** Failures of a remembered fix that make it forgotten. */
export const FORGET_AFTER = 2;

/** Where remembered fixes are kept, for one workspace or one user. A store that cannot answer rejects. */
export interface FixMemory {
  /** The fix for failures of this signature; the one that succeeded most, where there are several. */
  find(key: string): Promise<RememberedFix | null>;
  /** Keeps a fix that led to success. The same one again counts as one more success. */
  remember(general: Generalised): Promise<RememberedFix>;
  succeeded(id: string): Promise<void>;
  /** The fix did not help. At the second time in a row it is forgotten. */
  failed(id: string): Promise<void>;
}

/** Lives as long as the process: for tests, and for runs that are to leave nothing behind. */
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
