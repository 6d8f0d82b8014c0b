import { ApiError } from '@contract';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { type TaskSearch, type TaskTab, taskTabs } from '../../addresses.ts';
import { useTask } from '../../api/task-queries.ts';
import { tabOf } from '../../model/task-view.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { cx } from '../../ui/cx.ts';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { ContextPane } from './context-pane.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { PipelineDiagram } from './pipeline-diagram.tsx';
import { PlanPane } from './plan-pane.tsx';
import { QuestionBox } from './question-box.tsx';
import { TaskAside } from './task-aside.tsx';
import { TaskHeader } from './task-header.tsx';

const WorkPane = lazy(() => import('./work-pane.tsx').then((m) => ({ default: m.WorkPane })));
const AgentApprovals = lazy(() =>
  import('./agent-approval.tsx').then((m) => ({ default: m.AgentApprovals })),
);
const BranchPane = lazy(() => import('./branch-pane.tsx').then((m) => ({ default: m.BranchPane })));

const names: Record<TaskTab, string> = { plan: 'Plan', work: 'Work', changes: 'Changes', context: 'Context' };

export function TaskScreen() {
  const { task } = useParams({ from: '/tasks/$task' });
  return <TaskOf key={task} id={task} />;
}

function TaskOf({ id }: { id: string }) {
  const search = useSearch({ from: '/tasks/$task' });
  const navigate = useNavigate({ from: '/tasks/$task' });
  const { data: view, error, refetch } = useTask(id);
  const [merging, setMerging] = useState(false);
  useTitle(view?.state.text.title ?? 'Task');
  const go = (change: TaskSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  useKeys({
    b: () => void navigate({ to: '/tasks', search: {} }),
    ...Object.fromEntries(taskTabs.map((tab, at) => [String(at + 1), () => go({ tab })])),
  });
  if (view === undefined && error instanceof ApiError && error.status === 404)
    return (
      <Notice
        title="There is no such task"
        action={
          <Link to="/tasks" className="underline underline-offset-4">
            See all tasks
          </Link>
        }
      />
    );
  if (view === undefined && error !== null) return <Trouble error={error} retry={() => void refetch()} />;
  if (view === undefined) return <Skeleton rows={10} />;
  const { state } = view;
  const tab = search.tab ?? tabOf(state);
  return (
    <div className="flex h-full min-h-0 flex-col max-md:block max-md:overflow-auto">
      <TaskHeader view={view} onMerge={() => setMerging(true)} go={go} />
      {state.pipeline === null ? null : (
        <PipelineDiagram
          pipeline={state.pipeline}
          status={state.status}
          previous={state.previous}
          phases={state.phases}
        />
      )}
      {view.row.active === null ? null : (
        <Suspense fallback={null}>
          <AgentApprovals run={view.row.active.run} />
        </Suspense>
      )}
      {state.question === null ? null : <QuestionBox id={id} question={state.question.text} />}
      <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)_300px] max-lg:grid-cols-[minmax(0,1fr)_240px] max-md:grid-cols-[minmax(0,1fr)]">
        <div className="flex min-h-0 min-w-0 flex-col max-md:min-h-[70vh]">
          <div
            role="tablist"
            aria-label="What to see"
            className="flex h-9 shrink-0 items-end gap-0.5 overflow-x-auto border-b px-4 max-md:px-1"
          >
            {taskTabs.map((name) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={name === tab}
                aria-controls="pane"
                onClick={() => go({ tab: name })}
                className={cx(
                  '-mb-px h-9 shrink-0 border-b-2 px-2.5',
                  name === tab ? 'border-text text-text' : 'border-transparent text-dim hover:text-text',
                )}
              >
                {names[name]}
                <TabCount
                  n={name === 'work' ? state.phases.length : name === 'context' ? state.context.length : 0}
                />
              </button>
            ))}
          </div>
          <div
            id="pane"
            role="tabpanel"
            aria-labelledby={`tab-${tab}`}
            className="flex min-h-0 flex-1 flex-col"
          >
            <Suspense fallback={<Skeleton rows={5} />}>
              {tab === 'plan' ? <PlanPane view={view} /> : null}
              {tab === 'work' ? <WorkPane view={view} search={search} go={go} /> : null}
              {tab === 'changes' ? <BranchPane view={view} /> : null}
              {tab === 'context' ? <ContextPane state={state} /> : null}
            </Suspense>
          </div>
        </div>
        <TaskAside view={view} />
      </div>
      {merging ? <MergeDialog id={id} onClose={() => setMerging(false)} /> : null}
    </div>
  );
}

const TabCount = ({ n }: { n: number }) =>
  n === 0 ? null : <span className="num ml-1.5 text-faint">{n}</span>;
