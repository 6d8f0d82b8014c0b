import type { RunStatus } from '../../../core/contract/index.ts';
import type { Style } from './style.ts';

/** The shape of a run's state, in its colour. */
export function stateGlyph(status: RunStatus, { glyphs, ...style }: Style): string {
  switch (status) {
    case 'running':
    case 'planning':
      return style.strong(glyphs.step.running);
    case 'recovering':
      return style.changed(glyphs.step.running);
    case 'done':
      return style.done(glyphs.step.done);
    case 'failed':
      return style.failed(glyphs.step.failed);
    case 'cancelled':
      return style.dim(glyphs.step.skipped);
    case 'agreeing':
    case 'waiting':
    case 'paused':
      return style.waiting(glyphs.waiting);
  }
}
