import type { RiskLevel, StepStatus } from '../../../core/contract/index.ts';

/** The shapes of the terminal view. Each says by itself what its colour says: colour is never the only sign. */
export interface Glyphs {
  step: Record<StepStatus, string>;
  waiting: string;
  risk: Record<RiskLevel, string>;
  spinner: readonly string[];
  spine: string;
  barDone: string;
  barRest: string;
  ellipsis: string;
  separator: string;
  undo: string;
}

export const unicodeGlyphs: Glyphs = {
  step: { pending: '○', running: '◉', interrupted: '◌', done: '●', failed: '✗', skipped: '–' },
  waiting: '◆',
  risk: { safe: '○', caution: '◐', dangerous: '▲', blocked: '■' },
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  spine: '│',
  barDone: '━',
  barRest: '─',
  ellipsis: '…',
  separator: '·',
  undo: '↶',
};

export const asciiGlyphs: Glyphs = {
  step: { pending: '.', running: '>', interrupted: '?', done: '*', failed: 'x', skipped: '-' },
  waiting: '!',
  risk: { safe: 'o', caution: '~', dangerous: '^', blocked: '#' },
  spinner: ['|', '/', '-', '\\'],
  spine: '|',
  barDone: '=',
  barRest: '-',
  ellipsis: '...',
  separator: '-',
  undo: '<',
};
