import type { RunRow, WaitingItem } from '@contract';
import { count } from '@told';
import { useState } from 'react';
import { ask, attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { choicesFor } from '../../model/home.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Choosing } from './choosing.ts';

const many = (verb: string, of: readonly unknown[]) => (of.length === 0 ? verb : `${verb} ${of.length}`);

interface ChoosingBarProps {
  /** Those that are shown. */
  rows: readonly RunRow[];
  waiting: readonly WaitingItem[];
  choosing: Choosing;
}

export function ChoosingBar({ rows, waiting, choosing }: ChoosingBarProps) {
  const [asked, setAsked] = useState<'cancel' | 'remove' | null>(null);
  const chosen = rows.filter(({ id }) => choosing.chosen.has(id));
  const { deny, cancel, remove } = choicesFor(chosen, waiting);
  const over = () => {
    setAsked(null);
    choosing.set([]);
    void queries.invalidateQueries({ queryKey: ['runs'] });
    void queries.invalidateQueries({ queryKey: ['waiting'] });
  };
  const denyAll = async () => {
    const sent = deny.map(({ id, approvalId }) =>
      ask(id, { type: 'approval-decided', approvalId, decision: 'deny' }),
    );
    await Promise.all(sent);
    over();
  };
  const cancelAll = async () => {
    await Promise.all(cancel.map((id) => ask(id, { type: 'cancel-requested' })));
    over();
  };
  const removeAll = async () => {
    const done = await attempt(() => client.removeRuns({ ids: remove }));
    if (done === null) return;
    const stay = done.stays.length;
    const left = stay === 0 ? '' : `; ${stay} stay, because what they started still runs`;
    say(`${count(done.removed.length, 'run')} deleted${left}`);
    over();
  };
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-2 border-t bg-surface px-4 py-2 max-md:px-3">
      <span role="status">
        <span className="num">{chosen.length}</span> chosen
      </span>
      <Button look="ghost" onClick={() => choosing.set(rows.map(({ id }) => id))}>
        Choose all that are shown
      </Button>
      <span className="mr-auto" />
      <Button disabled={deny.length === 0} onClick={() => void denyAll()}>
        {many('Deny', deny)}
      </Button>
      <Button disabled={cancel.length === 0} onClick={() => setAsked('cancel')}>
        {many('Cancel', cancel)}…
      </Button>
      <Button look="danger" disabled={remove.length === 0} onClick={() => setAsked('remove')}>
        {many('Delete', remove)}…
      </Button>
      {asked === null ? null : (
        <Dialog
          open
          onOpenChange={() => setAsked(null)}
          title={
            asked === 'cancel'
              ? `Cancel ${count(cancel.length, 'run')}?`
              : `Delete ${count(remove.length, 'run')}?`
          }
        >
          <div className="grid gap-3 p-4">
            <p className="text-dim">
              {asked === 'cancel'
                ? 'What runs now is ended, and none of them can be resumed. What they have changed stays.'
                : 'What is kept of them goes: their story, their output, and with it the way to undo them. What they have changed stays.'}
            </p>
            <div className="flex justify-end gap-2">
              <Button onClick={() => setAsked(null)}>Leave them</Button>
              <Button look="danger" onClick={() => void (asked === 'cancel' ? cancelAll() : removeAll())}>
                {asked === 'cancel' ? 'Cancel them' : 'Delete them'}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </footer>
  );
}
