import { Link } from '@tanstack/react-router';
import { ago, visible } from '@told';
import { CalendarClock, ChevronRight, MessageCircle, SquareKanban } from 'lucide-react';
import { isChat, isSchedule, isTask, keyOf, type Waits, wayTo, wordsOf } from '../../model/home.ts';
import { shortPath } from '../../model/paths.ts';
import { Risk } from '../../ui/risk.tsx';
import { useNow } from '../../ui/use-now.ts';

/** What has to be decided, the longest wait first. */
export function WaitingList({ waiting }: { waiting: readonly Waits[] }) {
  return (
    <section aria-label="Waiting for you" className="shrink-0 border-wait/50 border-b bg-wait-bg">
      <h2 className="px-4 pt-2.5 pb-1 font-semibold text-wait max-md:px-3">
        Waiting for you <span className="num font-normal">{waiting.length}</span>
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} className="max-h-[36vh] overflow-auto pb-1.5">
        {waiting.map((item) => (
          <WaitingLine key={keyOf(item)} item={item} />
        ))}
      </ul>
    </section>
  );
}

const look = 'flex min-h-9 items-center gap-3 px-4 hover:bg-wait/8 max-md:px-3 max-md:py-1';

/** One thing to decide, and the way to it. */
function WaitingLine({ item }: { item: Waits }) {
  const { row } = item;
  const { asks, about, risk } = wordsOf(item);
  const now = useNow(true, 30_000);
  const cells = (
    <>
      {risk === null ? (
        <span aria-hidden="true" className="w-3.5 text-center text-wait">
          ◆
        </span>
      ) : (
        <Risk level={risk} />
      )}
      <span className="flex min-w-0 flex-1 gap-x-3 max-md:flex-col">
        <span className="truncate font-medium">{visible(asks)}</span>
        <span className="flex min-w-0 flex-1 items-center gap-1.5 text-dim">
          {isChat(item) ? <MessageCircle size={13} aria-label="Conversation" className="shrink-0" /> : null}
          {isSchedule(item) ? <CalendarClock size={13} aria-label="Schedule" className="shrink-0" /> : null}
          {isTask(item) ? <SquareKanban size={13} aria-label="Task" className="shrink-0" /> : null}
          <span className="truncate">{visible(about)}</span>
        </span>
      </span>
      <span className="mono text-faint max-md:hidden">{shortPath(row.workspace, 1)}</span>
      <span className="w-20 text-right text-faint">{ago(row.updatedAt, now)}</span>
      <ChevronRight size={14} className="text-faint" />
    </>
  );
  return (
    <li>
      <Link {...wayTo(item)} className={look}>
        {cells}
      </Link>
    </li>
  );
}
