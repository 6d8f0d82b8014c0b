import type { TaskView } from '@tasks';
import { visible, visibleLines } from '@told';
import { commentsAt } from '../../model/task-view.ts';
import { cx } from '../../ui/cx.ts';
import { LineList } from '../../ui/line-list.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { CommentsBar } from './comments-bar.tsx';
import { Comments, useLineComments } from './line-comments.tsx';

/** What is wanted, and how an agent means to do it: a line can be commented on. */
export function PlanPane({ view }: { view: TaskView }) {
  const { state, id } = view;
  const { plan, text, planSummary, comments } = state;
  const commenting = useLineComments(id, 'plan', null, comments);
  const whole = commentsAt(comments, 'plan', null, null);
  return (
    <>
      <CommentsBar view={view} on="plan" mode="plan_revision" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div tabIndex={0} className={cx('min-h-0 flex-1 overflow-auto', plan !== null && 'bg-code')}>
        {plan === null ? (
          <div className="max-w-190 p-4 max-md:p-3">
            {text.description === '' ? null : <RichText text={text.description} />}
            <p className="mt-3 text-faint">
              {text.kind === 'bug' ? 'Nothing has been found out about it yet.' : 'There is no plan yet.'}{' '}
              Where an agent plans it, the plan stands here and you can comment on its lines.
            </p>
          </div>
        ) : (
          <>
            {planSummary === null ? null : (
              <p className="border-b bg-bg px-4 py-2.5 text-dim max-md:px-3">{visibleLines(planSummary)}</p>
            )}
            <LineList
              label="Plan"
              wrap
              lines={plan.split('\n').map((line, at) => ({
                text: visible(line) || ' ',
                line: at + 1,
                ...(/^#{1,6} /.test(line) ? { tone: 'font-semibold text-text' } : { tone: 'text-dim' }),
              }))}
              {...(view.row.statusKind === 'ended' ? {} : { comments: commenting })}
            />
            {whole.length === 0 ? null : (
              <div className="px-4 py-3">
                <Comments comments={whole} />
              </div>
            )}
          </>
        )}
      </div>
    </>
  );
}
