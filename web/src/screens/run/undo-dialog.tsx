import type { UndoView } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '@told';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/notice.tsx';

/** First what undo would do, then the button that does exactly that. */
export function UndoDialog({ id, to, onClose }: { id: string; to?: string; onClose(): void }) {
  const [busy, setBusy] = useState(false);
  const target = to === undefined ? {} : { to };
  const { data, error } = useQuery({
    queryKey: ['undo', id, to],
    queryFn: () => client.undoRun(id, { ...target, dryRun: true }),
    gcTime: 0,
    retry: false,
  });
  const undo = async () => {
    setBusy(true);
    const done = await attempt(() => client.undoRun(id, target));
    setBusy(false);
    if (done === null) return;
    say(`${count(done.restored.length, 'path')} restored`);
    void queries.invalidateQueries({ queryKey: ['diff', id] });
    onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title="Undo what the run changed?">
      {error !== null ? <p className="p-4 text-dim">{error.message}</p> : null}
      {data === undefined && error === null ? <Skeleton rows={4} /> : null}
      {data === undefined ? null : <Foreseen view={data} />}
      <div className="flex justify-end gap-2 border-t p-3">
        <Button onClick={onClose}>Leave it</Button>
        <Button
          look="danger"
          disabled={busy || data === undefined || data.restored.length === 0}
          onClick={() => void undo()}
        >
          {data === undefined ? 'Restore' : `Restore ${count(data.restored.length, 'path')}`}
        </Button>
      </div>
    </Dialog>
  );
}

function Foreseen({ view }: { view: UndoView }) {
  const nothing = view.restored.length === 0 && view.conflicts.length === 0 && view.beyond.length === 0;
  return (
    <div className="grid gap-4 overflow-auto p-4">
      {nothing ? <p className="text-dim">The run changed nothing that could be restored.</p> : null}
      <Paths title="Put back as it was before the run" paths={view.restored.map((path) => ({ path }))} />
      <Paths title="Left alone: changed since by somebody else" paths={view.conflicts} />
      <Paths title="Cannot be restored" paths={view.failed} />
      {view.beyond.length === 0 ? null : (
        <section>
          <h3 className="mb-1 font-medium">Beyond undo</h3>
          <ul className="text-dim">
            {view.beyond.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Paths({ title, paths }: { title: string; paths: readonly { path: string; why?: string }[] }) {
  if (paths.length === 0) return null;
  return (
    <section>
      <h3 className="mb-1 font-medium">
        {title} <span className="num text-faint">{paths.length}</span>
      </h3>
      <ul className="mono max-h-48 overflow-auto text-dim">
        {paths.slice(0, 500).map(({ path, why }) => (
          <li key={path}>
            {path}
            {why === undefined ? null : <span className="text-faint"> · {why}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
