import { dollars, type RunRow } from '@contract';
import { Link } from '@tanstack/react-router';
import { ago, duration, rowSentence, type Tone, visible, workedOf } from '@told';
import { memo } from 'react';
import { shortPath } from '../../model/paths.ts';
import { cx } from '../../ui/cx.ts';
import { toneText as tones } from '../../ui/tone.ts';
import { useNow } from '../../ui/use-now.ts';

export const runColumns =
  'grid grid-cols-[16px_minmax(0,3fr)_minmax(0,2fr)_minmax(0,1.4fr)_64px_84px_60px_84px] items-center gap-3 px-4 max-lg:grid-cols-[16px_minmax(0,3fr)_minmax(0,2.4fr)_minmax(0,1.2fr)_52px_76px]';

interface RunLineProps {
  row: RunRow;
  /** Where several are chosen: whether it is, and what changes that. */
  chosen?: boolean;
  onChoose?(id: string, chosen: boolean): void;
}

export const RunLine = memo(function RunLine({ row, chosen = false, onChoose }: RunLineProps) {
  const going = row.goesOn && row.undrivenSince === undefined;
  const now = useNow(row.endedAt === null, going ? 1000 : 30_000);
  const { text, tone } = rowSentence(row, now);
  const took = workedOf(row, row.undrivenSince ?? now);
  const look = cx(
    runColumns,
    'h-9 border-b hover:bg-hover max-md:h-auto max-md:grid-cols-[16px_minmax(0,1fr)_auto] max-md:gap-x-2.5 max-md:gap-y-0 max-md:px-3 max-md:py-2',
    chosen && 'bg-sel',
  );
  const cells = (
    <>
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
      <span className="num text-right text-faint max-lg:hidden">{duration(took)}</span>
      <span className="num text-right text-faint max-lg:hidden">
        {row.costUsd > 0 ? dollars(row.costUsd) : ''}
      </span>
      <span className="text-right text-faint max-md:col-start-3 max-md:row-start-2">
        {ago(row.updatedAt, now)}
      </span>
    </>
  );
  return onChoose === undefined ? (
    <Link to="/runs/$id" params={{ id: row.id }} className={look}>
      <StateDot row={row} tone={tone} />
      {cells}
    </Link>
  ) : (
    <label className={look}>
      <input
        type="checkbox"
        checked={chosen}
        onChange={({ target }) => onChoose(row.id, target.checked)}
        className="size-3.5 accent-(--text)"
      />
      {cells}
    </label>
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
