import { initialRunState, type RunEvent, type RunState } from '../../../core/contract/index.ts';
import { placeOf } from '../../../core/contract/told/index.ts';
import type { Context } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { isOfPlanning, renderDraftDiff, renderEventLine } from '../render/event.ts';
import { renderFinal } from '../render/summary.ts';
import { cleanOutput, visible } from '../render/text/clean.ts';
import { createLiveView } from './live-view.ts';
import type { RunScreen } from './run-view.ts';
import { createTail } from './tail.ts';

/** What a look has against a step stays in the scrollback: what fails at once would take it away. A question has it itself. */
function foretold(event: RunEvent, { plan, options }: RunState): string[] {
  if (event.type !== 'step-judged' || event.warnings === undefined || options?.mode === 'teacher') return [];
  const place = placeOf(plan, event.subject.stepId);
  return event.warnings.map(({ message }) => visible(`Before ${place}: ${message}`));
}

/** Drawn in place on a terminal; what is left of it afterwards is the spine and a summary. */
export function createLive(context: Context, id: string, verbose = false): RunScreen {
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
  let open = '';
  // Planning has no spine to look at: what came of each call stays in the scrollback.
  const say = (lines: string[]) => {
    live.suspend();
    stderr.write(lines.map((line) => ` ${line}\n`).join(''));
    live.resume();
  };
  /** Whoever learns sees all that a step prints, not its end alone: whole lines go into the scrollback. */
  const teach = (text: string, isEnd = false) => {
    const lines = (open + text).split('\n');
    open = isEnd ? '' : (lines.pop() ?? '');
    const whole = lines.map(cleanOutput).filter((line) => !isEnd || line !== '');
    if (whole.length > 0) say(whole);
  };
  return {
    event({ event }, next) {
      state = next;
      if (event.type === 'step-started') tail.clear();
      if (event.type === 'step-completed' || event.type === 'step-failed') teach('', true);
      const lines = [
        ...foretold(event, next),
        ...(isOfPlanning(event) || event.type === 'environment-differs'
          ? [renderEventLine(event, next)]
          : []),
        ...(verbose ? renderDraftDiff(event) : []),
      ];
      if (lines.length > 0) say(lines);
      live.update(state, tail.lines());
    },
    output(bytes) {
      const text = decoder.decode(bytes, { stream: true });
      if (state.options?.mode === 'teacher') teach(text);
      else tail.push(text);
      live.update(state, tail.lines());
    },
    suspend: live.suspend,
    resume: live.resume,
    finish(last, changes) {
      const now = Date.now();
      const width = stderr.columns || 80;
      live.finish(renderFinal(last, { ...look, width, id, now, changes }));
    },
  };
}
