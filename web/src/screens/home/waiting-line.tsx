import type { WaitingItem } from '@contract';
import { Link } from '@tanstack/react-router';
import { ago, capital, visible, waitingWords } from '@told';
import { ChevronRight } from 'lucide-react';
import { shortPath } from '../../model/paths.ts';
import { Risk } from '../../ui/risk.tsx';
import { useNow } from '../../ui/use-now.ts';

/** One thing to decide, and the way to it. */
export function WaitingLine({ item }: { item: WaitingItem }) {
  const { row, stepTitle, approval, waitingFor, question } = item;
  const now = useNow(true, 30_000);
  return (
    <li>
      <Link
        to="/runs/$id"
        params={{ id: row.id }}
        className="flex min-h-9 items-center gap-3 px-4 hover:bg-wait/8 max-md:px-3 max-md:py-1"
      >
        {approval === null ? (
          <span aria-hidden="true" className="w-3.5 text-center text-wait">
            ◆
          </span>
        ) : (
          <Risk level={approval.verdict.level} />
        )}
        <span className="flex min-w-0 flex-1 gap-x-3 max-md:flex-col">
          <span className="truncate font-medium">
            {visible(question ?? stepTitle ?? capital(waitingWords[waitingFor]))}
          </span>
          <span className="min-w-0 flex-1 truncate text-dim">{visible(row.goal)}</span>
        </span>
        <span className="mono text-faint max-md:hidden">{shortPath(row.workspace, 1)}</span>
        <span className="w-20 text-right text-faint">{ago(row.updatedAt, now)}</span>
        <ChevronRight size={14} className="text-faint" />
      </Link>
    </li>
  );
}
