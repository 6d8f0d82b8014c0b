import { useQuery } from '@tanstack/react-query';
import { capital, undoneSummary, undoSummary } from '@told';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/notice.tsx';
import { Foreseen } from '../run/undo-dialog.tsx';

/** First what taking the session back would do, then the button that does exactly that. */
export function GuardUndoDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const [overwrite, setOverwrite] = useState<readonly string[]>([]);
  const choice = overwrite.length === 0 ? {} : { force: [...overwrite] };
  const { data, error } = useQuery({
    queryKey: ['guarded-undo', id, choice],
    queryFn: () => client.undoGuarded(id, { ...choice, dryRun: true }),
    gcTime: 0,
    retry: false,
    placeholderData: (before) => before,
  });
  const undo = async () => {
    setBusy(true);
    const made = await attempt(() => client.undoGuarded(id, choice));
    setBusy(false);
    if (made === null) return;
    void queries.invalidateQueries({ queryKey: ['guarded-session', id] });
    onClose();
    say(capital(undoneSummary(made.restored)) || 'There was nothing to take back.');
  };
  const summary = data === undefined ? '' : undoSummary(data.restored);
  return (
    <Dialog open onOpenChange={onClose} title="Undo what the agent changed?">
      {error !== null ? <p className="p-4 text-dim">{capital(error.message)}</p> : null}
      {data === undefined && error === null ? <Skeleton rows={4} /> : null}
      {data === undefined ? null : (
        <Foreseen view={data} who="agent" overwrite={overwrite} onOverwrite={setOverwrite} />
      )}
      <div className="flex flex-wrap justify-end gap-2 border-t p-3">
        <Button onClick={onClose}>Leave it</Button>
        <Button look="danger" disabled={busy || summary === ''} onClick={() => void undo()}>
          {summary === '' ? 'Undo' : capital(summary)}
        </Button>
      </div>
    </Dialog>
  );
}
