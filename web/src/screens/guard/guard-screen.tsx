import { Link, useParams } from '@tanstack/react-router';
import { ago, visible } from '@told';
import { useDeferredValue, useState } from 'react';
import { useGuarded } from '../../api/guard-queries.ts';
import { agentNames, countsOf } from '../../model/guard-view.ts';
import { shortPath } from '../../model/paths.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';
import { SessionView } from './session-view.tsx';

/** Sessions of other agents under the guard, and one of them. On a phone each is a screen of its own. */
export function GuardScreen() {
  const { session } = useParams({ strict: false });
  useTitle('Guard');
  return (
    <div className="grid h-full grid-cols-[320px_minmax(0,1fr)] max-lg:grid-cols-[240px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]">
      <div className={cx('min-h-0 border-r max-md:border-r-0', session !== undefined && 'max-md:hidden')}>
        <SessionList current={session ?? null} />
      </div>
      {session === undefined ? (
        <div className="max-md:hidden">
          <Notice title="Choose a session">
            Each shows what an agent did, what it had to ask, and what it was denied.
          </Notice>
        </div>
      ) : (
        <SessionView key={session} id={session} />
      )}
    </div>
  );
}

function SessionList({ current }: { current: string | null }) {
  const [text, setText] = useState('');
  const { data, error, refetch, hasNextPage, fetchNextPage } = useGuarded(useDeferredValue(text.trim()));
  const now = useNow(true, 30_000);
  const sessions = data?.pages.flatMap((page) => page.sessions) ?? [];
  return (
    <div className="flex h-full flex-col">
      <div className="border-b p-3">
        <h1 className="sr-only">Guarded sessions</h1>
        <input
          type="search"
          aria-label="Search what was asked about or denied"
          placeholder="Search what was objected to…"
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="h-7 w-full rounded-md border border-line-strong bg-transparent px-2.5 max-md:h-9"
        />
      </div>
      {data === undefined && error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <Skeleton rows={5} /> : null}
      {data !== undefined && sessions.length === 0 ? (
        text === '' ? (
          <Notice title="No agent is guarded yet">
            <code className="mono">planwright guard install</code> has Claude Code, Codex, Gemini CLI, Cursor,
            Copilot CLI and opencode ask before what they do.
          </Notice>
        ) : (
          <Notice title="No session is like that" />
        )
      ) : null}
      <ul aria-label="Sessions" className="min-h-0 flex-1 overflow-auto">
        {sessions.map((row) => (
          <li key={row.id}>
            <Link
              to="/guard/$session"
              params={{ session: row.id }}
              className={cx('block border-b px-4 py-2 hover:bg-hover', row.id === current && 'bg-sel')}
              {...(row.id === current ? { 'aria-current': 'page' as const } : {})}
            >
              <span className="flex items-baseline justify-between gap-2">
                <span className="truncate font-medium">{agentNames[row.agent]}</span>
                <span className="shrink-0 text-faint">{ago(row.updatedAt, now)}</span>
              </span>
              <span className="mono block truncate text-dim" title={row.workspace}>
                {visible(shortPath(row.workspace))}
              </span>
              <span className={cx('block truncate', row.denied > 0 ? 'text-fail' : 'text-dim')}>
                {countsOf(row)}
              </span>
            </Link>
          </li>
        ))}
        {hasNextPage ? (
          <li className="p-3 text-center">
            <Button onClick={() => void fetchNextPage()}>Show more</Button>
          </li>
        ) : null}
      </ul>
    </div>
  );
}
