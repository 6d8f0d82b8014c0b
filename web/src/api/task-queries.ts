import { useQuery } from '@tanstack/react-query';
import type { AgentRunState, TaskRow } from '@tasks';
import { client } from './client.ts';

/**
 * Tasks, projects and agent runs are asked for whole, and again whenever the stream of rows says that one has changed
 * (rows.ts): a page has that one connection for all of them.
 */
export const useProjects = () =>
  useQuery({ queryKey: ['projects'], queryFn: async () => (await client.listProjects()).projects });

export const useTasks = () =>
  useQuery({
    queryKey: ['tasks'],
    queryFn: async (): Promise<TaskRow[]> => (await client.listTasks({})).tasks,
  });

export const taskQuery = (id: string) => ({ queryKey: ['task', id], queryFn: () => client.lookAtTask(id) });
/** A task with its ways on and its agent runs. Not `wanted`: only what is known of it already. */
export const useTask = (id: string, wanted = true) => useQuery({ ...taskQuery(id), enabled: wanted });

export const useAgentRun = (run: string | null) =>
  useQuery({
    queryKey: ['agent-run', run],
    queryFn: async () => (await client.getStream(run!)).state as unknown as AgentRunState,
    enabled: run !== null,
  });

/** `version`: what changes when the branch may have. */
export const useTaskDiff = (id: string, version: string, wanted: boolean) =>
  useQuery({
    queryKey: ['task-diff', id, version],
    queryFn: () => client.diffTask(id),
    enabled: wanted,
    retry: false,
    placeholderData: (before) => before,
  });
