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
