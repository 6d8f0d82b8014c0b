import type { Context } from '../context.ts';
import { lookOf } from '../look-of.ts';
import { isBookkeeping, renderDraftDiff, renderEventLine } from '../render/event.ts';
import { renderSummary } from '../render/summary.ts';
import { visible } from '../render/text/clean.ts';
import type { RunScreen } from './run-view.ts';

/** For logs and pipes: progress as lines on stderr, the steps' own output untouched on stdout. */
export function createPlainView(
  context: Context,
  id: string,
  verbose = false,
): RunScreen & { note(text: string): void } {
  const { stdout, stderr } = context;
  let atLineStart = true;
  const say = (text: string) => {
    if (!atLineStart) stdout.write('\n');
    atLineStart = true;
    stderr.write(`${text}\n`);
  };
  return {
    event({ event }, state) {
      if (!isBookkeeping(event)) say(renderEventLine(event, state));
      if (verbose) for (const line of renderDraftDiff(event)) say(line);
    },
    output(bytes) {
      stdout.write(bytes);
      atLineStart = bytes.at(-1) === 10;
    },
    note: (text) => say(visible(text)),
    suspend: () => {},
    resume: () => {},
    finish: (state, changes) =>
      say(renderSummary(state, { ...lookOf(context, 'stderr'), id, now: Date.now(), changes }).join('\n')),
  };
}
