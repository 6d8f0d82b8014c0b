import { initialRunState, type RunState } from '../../../core/contract/index.ts';
import type { Context } from '../context.ts';
import { lookOf } from '../look.ts';
import { createLiveView, createTail, renderFinal } from '../view/index.ts';
import type { RunView } from './view.ts';

/** Drawn in place on a terminal; what is left of it afterwards is the spine and a summary. */
export function createLive(context: Context, id: string): RunView {
  const { stderr } = context;
  const look = lookOf(context, 'stderr');
  const tail = createTail();
  const decoder = new TextDecoder();
  const live = createLiveView({
    stream: stderr,
    style: look.style,
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
  });
  let state: RunState = initialRunState;
  return {
    event({ event }, next) {
      state = next;
      if (event.type === 'step-started') tail.clear();
      live.update(state, tail.lines());
    },
    output(bytes) {
      tail.push(decoder.decode(bytes, { stream: true }));
      live.update(state, tail.lines());
    },
    suspend: live.suspend,
    resume: live.resume,
    finish(last) {
      const now = Date.now();
      const width = stderr.columns || 80;
      live.finish(renderFinal(last, { ...look, width, id, now }));
    },
  };
}
