import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client } from '../../api/client.ts';
import { givenInputs } from '../../model/inputs.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InputsForm } from '../new/inputs-form.tsx';
import type { Shown } from './shown.ts';

/** The same plan again: whole, from what failed, or as a file. A new run waits for agreement like any other. */
export function useAgain({ id, run }: Shown) {
  const navigate = useNavigate();
  const open = (made: { id: string } | null) => {
    if (made !== null) void navigate({ to: '/runs/$id', params: { id: made.id }, search: {} });
  };
  const failed = run.steps.find(({ status }) => status === 'failed' || status === 'interrupted')?.id ?? null;
  return {
    failed,
    repeat: async (inputs?: Record<string, string>) =>
      open(await attempt(() => client.repeatRun(id, inputs === undefined ? {} : { inputs }))),
    fromFailed: async () => {
      if (failed !== null) open(await attempt(() => client.forkRun(id, { stepId: failed })));
    },
    download: async () => {
      const file = await attempt(() => client.planFile(id));
      if (file === null) return;
      if (file.text === null) return say('There is no plan yet.', true);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([file.text], { type: 'text/yaml' }));
      link.download = `${id}.plan.yaml`;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  };
}

export function AgainDialog({ shown, onClose }: { shown: Shown; onClose(): void }) {
  const inputs = shown.run.plan?.inputs ?? [];
  const before = shown.run.options?.inputs ?? {};
  const open = inputs.filter(({ secret }) => secret !== true).map(({ name }) => [name, before[name] ?? '']);
  const [typed, setTyped] = useState<Record<string, string>>(Object.fromEntries(open));
  const { repeat } = useAgain(shown);
  return (
    <Dialog open onOpenChange={onClose} title="Run again with other inputs">
      <form
        className="grid gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void repeat(givenInputs(inputs, typed));
        }}
      >
        <InputsForm inputs={inputs} typed={typed} onChange={setTyped} />
        <p className="text-faint">
          A secret that is left empty stays what it was. You see the plan before anything is run.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Leave it</Button>
          <Button look="primary" type="submit">
            Show the plan
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
