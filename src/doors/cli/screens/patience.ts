import { initialRunState } from '../../../core/contract/index.ts';
import { silenceWords } from '../../../core/contract/told/index.ts';
import { systemViewClock, type ViewClock } from './live-view.ts';
import type { RunScreen } from './run-view.ts';

/** So long a run may be silent. The next line comes after twice that silence: a log is not to be filled by waiting. */
const SILENCE_MS = 30_000;
const LOOK_MS = 1000;

/** A view of lines that is never mute: where nothing happens for long, it says what the run waits for. */
export function withPatience(
  view: RunScreen & { note(text: string): void },
  clock: ViewClock = systemViewClock,
): RunScreen {
  let state = initialRunState;
  let heard = clock.now();
  let due = SILENCE_MS;
  const hear = () => {
    heard = clock.now();
    due = SILENCE_MS;
  };
  const stop = clock.every(LOOK_MS, () => {
    const silent = clock.now() - heard;
    if (silent < due) return;
    due *= 2;
    const words = silenceWords(state, silent);
    if (words !== null) view.note(words);
  });
  return {
    ...view,
    event(stored, next) {
      state = next;
      hear();
      view.event(stored, next);
    },
    output(bytes) {
      hear();
      view.output(bytes);
    },
    finish(last, changes) {
      stop();
      view.finish(last, changes);
    },
  };
}
