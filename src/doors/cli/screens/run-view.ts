import type { RunState, StoredEvent } from '../../../core/contract/index.ts';

/**
 * How a run is shown while it is attended: live, as plain lines, or as JSON. A view is told what happened and
 * draws it; it never asks anything.
 */
export interface RunScreen {
  /** An event that is durable, and the state after it. */
  event(stored: StoredEvent, state: RunState): void;
  /** More output of the step in flight. */
  output(bytes: Uint8Array): void;
  /** Makes room for a question, and comes back after it. */
  suspend(): void;
  resume(): void;
  /** The last word; nothing is drawn afterwards. */
  finish(state: RunState): void;
}

/** Shows nothing: what other views build on. */
export const silentView: RunScreen = {
  event: () => {},
  output: () => {},
  suspend: () => {},
  resume: () => {},
  finish: () => {},
};
