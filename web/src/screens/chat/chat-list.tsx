import { type ChatRow, dollars } from '@contract';
import { Link } from '@tanstack/react-router';
import { ago, count, visible } from '@told';
import { Plus, Search } from 'lucide-react';
import { useDeferredValue, useRef, useState } from 'react';
import { useChats } from '../../api/queries.ts';
import { shortPath } from '../../model/paths.ts';
import { useKeys } from '../../shell/keys.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { useNow } from '../../ui/use-now.ts';

const words: Record<ChatRow['state'], string> = {
  idle: '',
  answering: 'working',
  waiting: 'waits for you',
  planning: 'at a plan',
  closed: 'closed',
};

/** Conversations of all folders, the newest first; one that nobody has said anything in is none yet. */
export function ChatList({ current }: { current: string | null }) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { data, error, isPending, hasNextPage, fetchNextPage, refetch } = useChats(wanted);
  const rows = (data?.pages ?? [])
    .flatMap(({ chats }) => chats)
    .filter(({ turns, id }) => turns > 0 || id === current);
  const field = useRef<HTMLInputElement>(null);
  const now = useNow(true, 30_000);
  useKeys({ '/': () => field.current?.focus(), j: () => move(1), k: () => move(-1) });
  return (
    <nav aria-label="Conversations" className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-2 border-b px-3 py-2">
        <label className="flex h-7 min-w-0 flex-1 items-center gap-2 rounded-md border px-2 focus-within:border-line-strong focus-within:outline-2 focus-within:outline-text max-md:h-9">
          <Search size={14} className="shrink-0 text-faint" />
          <input
            ref={field}
            aria-label="Search conversations"
            placeholder="Search what was said"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-faint"
          />
        </label>
        <Link
          to="/chats"
          className="inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-text bg-text px-2.5 font-medium text-bg hover:opacity-90 max-md:h-9"
        >
          <Plus size={14} /> New
        </Link>
      </div>
      {error !== null && rows.length === 0 ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {isPending ? <Skeleton rows={6} /> : null}
      {data !== undefined && rows.length === 0 ? (
        <p className="p-4 text-dim">
          {wanted === '' ? 'No conversations yet.' : `Nothing was said about “${wanted}”.`}
        </p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to="/chats/$chat"
              params={{ chat: row.id }}
              aria-current={row.id === current ? 'page' : undefined}
              className={cx('block border-b px-3 py-2 hover:bg-hover', row.id === current && 'bg-sel')}
            >
              <span className="flex items-baseline gap-2">
                <span className="min-w-0 flex-1 truncate">
                  {row.title === '' ? 'New conversation' : visible(row.title)}
                </span>
                <span className="shrink-0 text-faint text-small">{ago(row.updatedAt, now)}</span>
              </span>
              <span className="flex items-baseline gap-2 text-faint text-small">
                <span className="mono min-w-0 truncate text-[11.5px]">
                  {visible(shortPath(row.workspace, 1))}
                </span>
                <span className="shrink-0">{count(row.turns, 'message')}</span>
                {row.costUsd > 0 ? (
                  <span className="num shrink-0 text-[11.5px]">{dollars(row.costUsd)}</span>
                ) : null}
                <span
                  className={cx(
                    'ml-auto shrink-0',
                    row.state === 'waiting' || row.waitingFor !== null ? 'text-wait' : 'text-dim',
                  )}
                >
                  {words[row.state]}
                </span>
              </span>
            </Link>
          </li>
        ))}
        {hasNextPage ? (
          <li className="p-2 text-center">
            <Button look="ghost" onClick={() => void fetchNextPage()}>
              Show older ones
            </Button>
          </li>
        ) : null}
      </ul>
    </nav>
  );
}

/** Along the conversations that can be opened, from the one that has the focus. */
function move(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>('nav[aria-label=Conversations] li a')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
}
