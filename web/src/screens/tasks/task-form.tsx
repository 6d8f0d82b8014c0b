import { type Priority, type ProjectView, type TaskKind, type TaskText, taskKindWords } from '@tasks';
import { capital } from '@told';
import { type FormEvent, useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { askTask } from '../../api/ask-task.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled, TextArea, TextField } from '../../ui/form.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const kinds = (['feature', 'bug'] as const).map((value) => ({ value, label: capital(taskKindWords[value]) }));
const priorities = (['low', 'normal', 'high', 'urgent'] as const).map((value) => ({
  value,
  label: capital(value),
}));

interface TaskFormProps {
  /** Where it may be made; of a task that is there, its project stays. */
  projects?: readonly ProjectView[];
  /** The one that is looked at. */
  project?: string | undefined;
  /** The task whose text is changed. */
  task?: { id: string; text: TaskText };
  onClose(): void;
}

/** A new task, or the text of one that is there. */
export function TaskForm({ projects = [], project: first, task, onClose }: TaskFormProps) {
  const [project, setProject] = useState(first ?? projects[0]?.row.id ?? '');
  const [title, setTitle] = useState(task?.text.title ?? '');
  const [description, setDescription] = useState(task?.text.description ?? '');
  const [kind, setKind] = useState<TaskKind>(task?.text.kind ?? 'feature');
  const [priority, setPriority] = useState<Priority>(task?.text.priority ?? 'normal');
  const [key] = useState(() => crypto.randomUUID());
  const [busy, setBusy] = useState(false);
  const create = async (text: TaskText): Promise<boolean> => {
    const made = await attempt(() => client.createTask({ project, text, key }));
    if (made === null) return false;
    void queries.invalidateQueries({ queryKey: ['tasks'] });
    say(`“${text.title}” is on the board. Nothing is done about it until you move it.`);
    return true;
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const text = { dependencies: [], ...task?.text, title: title.trim(), description, kind, priority };
    const done =
      task === undefined ? await create(text) : await askTask(task.id, { type: 'edit-requested', text });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog open onOpenChange={onClose} title={task === undefined ? 'New task' : 'Edit the task'}>
      <form className="grid gap-3 overflow-auto p-4" onSubmit={(event) => void save(event)}>
        <Labelled label="Title">
          <TextField
            required
            maxLength={300}
            value={title}
            placeholder="Add a --quiet flag"
            onChange={({ target }) => setTitle(target.value)}
          />
        </Labelled>
        <Labelled
          label="Description"
          note="What an agent has to know: what it is for, how you will see that it is done."
        >
          <TextArea rows={5} value={description} onChange={({ target }) => setDescription(target.value)} />
        </Labelled>
        <div className="flex flex-wrap items-center gap-3">
          <Segmented<TaskKind> label="Kind" value={kind} choices={kinds} onChange={setKind} />
          <Segmented<Priority>
            label="Priority"
            value={priority}
            choices={priorities}
            onChange={setPriority}
          />
        </div>
        {task !== undefined ? null : (
          <Labelled label="Project">
            <select
              value={project}
              onChange={({ target }) => setProject(target.value)}
              className="h-8 rounded-md border border-line-strong bg-code px-2 max-md:h-9"
            >
              {projects.map(({ row }) => (
                <option key={row.id} value={row.id}>
                  {row.name}
                </option>
              ))}
            </select>
          </Labelled>
        )}
        <div className="flex justify-end gap-2">
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            type="submit"
            disabled={busy || title.trim() === '' || (task === undefined && project === '')}
          >
            {task === undefined ? 'Create the task' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
