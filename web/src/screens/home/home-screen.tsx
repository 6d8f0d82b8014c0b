import type { RunRow } from '@contract';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { HomeSearch } from '../../addresses.ts';
import { useRuns, useWaiting } from '../../api/queries.ts';
import { useServer } from '../../api/rows.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { RunLine, runColumns } from './run-line.tsx';
import { WaitingLine } from './waiting-line.tsx';

const shows: { show: HomeSearch['show']; label: string; state?: string; waiting?: 'true' }[] = [
  { show: undefined, label: 'All' },
  { show: 'waiting', label: 'Waiting for you', waiting: 'true' },
  { show: 'active', label: 'Going on', state: 'running,recovering,planning,agreeing' },
  { show: 'failed', label: 'Stopped', state: 'failed,paused' },
  { show: 'done', label: 'Over', state: 'done,cancelled' },
];

export function HomeScreen() {
  useTitle('Runs');
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const [text, setText] = useState(search.q ?? '');
  const wanted = useDeferredValue(text.trim());
  useEffect(() => {
    void navigate({
      search: (before) => ({ ...before, q: wanted === '' ? undefined : wanted }),
      replace: true,
    });
  }, [wanted, navigate]);
  const filter = shows.find(({ show }) => show === search.show);
  const runs = useRuns({
    ...(filter?.state === undefined ? {} : { state: filter.state }),
    ...(filter?.waiting === undefined ? {} : { waiting: filter.waiting }),
    ...(wanted === '' ? {} : { text: wanted }),
  });
  const waiting = useWaiting().data?.waiting ?? [];
  const rows = useMemo(() => runs.data?.pages.flatMap((page) => page.runs) ?? [], [runs.data]);
  const plain = wanted === '' && search.show === undefined;
  const lost = useServer((server) => server.connection === 'lost');
  if (plain && runs.data !== undefined && rows.length === 0) return <Welcome />;
  return (
    <div className="flex h-full flex-col">
      {lost ? <Offline /> : null}
      {plain && waiting.length > 0 ? (
        <section aria-label="Waiting for you" className="shrink-0 border-wait/50 border-b bg-wait-bg">
          <h2 className="px-4 pt-2.5 pb-1 font-semibold text-wait max-md:px-3">Waiting for you</h2>
          <ul className="max-h-[32vh] overflow-auto pb-1.5">
            {waiting.map((item) => (
              <WaitingLine key={`${item.row.id}/${item.stepId}`} item={item} />
            ))}
          </ul>
        </section>
      ) : null}
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 max-md:px-3">
        <h1 className="font-semibold text-title">Runs</h1>
        <fieldset
          aria-label="Which runs"
          className="flex gap-0.5 overflow-x-auto max-md:order-3 max-md:w-full"
        >
          {shows.map(({ show, label }) => (
            <button
              key={label}
              type="button"
              aria-pressed={search.show === show}
              onClick={() => void navigate({ search: (before) => ({ ...before, show }), replace: true })}
              className={cx(
                'h-7 shrink-0 rounded-md px-2.5',
                search.show === show ? 'bg-sel text-text' : 'text-dim hover:bg-hover hover:text-text',
              )}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <label className="ml-auto flex h-7 w-60 items-center gap-2 rounded-md border px-2 focus-within:border-line-strong max-md:order-2 max-md:h-9 max-md:w-full">
          <Search size={14} className="shrink-0 text-faint" />
          <input
            aria-label="Search runs"
            placeholder="Search goals and steps"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
          />
        </label>
        <Link
          to="/new"
          className="inline-flex h-7 items-center gap-1.5 rounded-md border border-text bg-text px-2.5 font-medium text-bg hover:opacity-90 max-md:ml-auto max-md:h-9"
        >
          <Plus size={14} /> New run
        </Link>
      </div>
      {runs.error !== null && rows.length === 0 ? (
        <Trouble error={runs.error} retry={() => void runs.refetch()} />
      ) : null}
      {runs.isPending ? <Skeleton rows={8} /> : null}
      {runs.data !== undefined && rows.length === 0 ? (
        <Notice
          title={wanted === '' ? 'No such runs' : `Nothing found for “${wanted}”`}
          action={
            <Button
              onClick={() => {
                setText('');
                void navigate({ search: {} });
              }}
            >
              Show all runs
            </Button>
          }
        />
      ) : null}
      {rows.length === 0 ? null : (
        <RunList
          rows={rows}
          more={runs.hasNextPage}
          loadMore={() => void (runs.isFetchingNextPage || runs.fetchNextPage())}
        />
      )}
    </div>
  );
}

interface RunListProps {
  rows: readonly RunRow[];
  more: boolean;
  loadMore(): void;
}

function RunList({ rows, more, loadMore }: RunListProps) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (more && last >= rows.length - 20) loadMore();
  }, [more, last, rows.length, loadMore]);
  return (
    <>
      <div
        aria-hidden="true"
        className={cx(runColumns, 'h-8 shrink-0 border-b text-faint text-small max-md:hidden')}
      >
        <span />
        <span>Goal</span>
        <span>Now</span>
        <span>Workspace</span>
        <span className="text-right">Steps</span>
        <span className="text-right">Took</span>
        <span className="text-right">Cost</span>
        <span className="text-right">Changed</span>
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
              <RunLine row={rows[index]!} />
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function Welcome() {
  return (
    <Notice
      title="No runs yet"
      action={
        <Link
          to="/new"
          className="inline-flex h-7 items-center gap-1.5 rounded-md border border-text bg-text px-2.5 font-medium text-bg"
        >
          <Plus size={14} /> Start the first run
        </Link>
      }
    >
      Say what you want done, or drop a runbook. You see every step before anything is run.
    </Notice>
  );
}

function Offline() {
  return (
    <p role="alert" className="shrink-0 border-b bg-fail-bg px-4 py-1.5 text-fail">
      The server does not answer. What you see may be old; it is asked again and again.
    </p>
  );
}
