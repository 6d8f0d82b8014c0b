import { isUndoable, type RunState, type ShownStep, type Verdict } from '../../core/contract/index.ts';

/** The verdict for a person: what a checkpoint holds can be taken back. */
export const asShown = (shown: ShownStep, state: RunState): Verdict => ({
  ...shown.verdict,
  reversible: isUndoable(shown, state),
});
