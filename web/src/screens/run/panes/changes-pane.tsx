import type { ChangedFile } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { count, visible } from '@told';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client.ts';
import { diffFiles } from '../../../model/diff.ts';
import { DiffFileView } from '../../../ui/diff-file.tsx';
import { Skeleton, Trouble } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import type { PaneProps } from './pane.ts';

export const changeSign = {
  added: '+',
  removed: '−',
  modified: '~',
  mode: '~',
  'type-changed': '~',
} as const;
export const changeTone = (kind: ChangedFile['kind']): string =>
  kind === 'added' ? 'text-done' : kind === 'removed' ? 'text-fail' : 'text-dim';
/** So many files are open at first. */
const few = 20;

export function ChangesPane({ shown, stepId }: PaneProps) {
  const [scope, setScope] = useState<'step' | 'run'>('step');
  const attempts = shown.run.steps.reduce((sum, step) => sum + step.attempts, 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['diff', shown.id, scope === 'step' ? stepId : null, attempts, shown.run.status],
    queryFn: () => client.diffRun(shown.id, scope === 'step' ? { step: stepId } : {}),
    retry: false,
  });
  const diffs = useMemo(() => new Map(diffFiles(data?.text ?? '').map((file) => [file.path, file])), [data]);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex h-11 shrink-0 items-center gap-3 border-b px-4 max-md:px-3">
        <Segmented<'step' | 'run'>
          label="Whose changes"
          value={scope}
          choices={[
            { value: 'step', label: 'This step' },
            { value: 'run', label: 'Whole run' },
          ]}
          onChange={setScope}
        />
        <span className="text-faint">{data === undefined ? '' : count(data.files.length, 'file')}</span>
      </div>
      {error !== null ? <Trouble error={error} retry={() => void refetch()} /> : null}
      {data === undefined && error === null ? <Skeleton rows={5} /> : null}
      {data === undefined ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="min-h-0 flex-1 overflow-auto">
          {data.files.length === 0 && data.uncovered.length === 0 ? (
            <p className="p-4 text-faint">Nothing in the workspace was changed.</p>
          ) : null}
          <ul>
            {data.files.slice(0, 1000).map((file) => (
              <DiffFileView
                key={file.path}
                path={file.path}
                kind={file.kind}
                sign={changeSign[file.kind]}
                tone={changeTone(file.kind)}
                diff={diffs.get(file.path)}
                open={data.files.length <= few}
              />
            ))}
            {data.uncovered.map(({ path, why }) => (
              <li key={path} className="mono border-b px-4 py-1.5 text-dim max-md:px-3">
                <span aria-hidden="true" className="mr-2">
                  ?
                </span>
                {visible(path)} <span className="text-faint">{why}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
