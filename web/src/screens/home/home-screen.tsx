import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { visible } from '@told';
import { Plus, Search } from 'lucide-react';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useRuns, useWaiting } from '../../api/queries.ts';
import {
  countOf,
  foldersOf,
  longestFirst,
  othersWaiting,
  shows,
  sorted,
  type Waits,
  waitingOf,
  waitingRows,
  wayTo,
  withoutWaiting,
} from '../../model/home.ts';
import { shortPath } from '../../model/paths.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { useChoosing } from './choosing.ts';
import { RunList } from './run-list.tsx';
import { WaitingList } from './waiting-line.tsx';

const ChoosingBar = lazy(() => import('./choosing-bar.tsx').then((m) => ({ default: m.ChoosingBar })));

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
  const asks = useWaiting().data;
  const waiting = useMemo(() => asks?.waiting ?? [], [asks]);
  const others = useMemo(
    () => waitingOf(asks === undefined ? [] : othersWaiting(asks), search.folder, wanted),
    [asks, search.folder, wanted],
  );
  const plain = wanted === '' && search.show === undefined && search.folder === undefined;
  const sort = search.sort ?? 'changed';
  const counts = runs.data?.pages[0]?.counts;
  const read = useMemo(() => runs.data?.pages.flatMap((page) => page.runs) ?? [], [runs.data]);
  const choosing = useChoosing();
  // Where several are chosen, runs that wait stand among the others; conversations and tasks are in no list of runs.
  const withRuns = plain && !choosing.on;
  const withOthers = plain || search.show === 'waiting';
  const above = useMemo(
    () => longestFirst<Waits>([...(withRuns ? waiting : []), ...(withOthers ? others : [])]),
    [withRuns, withOthers, waiting, others],
  );
  const asking = useMemo(() => waitingRows(waiting, search.folder, wanted), [waiting, search.folder, wanted]);
  const rows = useMemo(() => {
    if (search.show === 'waiting') return sorted(asking, sort);
    return sorted(withRuns ? withoutWaiting(read, waiting) : read, sort);
  }, [read, waiting, asking, withRuns, sort, search.show]);
  const folders = useMemo(
    () => foldersOf(waiting.map(({ row }) => row).concat(read), search.folder),
    [read, waiting, search.folder],
  );
  const field = useRef<HTMLInputElement>(null);
  useKeys({
    '/': () => field.current?.focus(),
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
    w: () => {
      const first = longestFirst<Waits>([...waiting, ...others])[0];
      if (first !== undefined) void navigate(wayTo(first));
    },
  });
  if (plain && runs.data !== undefined && read.length + others.length === 0) return <Welcome />;
  return (
    <div className="flex h-full flex-col">
      {above.length > 0 ? <WaitingList waiting={above} /> : null}
      <div className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-4 py-2 max-lg:gap-x-2 max-md:px-3">
        <h1 className="font-semibold text-title">Runs</h1>
        <fieldset
          aria-label="Which runs"
          className="flex gap-0.5 overflow-x-auto max-md:order-3 max-md:w-full"
        >
          {shows.map(({ show, label, states }) => (
            <button
              key={label}
              type="button"
              aria-pressed={search.show === show}
              onClick={() => void navigate({ search: (before) => ({ ...before, show }), replace: true })}
              className={cx(
                'h-7 shrink-0 rounded-md px-2.5 max-lg:px-2',
                search.show === show ? 'bg-sel text-text' : 'text-dim hover:bg-hover hover:text-text',
              )}
            >
              {label}{' '}
              {countOf(show, states, counts, asking.length + others.length) === null ? null : (
                <span
                  className={cx(
                    'num ml-1.5',
                    show === 'waiting' && waiting.length + others.length > 0 ? 'text-wait' : 'text-faint',
                  )}
                >
                  {countOf(show, states, counts, asking.length + others.length)}
                </span>
              )}
            </button>
          ))}
        </fieldset>
        {folders.length < 2 && search.folder === undefined ? null : (
          <select
            aria-label="Which folder"
            value={search.folder ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: (before) => ({ ...before, folder: target.value === '' ? undefined : target.value }),
                replace: true,
              })
            }
            className="h-7 max-w-56 rounded-md border bg-transparent px-1.5 text-dim hover:text-text max-md:h-9 max-lg:max-w-36"
          >
            <option value="">All folders</option>
            {folders.map((folder) => (
              <option key={folder} value={folder} title={folder}>
                {visible(shortPath(folder))}
              </option>
            ))}
          </select>
        )}
        {/* They come to the next line together; on a phone each has a place of its own. */}
        <div className="ml-auto flex items-center gap-4 max-lg:min-w-80 max-lg:flex-1 max-lg:gap-2 max-md:contents">
          <label className="flex h-7 w-60 items-center gap-2 rounded-md border px-2 focus-within:border-line-strong focus-within:outline-2 focus-within:outline-text max-lg:w-24 max-lg:flex-1 max-md:order-2 max-md:h-9 max-md:w-auto">
            <Search size={14} className="shrink-0 text-faint" />
            <input
              ref={field}
              aria-label="Search runs"
              placeholder="Search goals, steps"
              value={text}
              onChange={(event) => setText(event.target.value)}
              className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
            />
          </label>
          <Button aria-pressed={choosing.on} onClick={choosing.toggle} className="max-md:order-2">
            {choosing.on ? 'Choose none' : 'Choose…'}
          </Button>
          <Link
            to="/new"
            className="inline-flex h-7 items-center gap-1.5 rounded-md border border-text bg-text px-2.5 font-medium text-bg hover:opacity-90 max-md:ml-auto max-md:h-9"
          >
            <Plus size={14} /> New run
          </Link>
        </div>
      </div>
      {runs.error !== null && rows.length === 0 ? (
        <Trouble error={runs.error} retry={() => void runs.refetch()} />
      ) : null}
      {runs.isPending ? <Skeleton rows={8} /> : null}
      {runs.data !== undefined && rows.length + above.length === 0 ? (
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
      {plain && runs.data !== undefined && read.length === 0 ? <Welcome /> : null}
      {rows.length === 0 ? null : (
        <RunList
          rows={rows}
          choosing={choosing}
          sort={sort}
          onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }), replace: true })}
          more={runs.hasNextPage}
          loadMore={() => void (runs.isFetchingNextPage || runs.fetchNextPage())}
        />
      )}
      {choosing.on ? (
        <Suspense fallback={null}>
          <ChoosingBar rows={rows} waiting={waiting} choosing={choosing} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Along the runs that can be opened, from the one that has the focus. */
function moveFocus(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('main li a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
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
