import { dollars, type RunRow } from '@contract';
import { Link } from '@tanstack/react-router';
import { ago, duration, rowSentence, type Tone, visible } from '@told';
import { memo } from 'react';
import { shortPath } from '../../model/paths.ts';
import { cx } from '../../ui/cx.ts';
import { useNow } from '../../ui/use-now.ts';

export const runColumns =
  'grid grid-cols-[16px_minmax(0,3fr)_minmax(0,2fr)_minmax(0,1.4fr)_64px_84px_60px_84px] items-center gap-3 px-4';

const tones: Record<Tone, string> = {
  done: 'text-done',
  fail: 'text-fail',
  wait: 'text-wait',
  mind: 'text-mind',
  going: 'text-text',
  quiet: 'text-faint',
};

export const RunLine = memo(function RunLine({ row }: { row: RunRow }) {
  const going = row.goesOn && row.undrivenSince === undefined;
  const now = useNow(row.endedAt === null, going ? 1000 : 30_000);
  const { text, tone } = rowSentence(row, now);
  const took = (row.endedAt ?? (going ? now : (row.undrivenSince ?? row.updatedAt))) - row.createdAt;
  return (
    <Link
      to="/runs/$id"
      params={{ id: row.id }}
      className={cx(
        runColumns,
        'h-9 border-b hover:bg-hover max-md:h-auto max-md:grid-cols-[16px_minmax(0,1fr)_auto] max-md:gap-x-2.5 max-md:gap-y-0 max-md:px-3 max-md:py-2',
      )}
    >
      <StateDot row={row} tone={tone} />
      <span className="truncate">{visible(row.goal)}</span>
      <span className={cx('truncate max-md:col-start-2 max-md:row-start-2', tones[tone])}>
        {visible(text)}
      </span>
      <span className="mono truncate text-faint max-md:hidden" title={row.workspace}>
        {shortPath(row.workspace, 1)}
      </span>
      <span className="num text-right text-dim max-md:col-start-3 max-md:row-start-1">
        {row.stepsDone}/{row.stepsTotal}
      </span>
      <span className="num text-right text-faint max-md:hidden">{duration(took)}</span>
      <span className="num text-right text-faint max-md:hidden">
        {row.costUsd > 0 ? dollars(row.costUsd) : ''}
      </span>
      <span className="text-right text-faint max-md:col-start-3 max-md:row-start-2">
        {ago(row.updatedAt, now)}
      </span>
    </Link>
  );
});

/** A shape for each state, so that none is told by colour alone. */
function StateDot({ row, tone }: { row: RunRow; tone: Tone }) {
  const shape = { done: '●', fail: '✕', wait: '◆', mind: '◉', going: '◉', quiet: '○' }[tone];
  return (
    <span
      className={cx('text-center', tones[tone], (tone === 'going' || tone === 'mind') && 'motion-breathe')}
    >
      <span aria-hidden="true">{shape}</span>
      <span className="sr-only">{row.state}</span>
    </span>
  );
}
