import type { RunRow } from '@contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Sort } from '../../addresses.ts';
import { cx } from '../../ui/cx.ts';
import type { Choosing } from './choosing.ts';
import { RunLine, runColumns } from './run-line.tsx';

interface RunListProps {
  rows: readonly RunRow[];
  choosing: Choosing;
  sort: Sort;
  onSort(sort: Sort): void;
  more: boolean;
  loadMore(): void;
}

/** Runs in lines, as many as can be seen; the next are read before their place comes into view. */
export function RunList({ rows, choosing, sort, onSort, more, loadMore }: RunListProps) {
  const head = (by: Sort, label: string, className = '') => (
    <button
      type="button"
      aria-pressed={sort === by}
      onClick={() => onSort(by)}
      className={cx('hover:text-text', className, sort === by && 'text-text')}
    >
      {label}
      {sort === by ? <span aria-hidden="true"> ↓</span> : null}
    </button>
  );
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    // What was measured goes with the row when others come before it.
    getItemKey: (at) => rows[at]!.id,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= rows.length - 20) loadMore();
  }, [more, last, rows.length, loadMore]);
  return (
    <>
      <div className={cx(runColumns, 'h-8 shrink-0 border-b text-faint text-small max-md:hidden')}>
        <span />
        {head('goal', 'Goal', 'text-left')}
        <span>Now</span>
        <span>Workspace</span>
        <span className="text-right">Steps</span>
        {head('took', 'Took', 'text-right max-lg:hidden')}
        <span className="text-right max-lg:hidden">Cost</span>
        {head('changed', 'Changed', 'text-right')}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => (
            <li
              key={rows[index]!.id}
              ref={virtual.measureElement}
              data-index={index}
              className="absolute top-0 left-0 w-full"
              style={{ transform: `translateY(${start}px)` }}
            >
              {choosing.on ? (
                <RunLine
                  row={rows[index]!}
                  chosen={choosing.chosen.has(rows[index]!.id)}
                  onChoose={choosing.choose}
                />
              ) : (
                <RunLine row={rows[index]!} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
