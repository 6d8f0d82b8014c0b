import type { UndoView } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { capital, conflictWords, undoGroups, undoSummary, visible } from '@told';
import { useState } from 'react';
import { attempt, say } from '../../api/ask.ts';
import { client, queries } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Skeleton } from '../../ui/notice.tsx';

/** First what undo would do, then the button that does exactly that; then the run that does it. */
export function UndoDialog({ id, to, onClose }: { id: string; to?: string; onClose(): void }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [filesOnly, setFilesOnly] = useState(false);
  const [overwrite, setOverwrite] = useState<readonly string[]>([]);
  const choice = {
    ...(to === undefined ? {} : { to }),
    ...(filesOnly ? { filesOnly } : {}),
    ...(overwrite.length === 0 ? {} : { force: [...overwrite] }),
  };
  const { data, error } = useQuery({
    queryKey: ['undo', id, choice],
    queryFn: () => client.undoRun(id, { ...choice, dryRun: true }),
    gcTime: 0,
    retry: false,
    placeholderData: (before) => before,
  });
  const undo = async () => {
    setBusy(true);
    const made = await attempt(() => client.undoRun(id, choice));
    setBusy(false);
    if (made === null) return;
    void queries.invalidateQueries({ queryKey: ['diff', id] });
    void queries.invalidateQueries({ queryKey: ['related'] });
    onClose();
    if (made.run === null) return say('There was nothing to take back.');
    say(told(made.state));
    // What it does, and did, stands in its output.
    void navigate({ to: '/runs/$id', params: { id: made.run }, search: { tab: 'output' } });
  };
  const summary = data === undefined ? '' : undoSummary(data.restored, data.actions.length);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={to === undefined ? 'Undo what the run changed?' : 'Undo back to before this step?'}
    >
      {error !== null ? <p className="p-4 text-dim">{capital(error.message)}</p> : null}
      {data === undefined && error === null ? <Skeleton rows={4} /> : null}
      {data === undefined ? null : (
        <Foreseen
          view={data}
          filesOnly={filesOnly}
          onFilesOnly={setFilesOnly}
          overwrite={overwrite}
          onOverwrite={setOverwrite}
        />
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

/** An undo is a run of its own: what became of it so far. */
function told(state: UndoView['state']): string {
  if (state === 'done') return 'Undone.';
  if (state === 'waiting' || state === 'agreeing') return 'Nothing is undone yet: the undo waits for you.';
  return state === 'failed' || state === 'paused'
    ? 'The undo did not come to its end.'
    : 'The undo is going on.';
}

interface ForeseenProps {
  view: UndoView;
  /** Whose changes they are. */
  who?: 'run' | 'agent';
  filesOnly?: boolean;
  onFilesOnly?(on: boolean): void;
  overwrite: readonly string[];
  onOverwrite(paths: readonly string[]): void;
}

/** What an undo would do: what goes back, what is left alone unless it is ticked, and what it cannot reach. */
export function Foreseen({
  view,
  who = 'run',
  filesOnly = false,
  onFilesOnly,
  overwrite,
  onOverwrite,
}: ForeseenProps) {
  const { restored, conflicts, failed, beyond, actions } = view;
  const isNothing = [restored, conflicts, failed, beyond, actions].every((list) => list.length === 0);
  const toggle = (path: string) =>
    onOverwrite(overwrite.includes(path) ? overwrite.filter((each) => each !== path) : [...overwrite, path]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="grid gap-4 overflow-auto p-4">
      {isNothing ? <p className="text-dim">The {who} changed nothing that could be taken back.</p> : null}
      {actions.length === 0 && !filesOnly ? null : (
        <section>
          <h3 className="mb-1 font-medium">Perform the undo actions of the plan, first</h3>
          <ol className="grid gap-1">
            {actions.map(({ title, action }) => (
              <li key={title + action} className="text-dim">
                {title}
                <code className="mono block whitespace-pre-wrap text-text [overflow-wrap:anywhere]">
                  {visible(action)}
                </code>
              </li>
            ))}
          </ol>
          <label className="mt-1 flex items-center gap-2">
            <input
              type="checkbox"
              checked={filesOnly}
              onChange={(event) => onFilesOnly?.(event.target.checked)}
            />
            Files only: leave these actions out
          </label>
        </section>
      )}
      {undoGroups(restored, who).map(({ deed, title, paths }) => (
        <Paths key={deed} title={title} bad={deed === 'delete'} paths={paths.map((path) => ({ path }))} />
      ))}
      {conflicts.length === 0 && overwrite.length === 0 ? null : (
        <section>
          <h3 className="mb-1 font-medium">
            Left alone, unless you tick it <span className="num text-faint">{conflicts.length}</span>
          </h3>
          <ul className="max-h-48 overflow-auto">
            {[...overwrite.map((path) => ({ path, why: null })), ...conflicts]
              .slice(0, 500)
              .map(({ path, why }) => (
                <li key={path}>
                  <label className="flex gap-2">
                    <input type="checkbox" checked={overwrite.includes(path)} onChange={() => toggle(path)} />
                    <span className="min-w-0">
                      <span className="mono [overflow-wrap:anywhere]">{visible(path)}</span>{' '}
                      <span className="text-wait">
                        {why === null ? 'what is there now is overwritten' : conflictWords(why)}
                      </span>
                    </span>
                  </label>
                </li>
              ))}
          </ul>
        </section>
      )}
      <Paths title="Changed, and not covered by undo" paths={failed} />
      {beyond.length === 0 ? null : (
        <section>
          <h3 className="mb-1 font-medium">Beyond undo</h3>
          <ul className="text-dim">
            {beyond.map((sentence) => (
              <li key={sentence}>{visible(sentence)}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

interface PathsProps {
  title: string;
  bad?: boolean;
  paths: readonly { path: string; why?: string }[];
}

function Paths({ title, bad = false, paths }: PathsProps) {
  if (paths.length === 0) return null;
  return (
    <section>
      <h3 className={bad ? 'mb-1 font-medium text-fail' : 'mb-1 font-medium'}>
        {title} <span className="num text-faint">{paths.length}</span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} className="mono max-h-48 overflow-auto text-dim">
        {paths.slice(0, 500).map(({ path, why }) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            {visible(path)}
            {why === undefined ? null : <span className="text-faint"> · {why}</span>}
          </li>
        ))}
        {paths.length > 500 ? <li className="text-faint">… {paths.length - 500} more</li> : null}
      </ul>
    </section>
  );
}
