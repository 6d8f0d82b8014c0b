import { type RiskLevel, riskLevels } from '@contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { duration, visible } from '@told';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { usePreview } from '../../api/queries.ts';
import { tookOf } from '../../model/items.ts';
import { riskOf } from '../../model/risk.ts';
import { type RowState, type RowView, RowViews } from '../../model/row-view.ts';
import { filterSpine, type SpineRow } from '../../model/spine.ts';
import { riskShape } from '../../model/words.ts';
import { cx } from '../../ui/cx.ts';
import { Risk } from '../../ui/risk.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { useNow } from '../../ui/use-now.ts';
import { type Shown, useKnown } from './shown.ts';
import { SpineGraph } from './spine-graph.tsx';

interface SpineProps {
  shown: Shown;
  rows: readonly SpineRow[];
  selected: string | null;
  attempt: number | null;
  onSelect(stepId: string, attempt: number | null): void;
  className?: string;
}

const rowHeight = 32;
const padding = 8;
const noPreview: ReadonlyMap<string, RiskLevel> = new Map();

/** Fewer are seen at a glance. */
const long = 12;

export function Spine({ shown, rows: all, selected, attempt, onSelect, className }: SpineProps) {
  const { run, chronicle } = shown;
  const views = useMemo(() => new RowViews(), []);
  const preview = usePreview(shown.id, run).data;
  const levels = useMemo(
    () =>
      preview === undefined
        ? noPreview
        : new Map(preview.steps.map(({ subject, verdict }) => [subject.stepId, riskOf(verdict)])),
    [preview],
  );
  const [query, setQuery] = useState('');
  const [onlyFailed, setOnlyFailed] = useState(false);
  const rows = useMemo(() => filterSpine(all, run, { query, onlyFailed }), [all, run, query, onlyFailed]);
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    paddingStart: padding,
    paddingEnd: padding,
  });
  const selectedAt = rows.findIndex(
    (row) => row.stepId === selected && row.attempt === attempt && row.kind === 'step',
  );
  useEffect(() => {
    // By numbers that are known: asking the browser for them at every step would have it lay out the page each time.
    const height = virtual.scrollRect?.height ?? 0;
    const from = virtual.scrollOffset ?? 0;
    const top = padding + selectedAt * rowHeight;
    if (selectedAt < 0 || (top >= from && top + rowHeight <= from + height)) return;
    box.current?.scrollTo({ top: top - height / 2 });
  }, [selectedAt, virtual]);
  const items = virtual.getVirtualItems();
  useKnown(
    shown,
    items.map(({ index }) => rows[index]!.stepId),
  );
  const { version } = shown;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the chronicle grows in place, and its version says so
  const longest = useMemo(() => longestOf(run.steps, chronicle), [run.steps, chronicle, version]);
  return (
    <nav aria-label="Steps" className={cx('flex min-h-0 min-w-0 flex-col', className)}>
      {all.length > long ? (
        <div className="flex h-9 shrink-0 items-center gap-2 border-b pr-2 pl-4 max-md:pl-3">
          <input
            aria-label="Find steps"
            placeholder="Find steps"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className="min-w-0 flex-1 bg-transparent placeholder:text-faint"
          />
          {rows.length < all.length ? (
            <span role="status" className="num text-faint">
              {rows.length} of {all.length}
            </span>
          ) : null}
          <Toggle label="Only failed" on={onlyFailed} onChange={setOnlyFailed} />
        </div>
      ) : null}
      {rows.length === 0 ? <p className="p-4 text-faint">No step is like that.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <ol
          className="relative"
          // Bars are measured against the longest by the style sheet: when that changes, no row is drawn again.
          style={{ height: virtual.getTotalSize(), ['--longest' as string]: longest }}
        >
          {items.map(({ index, start }) => {
            const row = rows[index]!;
            return (
              <li
                key={row.key}
                className="absolute top-0 left-0 w-full"
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row
                  view={views.of(row, run, chronicle, levels)}
                  selected={index === selectedAt}
                  reached={index === Math.max(0, selectedAt)}
                  fresh={(chronicle.bornAt(row.stepId) ?? 0) >= shown.liveFrom && row.lane === 1}
                  onSelect={onSelect}
                />
              </li>
            );
          })}
        </ol>
      </div>
      <div className="flex shrink-0 flex-wrap gap-x-3.5 border-t px-4 py-1.5 text-faint text-small max-md:hidden">
        {riskLevels.map((level) => (
          <span key={level} className="whitespace-nowrap">
            <span aria-hidden="true">{riskShape[level]}</span> {level}
          </span>
        ))}
      </div>
    </nav>
  );
}

function longestOf(steps: Shown['run']['steps'], chronicle: Shown['chronicle']): number {
  let most = 1;
  for (const step of steps) most = Math.max(most, tookOf(step, chronicle.attempts(step.id)) ?? 0);
  return most;
}

const noteColour: Partial<Record<RowState, string>> = {
  failed: 'text-fail',
  waiting: 'text-wait',
  interrupted: 'text-wait',
  thinking: 'text-mind',
};

interface RowProps {
  view: RowView;
  selected: boolean;
  /** By Tab one comes to one row, and goes on from there by the arrow keys. */
  reached: boolean;
  /** It came into the plan while somebody watched. */
  fresh: boolean;
  onSelect(stepId: string, attempt: number | null): void;
}

const Row = memo(function Row({ view, selected, reached, fresh, onSelect }: RowProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const focused = document.activeElement;
    if (selected && focused?.closest('nav[aria-label=Steps] li')) button.current?.focus();
  }, [selected]);
  const { row, state } = view;
  const quiet = state === 'pending' || state === 'skipped';
  return (
    <button
      ref={button}
      type="button"
      tabIndex={reached ? 0 : -1}
      aria-current={selected ? 'step' : undefined}
      onClick={() => onSelect(row.stepId, row.attempt)}
      className={cx(
        'grid h-8 w-full grid-cols-[46px_24px_minmax(0,1fr)_16px_40px_64px] items-center gap-x-1.5 pr-4 text-left max-lg:grid-cols-[46px_22px_minmax(0,1fr)_16px_62px]',
        selected ? 'bg-sel' : 'hover:bg-hover',
        fresh && 'motion-row',
      )}
    >
      <SpineGraph view={view} />
      <span className="num text-right text-faint">{row.number}</span>
      <span
        className={cx('flex min-w-0 pl-1.5', view.machine ? 'text-mind' : quiet ? 'text-dim' : 'text-text')}
      >
        <span className="truncate">{visible(view.title)}</span>
        {view.note === null ? null : (
          <span className={cx('max-w-[60%] shrink-0 truncate pl-1.5', noteColour[state] ?? 'text-faint')}>
            {view.note}
          </span>
        )}
        <span className="sr-only">, {state}</span>
      </span>
      <span className="text-center">{view.risk === null ? null : <Risk level={view.risk} />}</span>
      <Bar view={view} />
      <Time view={view} />
    </button>
  );
});

function Bar({ view }: { view: RowView }) {
  const { progress, durationMs } = view;
  if (progress === null && (durationMs ?? 0) <= 0) return <span className="max-lg:hidden" />;
  const colour = view.state === 'failed' ? 'bg-fail' : progress === null ? 'bg-line-strong' : 'bg-dim';
  const share =
    progress === null
      ? `${durationMs} / var(--longest)`
      : `${progress.done} / ${Math.max(1, progress.count)}`;
  return (
    <span aria-hidden="true" className="h-1 max-lg:hidden">
      <span
        className={cx('block h-1 rounded-full', colour)}
        style={{ width: `clamp(3px, calc(100% * ${share}), 100%)` }}
      />
    </span>
  );
}

function Time({ view }: { view: RowView }) {
  const look = 'num text-right';
  if (view.state === 'waiting') return <span className={cx(look, 'font-sans text-wait')}>waiting</span>;
  if (view.state === 'thinking')
    return <span className={cx(look, 'motion-breathe text-mind')}>thinking</span>;
  if (view.since !== null) return <Ticking since={view.since} />;
  return (
    <span className={cx(look, 'text-faint')}>
      {view.durationMs === null ? '' : duration(view.durationMs)}
    </span>
  );
}

function Ticking({ since }: { since: number }) {
  const now = useNow(true, 100);
  return <span className="num text-right text-text">{duration(now - since)}</span>;
}
