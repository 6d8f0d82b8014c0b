import type { ChangedFile } from '@contract';
import { useQuery } from '@tanstack/react-query';
import { count, visible } from '@told';
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client.ts';
import { type DiffFile, diffFiles } from '../../../model/diff.ts';
import { cx } from '../../../ui/cx.ts';
import { Skeleton, Trouble } from '../../../ui/notice.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import type { PaneProps } from './pane.ts';

const sign = { added: '+', removed: '−', modified: '~', mode: '~', 'type-changed': '~' } as const;
/** So many lines of a file are shown at first, and so many files are open. */
const most = 400;
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
              <File key={file.path} file={file} diff={diffs.get(file.path)} open={data.files.length <= few} />
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

interface FileProps {
  file: ChangedFile;
  diff: DiffFile | undefined;
  open: boolean;
}

/** One file, which folds; only so much of it is drawn at once. */
function File({ file: { path, kind }, diff, open: first }: FileProps) {
  const [open, setOpen] = useState(first && (diff?.lines.length ?? 0) <= most);
  const [shown, setShown] = useState(most);
  const lines = diff?.lines ?? [];
  return (
    <li className="border-b">
      <button
        type="button"
        aria-expanded={open}
        disabled={lines.length === 0}
        onClick={() => setOpen(!open)}
        className="mono sticky top-0 z-10 flex min-h-8 w-full items-center gap-2 bg-bg px-4 text-left enabled:hover:bg-surface max-md:px-3"
      >
        <ChevronRight
          size={13}
          className={cx('shrink-0 text-faint', open && 'rotate-90', lines.length === 0 && 'invisible')}
        />
        <span
          aria-hidden="true"
          className={kind === 'added' ? 'text-done' : kind === 'removed' ? 'text-fail' : 'text-dim'}
        >
          {sign[kind]}
        </span>
        <span className="min-w-0 [overflow-wrap:anywhere]">{visible(path)}</span>
        <span className="text-faint">{kind}</span>
        {diff === undefined || lines.length === 0 ? null : (
          <span className="ml-auto whitespace-nowrap">
            <span className="text-done">+{diff.added}</span>{' '}
            <span className="text-fail">−{diff.removed}</span>
          </span>
        )}
      </button>
      {open && lines.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre tabIndex={0} className="mono overflow-x-auto border-t bg-code py-1.5">
          {lines.slice(0, shown).map(({ kind: how, text }, at) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
              key={at}
              className={cx(
                'min-w-max px-4',
                how === 'add' && 'bg-done-bg text-done',
                how === 'del' && 'bg-fail-bg text-fail',
                how === 'hunk' && 'text-faint',
                how === 'same' && 'text-dim',
              )}
            >
              {visible(text) || ' '}
            </div>
          ))}
          {lines.length > shown ? (
            <button
              type="button"
              className="px-4 text-faint hover:text-text"
              onClick={() => setShown(shown + 2000)}
            >
              … {lines.length - shown} more lines
            </button>
          ) : null}
        </pre>
      ) : null}
    </li>
  );
}
