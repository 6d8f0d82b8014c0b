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
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['runs'] });
    void queries.invalidateQueries({ queryKey: ['waiting'] });
  };
  /** At once, and not when it is done: what is chosen and asked meanwhile is something else. */
  const close = () => {
    setAsked(null);
    choosing.set([]);
  };
  const denyAll = async () => {
    const sent = deny.map(({ id, approvalId }) =>
      ask(id, { type: 'approval-decided', approvalId, decision: 'deny' }),
    );
    close();
    await Promise.all(sent);
    refresh();
  };
  const cancelAll = async () => {
    const sent = cancel.map((id) => ask(id, { type: 'cancel-requested' }));
    close();
    await Promise.all(sent);
    refresh();
  };
  const removeAll = async () => {
    const removing = attempt(() => client.removeRuns({ ids: remove }));
    close();
    const done = await removing;
    if (done === null) return;
    const stay = done.stays.length;
    const left = stay === 0 ? '' : `; ${stay} stay, because what they started still runs`;
    say(`${count(done.removed.length, 'run')} deleted${left}`);
    refresh();
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
