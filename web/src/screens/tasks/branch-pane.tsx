import type { TaskDiff, TaskView } from '@tasks';
import { count, visibleLines } from '@told';
import { useMemo } from 'react';
import { useTaskDiff } from '../../api/task-queries.ts';
import { branchFile } from '../../model/diff.ts';
import { commentsAt } from '../../model/task-view.ts';
import { DiffFileView } from '../../ui/diff-file.tsx';
import { Skeleton, Trouble } from '../../ui/notice.tsx';
import { CommentsBar } from './comments-bar.tsx';
import { Comments, useLineComments } from './line-comments.tsx';

type File = TaskDiff['files'][number];
/** So many files are open at first. */
const FEW = 20;

const signs: Record<File['status'], [sign: string, tone: string]> = {
  added: ['+', 'text-done'],
  deleted: ['−', 'text-fail'],
  modified: ['~', 'text-dim'],
  renamed: ['→', 'text-dim'],
  copied: ['+', 'text-done'],
  type: ['~', 'text-dim'],
};

/** What the branch changes against its base, with comments on its lines, and what the last review wants changed. */
export function BranchPane({ view }: { view: TaskView }) {
  const { state, row, id } = view;
  const version = `${state.phases.length} ${state.phases.at(-1)?.status} ${state.merged?.commit}`;
  const { data, error, refetch } = useTaskDiff(id, version, state.branch !== null);
  const whole = commentsAt(state.comments, 'branch', null, null);
  return (
    <>
      <CommentsBar view={view} on="branch" mode="request_changes" />
      {state.branch === null ? (
        <p className="p-4 text-faint">It has no branch yet: one is made when an agent begins.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div tabIndex={0} className="min-h-0 flex-1 overflow-auto">
          {state.review.length === 0 ? null : (
            <section aria-label="The last review" className="border-b px-4 py-2.5 max-md:px-3">
              <h2 className="font-medium text-wait">The last review wants changes</h2>
              <ol className="mt-1 list-decimal pl-5 text-dim">
                {state.review.map((one) => (
                  <li key={one} className="whitespace-pre-wrap">
                    {visibleLines(one)}
                  </li>
                ))}
              </ol>
            </section>
          )}
          {whole.length === 0 ? null : (
            <div className="border-b px-4 py-2.5">
              <Comments comments={whole} />
            </div>
          )}
          {data === undefined && error !== null ? (
            <Trouble error={error} retry={() => void refetch()} />
          ) : null}
          {data === undefined && error === null ? <Skeleton rows={5} /> : null}
          {data === undefined ? null : (
            <>
              <p className="px-4 py-1.5 text-faint max-md:px-3">
                {data.files.length === 0
                  ? 'The branch changes nothing.'
                  : count(data.files.length + data.more, 'file')}
              </p>
              <ul className="border-t">
                {data.files.map((file) => (
                  <BranchFile
                    key={file.path}
                    id={id}
                    file={file}
                    comments={state.comments}
                    open={data.files.length <= FEW}
                    fixed={row.statusKind === 'ended'}
                  />
                ))}
              </ul>
              {data.more === 0 ? null : <p className="p-4 text-faint">and {count(data.more, 'more file')}</p>}
            </>
          )}
        </div>
      )}
    </>
  );
}

interface BranchFileProps {
  id: string;
  file: File;
  comments: TaskView['state']['comments'];
  open: boolean;
  /** It is over: there is nobody to tell. */
  fixed: boolean;
}

function BranchFile({ id, file, comments, open, fixed }: BranchFileProps) {
  const commenting = useLineComments(id, 'branch', file.path, comments);
  const diff = useMemo(() => branchFile(file), [file]);
  const [sign, tone] = signs[file.status];
  return (
    <DiffFileView
      path={file.path}
      kind={file.from === null ? file.status : `${file.status} from ${file.from}`}
      sign={sign}
      tone={tone}
      diff={diff}
      open={open}
      {...(fixed ? {} : { comments: commenting })}
    />
  );
}
