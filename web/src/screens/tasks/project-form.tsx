import type { ProjectSettings, ProjectView } from '@tasks';
import { type FormEvent, useId, useState } from 'react';
import { attempt } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { useConfig } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled, TextArea, TextField } from '../../ui/form.tsx';
import { useTypedFolder, WorkspaceField } from '../new/workspace-field.tsx';

/** Agents that come with the program; there may be others. */
const agents = ['planwright', 'scripted:happy', 'scripted:asks', 'scripted:picky'];

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
/** What a folder is called, as far as a project may be called that. */
const nameOf = (path: string) =>
  (path.split('/').findLast((part) => part !== '') ?? '').replaceAll(/[^\w.-]+/g, '-');

/** A new project, or the settings of one that is there. */
export function ProjectForm({ project, onClose }: { project?: ProjectView; onClose(): void }) {
  const list = useId();
  const { data: config, isPending } = useConfig();
  const given = project?.settings;
  const [path, setPath] = useState<string | null>(null);
  const folder = path ?? config?.workspace ?? '';
  const typed = useTypedFolder(folder);
  const [name, setName] = useState<string | null>(given?.name ?? null);
  const called = name ?? nameOf(typed?.folder ?? folder);
  const [validation, setValidation] = useState((given?.validationCommands ?? []).join('\n'));
  const [setup, setSetup] = useState((given?.setupCommands ?? []).join('\n'));
  const [agent, setAgent] = useState(given?.agents?.default ?? 'planwright');
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const settings: ProjectSettings = {
      ...given,
      name: called,
      validationCommands: linesOf(validation),
      setupCommands: linesOf(setup),
      agents: { ...given?.agents, default: agent.trim() },
    };
    const done = await attempt<unknown>(() =>
      project === undefined
        ? client.createProject({ path: folder, settings })
        : client.changeProject(project.row.id, { settings }),
    );
    setBusy(false);
    if (done === null) return;
    void queries.invalidateQueries({ queryKey: ['projects'] });
    onClose();
  };
  const isBad = project === undefined && typed !== undefined && typed.folder === null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={project === undefined ? 'New project' : `Settings of ${project.row.name}`}
    >
      <form className="grid gap-3 overflow-auto p-4" onSubmit={(event) => void save(event)}>
        {project === undefined ? (
          <WorkspaceField
            text={folder}
            typed={typed}
            pending={isPending}
            whose="its agents"
            onChange={setPath}
          />
        ) : (
          <p className="mono text-dim [overflow-wrap:anywhere]">{project.row.workspace}</p>
        )}
        <Labelled label="Name">
          <TextField required value={called} onChange={({ target }) => setName(target.value)} />
        </Labelled>
        <Labelled
          label="Validation commands"
          note="One a line. They run after an agent has changed something; what does not pass goes back to it."
        >
          <TextArea
            rows={2}
            className="mono"
            value={validation}
            placeholder="npm test"
            onChange={({ target }) => setValidation(target.value)}
          />
        </Labelled>
        <Labelled label="Set-up commands" note="One a line. They run once in a new worktree.">
          <TextArea
            rows={1}
            className="mono"
            value={setup}
            placeholder="npm ci"
            onChange={({ target }) => setSetup(target.value)}
          />
        </Labelled>
        <Labelled
          label="Agent"
          note="planwright works with the models that are set up here; scripted:happy tries the pipeline without one."
        >
          <TextField
            required
            list={list}
            className="mono"
            value={agent}
            onChange={({ target }) => setAgent(target.value)}
          />
        </Labelled>
        <datalist id={list}>
          {agents.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <div className="flex justify-end gap-2">
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            type="submit"
            disabled={busy || called === '' || agent.trim() === '' || isBad || folder.trim() === ''}
          >
            {project === undefined ? 'Add the project' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
