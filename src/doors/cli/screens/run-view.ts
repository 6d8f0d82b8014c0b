import type { RunState } from '../../../core/contract/index.ts';
import type { RunWatcher } from '../../app/follow.ts';
import type { PathChange } from '../../app/undo.ts';

/**
 * How a run is shown while it is attended: live, as plain lines, or as JSON. A view is told what happened and
 * draws it; it never asks anything.
 */
export interface RunScreen extends RunWatcher {
  /** Makes room for a question, and comes back after it. */
  suspend(): void;
  resume(): void;
  /** The last word, with what the run has changed as far as is known; nothing is drawn afterwards. */
  finish(state: RunState, changes: readonly PathChange[]): void;
}

/** Shows nothing: what other views build on. */
export const silentView: RunScreen = {
  event: () => {},
  output: () => {},
  suspend: () => {},
  resume: () => {},
  finish: () => {},
};
