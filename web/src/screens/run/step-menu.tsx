import type { Step, StepState } from '@contract';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { ask, attempt } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { stepChoices } from '../../model/modes.ts';
import { IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { EditAction } from './dock/edit-action.tsx';
import { editStep } from './dock/use-edit.ts';
import type { Shown } from './shown.ts';
import { UndoDialog } from './undo-dialog.tsx';

/** What can be asked about one step, whatever the run is doing. */
export function StepMenu({ shown, step, state }: { shown: Shown; step: Step; state: StepState }) {
  const { id, run } = shown;
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'undo' | null>(null);
  const may = stepChoices(run, state);
  const fork = async () => {
    const made = await attempt(() => client.forkRun(id, { stepId: step.id }));
    if (made !== null) void navigate({ to: '/runs/$id', params: { id: made.id }, search: {} });
  };
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More about this step" disabled={!shown.live} className="-my-1 size-6.5!">
            <Ellipsis size={14} />
          </IconButton>
        }
        items={[
          { label: 'Edit it…', disabled: !may.edit, onSelect: () => setOpen('edit') },
          {
            label: 'Skip it',
            disabled: !may.skip,
            onSelect: () => void ask(id, { type: 'skip-requested', stepId: step.id }),
          },
          {
            label: 'Attempt it again',
            disabled: !may.retry,
            onSelect: () => void ask(id, { type: 'retry-requested', stepId: step.id }),
          },
          null,
          { label: 'New run from here', onSelect: () => void fork() },
          {
            label: 'Undo back to before it…',
            disabled: !may.undo,
            danger: true,
            onSelect: () => setOpen('undo'),
          },
        ]}
      />
      {open === 'undo' ? <UndoDialog id={id} to={step.id} onClose={() => setOpen(null)} /> : null}
      {open === 'edit' ? (
        <Dialog open onOpenChange={() => setOpen(null)} title={`Edit “${step.title}”`}>
          <div className="p-4">
            <EditAction
              step={step}
              saveLabel="Change the step"
              onCancel={() => setOpen(null)}
              onSave={(action) => void editStep(shown, step, action).then((sent) => sent && setOpen(null))}
            />
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
