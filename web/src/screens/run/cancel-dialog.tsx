import { useState } from 'react';
import { ask } from '../../api/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

export function CancelDialog({ id, onClose }: { id: string; onClose(): void }) {
  const [reason, setReason] = useState('');
  const cancel = async () => {
    const given = reason.trim();
    if (await ask(id, { type: 'cancel-requested', ...(given === '' ? {} : { reason: given }) })) onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title="Cancel this run?">
      <div className="grid gap-3 p-4">
        <p className="text-dim">
          What runs now is ended, and the run cannot be resumed. What it has changed stays; it can be undone
          afterwards.
        </p>
        <input
          aria-label="Reason"
          placeholder="Why (optional)"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          className="h-8 rounded-md border border-line-strong bg-bg px-2.5 placeholder:text-faint"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Let it go on</Button>
          <Button look="danger" onClick={() => void cancel()}>
            Cancel the run
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
