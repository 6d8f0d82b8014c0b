import type { GuardRow } from '@guard';
import { Link } from '@tanstack/react-router';
import { visible } from '@told';
import { ChevronLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useGuardedSession } from '../../api/guard-queries.ts';
import { agentNames, callsShown, countsOf } from '../../model/guard-view.ts';
import { shortPath } from '../../model/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { CallLine } from './call-line.tsx';
import { GuardUndoDialog } from './guard-undo-dialog.tsx';

const PAGE = 200;

/** One session: every call with its verdict, the newest first, and the way to take it all back. */
export function SessionView({ id }: { id: string }) {
  const { data, error, refetch } = useGuardedSession(id);
  const [objectedOnly, setObjectedOnly] = useState(false);
  const [shown, setShown] = useState(PAGE);
  const [undoing, setUndoing] = useState(false);
  const calls = useMemo(
    () => callsShown(data?.state.calls ?? [], objectedOnly),
    [data?.state.calls, objectedOnly],
  );
  if (data === undefined)
    return error === null ? <Skeleton rows={8} /> : <Trouble error={error} retry={() => void refetch()} />;
  const { row, state } = data;
  return (
    <div className="flex min-h-0 min-w-0 flex-col">
      <SessionHeader row={row}>
        <label className="flex items-center gap-2 whitespace-nowrap">
          <input
            type="checkbox"
            checked={objectedOnly}
            onChange={({ target }) => setObjectedOnly(target.checked)}
          />
          Objections only
        </label>
        <Button
          disabled={state.marks.length === 0}
          title={state.marks.length === 0 ? 'No checkpoint was taken since the last undo' : undefined}
          onClick={() => setUndoing(true)}
        >
          Undo…
        </Button>
      </SessionHeader>
      {calls.length === 0 ? <p className="p-4 text-dim">Nothing was objected to.</p> : null}
      <ol aria-label="Calls" className="min-h-0 flex-1 overflow-auto">
        {calls.slice(0, shown).map((call) => (
          <CallLine key={call.seq} call={call} session={id} workspace={row.workspace} />
        ))}
        {calls.length > shown ? (
          <li className="p-3 text-center">
            <Button onClick={() => setShown(shown + PAGE)}>Show {calls.length - shown} older</Button>
          </li>
        ) : null}
      </ol>
      {undoing ? <GuardUndoDialog id={id} onClose={() => setUndoing(false)} /> : null}
    </div>
  );
}

function SessionHeader({ row, children }: { row: GuardRow; children: React.ReactNode }) {
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-2.5 max-md:px-3">
      <Link
        to="/guard"
        aria-label="All sessions"
        className="hidden size-9 shrink-0 items-center justify-center rounded-md text-dim max-md:inline-flex"
      >
        <ChevronLeft size={18} />
      </Link>
      <div className="min-w-44 flex-1">
        <h2 className="truncate font-semibold">
          {agentNames[row.agent]} <span className="mono font-normal text-faint">{visible(row.session)}</span>
        </h2>
        <p className="truncate text-dim">
          <span className="mono" title={row.workspace}>
            {visible(shortPath(row.workspace))}
          </span>{' '}
          · {countsOf(row)}
        </p>
      </div>
      {children}
    </header>
  );
}
