import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { BoardSearch } from '../../addresses.ts';
import { useProjects, useTasks } from '../../api/task-queries.ts';
import { filtered } from '../../model/board.ts';
import { useTitle } from '../../shell/announcer.tsx';
import { useKeys } from '../../shell/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Notice, Skeleton, Trouble } from '../../ui/notice.tsx';
import { Board } from './board.tsx';
import { BoardHeader } from './board-header.tsx';
import { ProjectForm } from './project-form.tsx';
import { TaskForm } from './task-form.tsx';

export function BoardScreen() {
  useTitle('Tasks');
  const search = useSearch({ from: '/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  const projects = useProjects();
  const tasks = useTasks();
  const go = (change: BoardSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const kept = useMemo(() => projects.data?.filter(({ row }) => row.state === 'kept') ?? [], [projects.data]);
  const make = () => go({ new: kept.length === 0 ? 'project' : 'task' });
  useKeys({ n: make });
  const shown = useMemo(() => filtered(tasks.data ?? [], search), [tasks.data, search]);
  const error = tasks.error ?? projects.error;
  const again = () => void Promise.all([tasks.refetch(), projects.refetch()]);
  const isKnown = tasks.data !== undefined && projects.data !== undefined;
  return (
    <div className="flex h-full flex-col">
      <BoardHeader search={search} go={go} projects={kept} rows={tasks.data ?? []} onNew={make} />
      {!isKnown && error !== null ? <Trouble error={error} retry={again} /> : null}
      {!isKnown && error === null ? <Skeleton rows={8} /> : null}
      {isKnown && tasks.data.length === 0 ? <Empty hasProject={kept.length > 0} make={make} /> : null}
      {isKnown && tasks.data.length > 0 && shown.length === 0 ? (
        <Notice
          title={search.mine ? 'Nothing waits for you' : 'No task is like that'}
          action={<Button onClick={() => void navigate({ search: {} })}>Show all tasks</Button>}
        />
      ) : null}
      {isKnown && shown.length > 0 ? <Board all={tasks.data} shown={shown} projects={kept} /> : null}
      {search.new === 'task' && projects.data !== undefined ? (
        <TaskForm projects={kept} project={search.project} onClose={() => go({ new: undefined })} />
      ) : null}
      {search.new === 'project' ? <ProjectForm onClose={() => go({ new: undefined })} /> : null}
    </div>
  );
}

function Empty({ hasProject, make }: { hasProject: boolean; make(): void }) {
  return hasProject ? (
    <Notice
      title="No tasks yet"
      action={
        <Button look="primary" hint="n" onClick={make}>
          New task
        </Button>
      }
    >
      Say what you want of the project. An agent plans it, you read the plan; another implements it on a
      branch of its own, and nothing is merged before you say so.
    </Notice>
  ) : (
    <Notice
      title="No project yet"
      action={
        <Button look="primary" hint="n" onClick={make}>
          New project
        </Button>
      }
    >
      A project is a git repository. Coding agents work on its tasks in worktrees of their own: your checkout
      stays as it is.
    </Notice>
  );
}
