import type { RunRow } from '@contract';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { visible } from '@told';
import { Plus, Search, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import type { Sort } from '../../addresses.ts';
import { useRuns, useWaiting } from '../../api/queries.ts';
import { useServer } from '../../api/server.ts';
import { longestFirst, shows, sorted, withoutWaiting } from '../../model/home.ts';
import { shortPath } from '../../model/paths.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { RunLine, runColumns } from './run-line.tsx';
import { WaitingLine } from './waiting-line.tsx';

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
    ...(filter?.states == null ? {} : { state: filter.states.join(',') }),
    ...(search.folder === undefined ? {} : { workspace: search.folder }),
    ...(wanted === '' ? {} : { text: wanted }),
  });
  const waitingData = useWaiting().data?.waiting;
  const waiting = useMemo(() => longestFirst(waitingData ?? []), [waitingData]);
  const plain = wanted === '' && search.show === undefined && search.folder === undefined;
  const sort = search.sort ?? 'changed';
  const read = useMemo(() => runs.data?.pages.flatMap((page) => page.runs) ?? [], [runs.data]);
  const rows = useMemo(
    () => sorted(plain ? withoutWaiting(read, waiting) : read, sort),
    [read, waiting, plain, sort],
  );
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => field.current?.focus(),
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    w: () => {
      const first = waiting[0];
      if (first !== undefined) void navigate({ to: '/runs/$id', params: { id: first.row.id }, search: {} });
    },
  });
  const lost = useServer((server) => server.connection === 'lost');
  if (plain && runs.data !== undefined && read.length === 0) return <Welcome />;
  return (
    <div className="flex h-full flex-col">
      {lost ? <Offline /> : null}
      {plain && waiting.length > 0 ? (
        <section aria-label="Waiting for you" className="shrink-0 border-wait/50 border-b bg-wait-bg">
          <h2 className="px-4 pt-2.5 pb-1 font-semibold text-wait max-md:px-3">
            Waiting for you <span className="num font-normal">{waiting.length}</span>
          </h2>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <ul tabIndex={0} className="max-h-[36vh] overflow-auto pb-1.5">
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
              {show === 'waiting' && waiting.length > 0 ? (
                <span className="num ml-1.5 text-wait">{waiting.length}</span>
              ) : search.show === show && runs.data !== undefined ? (
                <span className="num ml-1.5 text-faint">
                  {read.length}
                  {runs.hasNextPage ? '+' : ''}
                </span>
              ) : null}
            </button>
          ))}
        </fieldset>
        {search.folder === undefined ? null : (
          <button
            type="button"
            aria-label={`Show runs of all folders, not only of ${search.folder}`}
            onClick={() =>
              void navigate({ search: (before) => ({ ...before, folder: undefined }), replace: true })
            }
            className="mono flex h-7 items-center gap-1.5 rounded-md border px-2 text-dim hover:text-text"
          >
            {visible(shortPath(search.folder))} <X size={12} />
          </button>
        )}
        <label className="ml-auto flex h-7 w-60 max-lg:w-40 items-center gap-2 rounded-md border px-2 focus-within:border-line-strong focus-within:outline-2 focus-within:outline-text max-md:order-2 max-md:h-9 max-md:w-full">
          <Search size={14} className="shrink-0 text-faint" />
          <input
            ref={field}
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
          sort={sort}
          onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }), replace: true })}
          more={runs.hasNextPage}
          loadMore={() => void (runs.isFetchingNextPage || runs.fetchNextPage())}
        />
      )}
    </div>
  );
}

/** Along the runs that can be opened, from the one that has the focus. */
function moveFocus(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main li a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
}

interface RunListProps {
  rows: readonly RunRow[];
  sort: Sort;
  onSort(sort: Sort): void;
  more: boolean;
  loadMore(): void;
}

function RunList({ rows, sort, onSort, more, loadMore }: RunListProps) {
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
        {head('took', 'Took', 'text-right')}
        <span className="text-right">Cost</span>
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
