import { dollars } from '@contract';
import { Link } from '@tanstack/react-router';
import type { TaskView } from '@tasks';
import { visible } from '@told';
import { type ReactNode, useState } from 'react';
import { askTask } from '../../api/ask-task.ts';
import { useProjects, useTasks } from '../../api/task-queries.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { RichText } from '../../ui/rich-text.tsx';
import { TaskForm } from './task-form.tsx';

/** What a task is about and what belongs to it. */
export function TaskAside({ view }: { view: TaskView }) {
  const { id, state, row } = view;
  const { text, subtasks, branch, worktree, rescued, merged, pullRequest } = state;
  const project = useProjects().data?.find((one) => one.row.id === state.project);
  const [editing, setEditing] = useState(false);
  const isOver = row.statusKind === 'ended';
  const done = subtasks.filter((one) => one.done).length;
  return (
    <aside
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="About this task"
      className="grid min-h-0 content-start gap-4 overflow-auto border-l px-4 py-3 max-md:border-t max-md:border-l-0 max-md:px-3"
    >
      {subtasks.length === 0 ? null : (
        <Part title="Subtasks" note={`${done}/${subtasks.length}`}>
          <ul className="grid gap-1">
            {subtasks.map(({ title, done: isDone }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a subtask is known by its number
              <li key={index}>
                <label className="flex items-baseline gap-2">
                  <input
                    type="checkbox"
                    checked={isDone}
                    disabled={isOver}
                    onChange={({ target }) =>
                      void askTask(id, { type: 'subtask-requested', index, done: target.checked })
                    }
                    className="size-3.5 shrink-0 translate-y-0.5 accent-(--text)"
                  />
                  <span className={cx('[overflow-wrap:anywhere]', isDone && 'text-faint line-through')}>
                    {visible(title)}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {text.description === '' || state.plan === null ? null : (
        <Part title="Description">
          <RichText text={text.description} />
        </Part>
      )}
      <Dependencies ids={text.dependencies} />
      <Part
        title="Details"
        action={
          isOver ? undefined : (
            <Button look="ghost" className="h-6 px-1.5" onClick={() => setEditing(true)}>
              Edit…
            </Button>
          )
        }
      >
        <dl className="grid gap-1.5">
          <Detail name="Project">{project === undefined ? '' : visible(project.row.name)}</Detail>
          <Detail name="Cost">
            <span className="num">{dollars(row.costUsd)}</span>
          </Detail>
          {branch === null ? null : (
            <Detail name="Branch">
              <span className="mono">{visible(branch)}</span>
            </Detail>
          )}
          {worktree === null ? null : (
            <Detail name="Worktree">
              <span className="mono">{visible(worktree)}</span>
            </Detail>
          )}
          {pullRequest === null ? null : (
            <Detail name="Pull request">
              <a
                href={pullRequest.url}
                target="_blank"
                rel="noreferrer"
                className="underline [overflow-wrap:anywhere]"
              >
                {visible(pullRequest.url)}
              </a>
            </Detail>
          )}
          {merged === null ? null : (
            <Detail name={merged.how === 'squash' ? 'Squashed as' : 'Merged as'}>
              <span className="mono">{merged.commit.slice(0, 12)}</span>
            </Detail>
          )}
          {rescued.length === 0 ? null : (
            <Detail name="Uncommitted work, kept">
              {rescued.map((ref) => (
                <span key={ref} className="mono block">
                  {visible(ref)}
                </span>
              ))}
            </Detail>
          )}
        </dl>
      </Part>
      {editing ? <TaskForm task={{ id, text }} onClose={() => setEditing(false)} /> : null}
    </aside>
  );
}

interface PartProps {
  title: string;
  note?: string;
  action?: ReactNode;
  children: ReactNode;
}

function Part({ title, note, action, children }: PartProps) {
  return (
    <section className="min-w-0">
      <div className="mb-1 flex min-h-6 items-center justify-between gap-2">
        <h2 className="font-medium">
          {title}{' '}
          {note === undefined ? null : <span className="num ml-1 font-normal text-faint">{note}</span>}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

const Detail = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-faint text-small">{name}</dt>
    <dd className="[overflow-wrap:anywhere]">{children}</dd>
  </div>
);

/** Tasks that have to be through before this one. */
function Dependencies({ ids }: { ids: readonly string[] }) {
  const rows = useTasks().data ?? [];
  if (ids.length === 0) return null;
  return (
    <Part title="Depends on">
      <ul className="grid gap-1">
        {ids.map((id) => {
          const row = rows.find((one) => one.id === id);
          return (
            <li key={id}>
              <Link
                to="/tasks/$task"
                params={{ task: id }}
                className="underline underline-offset-4 [overflow-wrap:anywhere]"
              >
                {row === undefined ? id : visible(row.title)}
              </Link>{' '}
              <span className="text-faint">{row?.statusTitle}</span>
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
