import { useQuery } from '@tanstack/react-query';
import { count } from '@told';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { diffLines } from '../../../model/diff.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton, Trouble } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import type { PaneProps } from './pane.ts';

const sign = { added: '+', removed: '−', modified: '~', mode: '~', 'type-changed': '~' } as const;
const most = 4000;

export function ChangesPane({ shown, stepId }: PaneProps) {
  const [scope, setScope] = useState<'step' | 'run'>('step');
  const attempts = shown.run.steps.reduce((sum, step) => sum + step.attempts, 0);
  const { data, error, refetch } = useQuery({
    queryKey: ['diff', shown.id, scope === 'step' ? stepId : null, attempts, shown.run.status],
    queryFn: () => client.diffRun(shown.id, scope === 'step' ? { step: stepId } : {}),
    retry: false,
  });
  const lines = data === undefined ? [] : diffLines(data.text);
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
        <div className="min-h-0 flex-1 overflow-auto">
          {data.files.length === 0 && data.uncovered.length === 0 ? (
            <p className="p-4 text-faint">Nothing in the workspace was changed.</p>
          ) : null}
          <ul className="mono px-4 py-2">
            {data.files.slice(0, 1000).map(({ path, kind }) => (
              <li key={path}>
                <span
                  aria-hidden="true"
                  className={cx(
                    'mr-2',
                    kind === 'added' ? 'text-done' : kind === 'removed' ? 'text-fail' : 'text-dim',
                  )}
                >
                  {sign[kind]}
                </span>
                {path} <span className="text-faint">{kind}</span>
              </li>
            ))}
            {data.uncovered.map(({ path, why }) => (
              <li key={path} className="text-dim">
                <span aria-hidden="true" className="mr-2">
                  ?
                </span>
                {path} <span className="text-faint">{why}</span>
              </li>
            ))}
          </ul>
          {lines.length === 0 ? null : (
            <pre className="mono overflow-x-auto border-t bg-code py-2">
              {lines.slice(0, most).map(({ kind, text }, at) => (
                <div
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
                  key={at}
                  className={cx(
                    'min-w-max px-4',
                    kind === 'add' && 'bg-done-bg text-done',
                    kind === 'del' && 'bg-fail-bg text-fail',
                    kind === 'hunk' && 'text-faint',
                    kind === 'file' && 'mt-2 font-medium text-text first:mt-0',
                    kind === 'same' && 'text-dim',
                  )}
                >
                  {text || ' '}
                </div>
              ))}
              {lines.length > most ? (
                <p className="px-4 text-faint">… {lines.length - most} more lines</p>
              ) : null}
            </pre>
          )}
        </div>
      )}
    </div>
  );
}
