import { stepState } from '@contract';
import { Link } from '@tanstack/react-router';
import { capital, pendingRequests, stepName } from '@told';
import { ask } from '../../api/ask.ts';
import { useTurn } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import type { Shown } from './shown.ts';

/** What was asked of the run and has not been acted on, and what it waits for. Nothing where nothing is under way. */
export function UnderWay({ shown: { id, run, live } }: { shown: Shown }) {
  const { waitsFor: turn } = useTurn(id, run);
  const pending = live ? pendingRequests(run) : [];
  // Nothing has begun yet: a Deny still overrules it.
  const approved =
    turn === null
      ? undefined
      : run.approvals.find(
          ({ status, stepId }) => status === 'granted' && stepState(run, stepId)?.status === 'pending',
        );
  if (pending.length === 0 && (turn === null || !live)) return null;
  return (
    <div
      role="status"
      aria-label="Under way"
      className="flex flex-wrap gap-x-4 border-b bg-surface px-4 py-1.5 max-md:px-3"
    >
      {pending.map(({ seq, text, by }) => (
        <span key={seq} className="min-w-0">
          <span
            aria-hidden="true"
            className="motion-breathe mr-2 inline-block size-1.5 rounded-full bg-text"
          />
          {text} <span className="text-faint">asked by {by}, not acted on yet</span>
        </span>
      ))}
      {approved === undefined ? null : (
        <span className="flex items-center gap-2">
          {capital(stepName(run.plan, approved.stepId))} was approved and has not begun.
          <Button
            onClick={() =>
              void ask(id, { type: 'approval-decided', approvalId: approved.id, decision: 'deny' })
            }
          >
            Deny it after all
          </Button>
        </span>
      )}
      {turn === null ? null : (
        <span className="min-w-0 text-wait">
          Waits for{' '}
          <Link to="/runs/$id" params={{ id: turn.run }} search={{}} className="underline underline-offset-4">
            “{turn.goal}”
          </Link>
          , which works in this folder
          {turn.pid === null ? '' : ` (process ${turn.pid})`}
        </span>
      )}
    </div>
  );
}
