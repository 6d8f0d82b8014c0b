import type { PlanProblem } from '@contract';
import { type FormEvent, useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { useConfig } from '../../api/queries.ts';
import { writtenInputs } from '../../model/inputs.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled, TextArea, TextField } from '../../ui/form.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Problems } from '../new/problems.tsx';
import { useTypedFolder, WorkspaceField } from '../new/workspace-field.tsx';

type OnAsk = 'park' | 'fail' | 'deny';
type Missed = 'once' | 'skip';

interface ScheduleFormProps {
  onClose(): void;
  onAdded(id: string): void;
}

/** A new schedule. Adding it agrees to what the file says. */
export function ScheduleForm({ onClose, onAdded }: ScheduleFormProps) {
  const { data: config, isPending } = useConfig();
  const [path, setPath] = useState<string | null>(null);
  const folder = path ?? config?.workspace ?? '';
  const typed = useTypedFolder(folder);
  const [file, setFile] = useState('');
  const [cron, setCron] = useState('0 3 * * *');
  const [tz, setTz] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [onAsk, setOnAsk] = useState<OnAsk>('park');
  const [missed, setMissed] = useState<Missed>('once');
  const [inputs, setInputs] = useState('');
  const [problems, setProblems] = useState<readonly PlanProblem[]>([]);
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const given = writtenInputs(inputs);
    const wanted = { file, workspace: folder, cron, tz, onAsk, missed, inputs: given };
    const done = await attempt(() => client.createSchedule({ ...wanted, key: crypto.randomUUID() }));
    setBusy(false);
    if (done === null) return;
    setProblems(done.problems);
    if (done.id === null) return;
    void queries.invalidateQueries({ queryKey: ['schedules'] });
    onAdded(done.id);
  };
  return (
    <Dialog open onOpenChange={onClose} title="New schedule">
      <form className="grid gap-3 overflow-auto p-4" onSubmit={(event) => void save(event)}>
        <WorkspaceField text={folder} typed={typed} pending={isPending} whose="its runs" onChange={setPath} />
        <Labelled
          label="Plan file or runbook"
          note="What it says now is what you agree to. Where it changes, the schedule waits for you."
        >
          <TextField
            required
            className="mono"
            value={file}
            placeholder="plan.yaml"
            onChange={({ target }) => setFile(target.value)}
          />
        </Labelled>
        <Problems problems={problems} />
        <Labelled label="Inputs" note="name=value, one a line, where the plan asks for some.">
          <TextArea
            rows={1}
            className="mono"
            value={inputs}
            onChange={({ target }) => setInputs(target.value)}
          />
        </Labelled>
        <Labelled label="Times" note="Minute, hour, day of the month, month, day of the week.">
          <TextField
            required
            className="mono"
            value={cron}
            onChange={({ target }) => setCron(target.value)}
          />
        </Labelled>
        <Labelled label="Time zone">
          <TextField required className="mono" value={tz} onChange={({ target }) => setTz(target.value)} />
        </Labelled>
        <div className="grid gap-1">
          <span className="text-dim text-small">Where a person is needed</span>
          <Segmented<OnAsk>
            label="Where a person is needed"
            value={onAsk}
            onChange={setOnAsk}
            choices={[
              { value: 'park', label: 'It waits' },
              { value: 'fail', label: 'It fails' },
              { value: 'deny', label: 'It is denied' },
            ]}
          />
        </div>
        <div className="grid gap-1">
          <span className="text-dim text-small">Times when nobody was there</span>
          <Segmented<Missed>
            label="Times when nobody was there"
            value={missed}
            onChange={setMissed}
            choices={[
              { value: 'once', label: 'One run for all' },
              { value: 'skip', label: 'Skipped' },
            ]}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            type="submit"
            disabled={busy || file.trim() === '' || typed?.folder === null}
          >
            Agree and add
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
