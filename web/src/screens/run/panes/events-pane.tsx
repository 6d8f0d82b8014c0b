import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { useFeed } from '../../../api/use-run.ts';
import { clockTime } from '../../../model/time.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton } from '../../../ui/notice.tsx';
import type { PaneProps } from './pane.ts';

/** The journal as it is. */
export function EventsPane({ feed, search, go }: PaneProps) {
  useFeed(feed, (state) => state.version);
  const { tape, chronicle } = feed.getState();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  const events =
    wanted === ''
      ? tape.events
      : tape.events.filter(({ event }) => JSON.stringify(event).toLowerCase().includes(wanted));
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    getItemKey: (at) => events[at]?.seq ?? at,
    overscan: 10,
  });
  if (!chronicle.complete && tape.last === 0) return <Skeleton rows={6} />;
  return (
    <>
      <div className="flex h-9 shrink-0 items-center gap-2 border-b px-4">
        <input
          aria-label="Filter events"
          placeholder="Filter events"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          className="mono min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
        />
        <span className="num text-faint">{events.length.toLocaleString('en')}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="mono min-h-0 flex-1 overflow-auto">
        <div className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const { seq, event } = events[index]!;
            const { type, at, v: _, ...rest } = event as { type: string; at: number; v: number };
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={cx('absolute top-0 left-0 w-full border-b', seq === search.at && 'bg-sel')}
                style={{ transform: `translateY(${start}px)` }}
              >
                <div className="flex h-7 items-center gap-3 px-4">
                  <button
                    type="button"
                    title="Show the run at this moment"
                    onClick={() => go({ at: seq })}
                    className="w-12 shrink-0 text-right text-faint hover:text-text"
                  >
                    {seq}
                  </button>
                  <span className="shrink-0 text-faint max-md:hidden">{clockTime(at)}</span>
                  <button
                    type="button"
                    aria-expanded={open === seq}
                    onClick={() => setOpen(open === seq ? null : seq)}
                    className="flex min-w-0 flex-1 gap-3 text-left"
                  >
                    <span
                      className={cx(
                        'shrink-0',
                        type.endsWith('-requested') || type.endsWith('-decided') ? 'text-dim' : 'text-text',
                      )}
                    >
                      {type}
                    </span>
                    <span className="truncate text-faint">{open === seq ? '' : JSON.stringify(rest)}</span>
                  </button>
                </div>
                {open === seq ? (
                  <pre className="overflow-auto whitespace-pre-wrap bg-code px-4 py-2 text-dim [overflow-wrap:anywhere]">
                    {JSON.stringify(event, null, 2)}
                  </pre>
                ) : null}
              </div>
            );
          })}
        </div>
      </div>
    </>
  );
}
