import type { Tally } from '../../../core/contract/told/index.ts';
import type { Look } from './look.ts';

/** The rule under the header, filled as steps are settled: done, then failed, then skipped. */
export function progressBar({ total, done, failed, skipped }: Tally, width: number, { style }: Look): string {
  const { barDone, barRest } = style.glyphs;
  const columns = (steps: number) => (total === 0 ? 0 : Math.floor((steps / total) * width));
  const ends = [done, done + failed, done + failed + skipped].map(columns) as [number, number, number];
  return [
    style.done(barDone.repeat(ends[0])),
    style.failed(barDone.repeat(ends[1] - ends[0])),
    style.dim(barDone.repeat(ends[2] - ends[1])),
    style.dim(barRest.repeat(width - ends[2])),
  ].join('');
}
