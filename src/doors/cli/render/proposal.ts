import type { RunState } from '../../../core/contract/index.ts';
import { percent } from '../../../core/contract/told/index.ts';
import type { Look } from './look.ts';
import { visible } from './text/clean.ts';

/** What is known of a planned plan besides its steps: the goal restated, why these steps, and how sure they are. */
export function renderProposal({ planning }: RunState, { style }: Look): string[] {
  const proposal = planning?.proposal ?? null;
  if (planning === null || proposal === null) return [];
  const { confidence, summary, reflection, warnings } = proposal;
  const clean = (text: string) => visible(text.replace(/\s+/g, ' ').trim());
  const heading = (text: string) => ` ${style.strong(text)}`;
  const lines = (planning.restatement ?? '').split('\n').filter((line) => line !== '');
  const doubts = confidence.doubts.map(({ why, cost }) => `   -${percent(cost)}  ${clean(why)}`);
  return [
    '',
    ...lines.map((line) => ` ${style.dim(visible(line))}`),
    ...(summary.trim() === '' ? [] : ['', heading('Why'), `   ${clean(summary)}`]),
    ...(reflection.trim() === '' ? [] : [heading('What could go wrong'), `   ${clean(reflection)}`]),
    heading(`Confidence ${percent(confidence.score)}`),
    ...doubts,
    ...warnings.map(({ message }) => ` ${style.waiting(style.glyphs.waiting)} ${clean(message)}`),
    '',
  ];
}
