import type { NumberedEvent } from '@contract';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { useFeed } from '../../../api/use-run.ts';
import { pagesOf, perPage } from '../../../model/event-pages.ts';
import { clockTime } from '../../../model/time.ts';
import { cx } from '../../../ui/cx.ts';
import type { PaneProps } from './pane.ts';
import { Reading } from './story-pane.tsx';

/** The journal as it is: what is in sight is read. What is looked for in it is looked for in all of it. */
export function EventsPane({ feed, search, go }: PaneProps) {
  const version = useFeed(feed, (state) => state.version);
  const { tape, whole, id } = feed.getState();
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const wanted = filter.trim().toLowerCase();
  useEffect(() => {
    if (wanted !== '') whole();
  }, [wanted, whole]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tape grows in place; `version` says when
  const found = useMemo(
    () =>
      wanted === ''
        ? null
        : tape.events.filter(({ event }) => JSON.stringify(event).toLowerCase().includes(wanted)),
    [tape, version, wanted],
  );
  const count = found?.length ?? tape.last;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => 28,
    getItemKey: (at) => found?.[at]?.seq ?? at + 1,
    overscan: 10,
  });
  const items = virtual.getVirtualItems();
  const pages = found === null ? pagesOf(items, tape.before) : [];
  const read = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['events', id, page],
      queryFn: () => client.getEvents(id, { after: page * perPage, limit: perPage }),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const eventAt = (index: number): NumberedEvent | undefined => {
    if (found !== null) return found[index];
    if (index >= tape.before) return tape.events[index - tape.before];
    const page = Math.floor(index / perPage);
    return read[pages.indexOf(page)]?.data?.events[index - page * perPage];
  };
  const isLooking = found !== null && !tape.isWhole;
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
        <span className="num text-faint">{count.toLocaleString('en')}</span>
      </div>
      {isLooking ? <Reading tape={tape} /> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} tabIndex={0} className="mono min-h-0 flex-1 overflow-auto">
        <ol aria-label="Events" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const stored = eventAt(index);
            return (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className={cx('absolute top-0 left-0 w-full border-b', stored?.seq === search.at && 'bg-sel')}
                style={{ transform: `translateY(${start}px)` }}
              >
                {stored === undefined ? (
                  <div className="h-7 px-4 text-faint">{index + 1}</div>
                ) : (
                  <EventRow
                    stored={stored}
                    open={open === stored.seq}
                    onOpen={() => setOpen(open === stored.seq ? null : stored.seq)}
                    onMoment={() => go({ at: stored.seq })}
                  />
                )}
              </li>
            );
          })}
        </ol>
      </div>
    </>
  );
}

interface EventRowProps {
  stored: NumberedEvent;
  open: boolean;
  onOpen(): void;
  onMoment(): void;
}

function EventRow({ stored: { seq, event }, open, onOpen, onMoment }: EventRowProps) {
  const { type, at, v: _, ...rest } = event as { type: string; at: number; v: number };
  return (
    <>
      <div className="flex h-7 items-center gap-3 px-4">
        <button
          type="button"
          title="Show the run at this moment"
          onClick={onMoment}
          className="w-12 shrink-0 text-right text-faint hover:text-text"
        >
          {seq}
        </button>
        <span className="shrink-0 text-faint max-md:hidden">{clockTime(at)}</span>
        <button
          type="button"
          aria-expanded={open}
          onClick={onOpen}
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
          <span className="truncate text-faint">{open ? '' : JSON.stringify(rest).slice(0, 400)}</span>
        </button>
      </div>
      {open ? (
        <pre className="overflow-auto whitespace-pre-wrap bg-code px-4 py-2 text-dim [overflow-wrap:anywhere]">
          {JSON.stringify(event, null, 2)}
        </pre>
      ) : null}
    </>
  );
}
