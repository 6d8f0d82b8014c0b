import type { ModelName, ModelRole } from '../../core/contract/index.ts';

export type ModelEnv = Readonly<Record<string, string | undefined>>;

/** What a person has configured, as it is now. */
export interface ModelSettings {
  /** A chain for each role; what is found here where there is none. */
  readonly chains: Readonly<Partial<Record<ModelRole, readonly ModelName[]>>>;
  /** Where `compatible` is. */
  readonly url: string | null;
  readonly timeoutMs: number;
}
