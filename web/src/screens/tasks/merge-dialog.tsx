import { type MergeHow, mergeWords } from '@tasks';
import { visible } from '@told';
import { useEffect, useState } from 'react';
import { askTask } from '../../api/ask-task.ts';
import { useTask, useTaskDiff } from '../../api/task-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Segmented } from '../../ui/segmented.tsx';

const meaning: Record<MergeHow, string> = {
  merge: 'Every commit of the branch, and a merge commit.',
  squash: 'One commit with all that the branch changes.',
  'pull-request':
    'It is pushed to the remote, where others see it, and gh opens a pull request. Once that is merged, merge here.',
};
const labels: Record<MergeHow, string> = {
  merge: 'Merge it',
  squash: 'Squash and merge it',
  'pull-request': 'Push it and ask',
};

/** Asked before a branch is merged. It is merged whole or not at all: what stands in the way is shown here. */
export function MergeDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useTask(id);
  const [how, setHow] = useState<MergeHow>('merge');
  const [asked, setAsked] = useState(false);
  const state = data?.state;
  const { baseBranch: base, remote } = state?.phases.at(-1)?.given.repository ?? {};
  const pushesTo = useTaskDiff(id, 'merge', remote != null).data?.pushesTo ?? null;
  const isMerging = state?.merging != null;
  const isDone =
    state?.merged != null || (how === 'pull-request' && state?.pullRequest?.commit === state?.seen);
  const failure = asked && !isMerging ? state?.mergeFailure : null;
  const merge = async () => {
    setAsked(true);
    const to = how === 'pull-request' && pushesTo !== null ? { to: pushesTo } : {};
    if (!(await askTask(id, { type: 'merge-requested', how, ...to }))) setAsked(false);
  };
  useEffect(() => {
    if (asked && isDone) onClose();
  }, [asked, isDone, onClose]);
  return (
    <Dialog open onOpenChange={onClose} title="Merge the branch">
      <div className="grid gap-3 p-4">
        <p className="text-dim">
          <span className="mono text-text [overflow-wrap:anywhere]">{visible(state?.branch ?? '')}</span> goes
          into{' '}
          {base === undefined ? (
            'the branch that the repository has checked out'
          ) : (
            <span className="mono text-text">{visible(base)}</span>
          )}
          .
        </p>
        <Segmented<MergeHow>
          label="How to merge"
          value={how}
          choices={[
            { value: 'merge', label: 'Merge' },
            { value: 'squash', label: 'Squash' },
            ...(remote == null || pushesTo === null
              ? []
              : [{ value: 'pull-request' as const, label: 'Pull request' }]),
          ]}
          onChange={setHow}
        />
        <p className="text-dim">{meaning[how]}</p>
        {how === 'pull-request' && pushesTo !== null ? (
          <p className="text-dim">
            To <span className="mono text-text [overflow-wrap:anywhere]">{visible(pushesTo)}</span>
          </p>
        ) : null}
        {failure == null ? null : <MergeFailure failure={failure} />}
        <div className="flex justify-end gap-2">
          <Button look="ghost" onClick={onClose}>
            Not now
          </Button>
          <Button look="primary" disabled={isMerging || isDone} onClick={() => void merge()}>
            {isMerging ? 'Merging…' : labels[how]}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Why it was not merged, with the files that two have changed. */
export function MergeFailure({ failure }: { failure: Parameters<typeof mergeWords>[0] }) {
  return (
    <div role="alert" className="rounded-md border border-fail/50 bg-fail-bg px-3 py-2">
      <p className="text-fail">{visible(mergeWords(failure))}</p>
      {failure.conflicts.length === 0 ? null : (
        <ul aria-label="Conflicts" className="mono mt-1 grid gap-0.5">
          {failure.conflicts.map((path) => (
            <li key={path} className="[overflow-wrap:anywhere]">
              {visible(path)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
