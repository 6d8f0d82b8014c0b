import type { ExpectationResult } from '../../../core/contract/index.ts';

/** What a look at the world showed. `held: null`: it could not be told. */
export interface Observed {
  held: boolean | null;
  sentence: string;
}

/** Chooses the sentence: what is so, or what was expected and how it is instead. */
export const observed = (held: boolean, holds: string, fails: string): Observed => ({
  held,
  sentence: held ? holds : fails,
});

/** For a result there is no third answer: what cannot be told has not been seen to hold. */
export const settle = ({ held, sentence }: Observed): ExpectationResult => ({
  held: held === true,
  sentence,
});
