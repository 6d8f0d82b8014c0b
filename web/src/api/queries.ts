import type { ChatRow, RunState, RunsFilter } from '@contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

export const useRuns = (filter: Omit<RunsFilter, 'cursor' | 'limit'>) =>
  useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) =>
      client.listRuns({ ...filter, limit: 100, ...(pageParam === '' ? {} : { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
  });

export const useWaiting = () =>
  useQuery({ queryKey: ['waiting'], queryFn: () => client.waiting(), staleTime: 0 });

export const useConfig = () => useQuery({ queryKey: ['config'], queryFn: () => client.getConfig() });
export const useModels = () => useQuery({ queryKey: ['models'], queryFn: () => client.getModels() });

/** Every step judged as things are, for a plan that is small enough to judge at once. */
export function usePreview(id: string, state: RunState | null) {
  const revision = state?.plan?.revision ?? -1;
  const steps = state?.plan?.steps.length ?? 0;
  return useQuery({
    queryKey: ['preview', id, revision],
    queryFn: () => client.previewRun(id),
    enabled: state !== null && steps > 0 && !state.ended,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const useExplanation = (command: string | null, cwd: string, workspace: string) =>
  useQuery({
    queryKey: ['explain', command, cwd],
    queryFn: () => client.explainRisk({ command: command ?? '', cwd, workspace }),
    enabled: command !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether it is due to do something and does not: then it may wait for its turn. */
const isDue = ({ inbox, status, inFlight, thinking }: RunState) =>
  inbox.length > 0 ||
  ((status === 'running' || status === 'recovering') && inFlight === null && thinking === null);

/** How often it is asked, in milliseconds: whoever works says so by what happens. */
const askedAgain = (state: RunState): number | false => {
  if (isDue(state)) return 1500;
  return state.status === 'running' || state.status === 'recovering' || state.status === 'planning'
    ? 5000
    : false;
};

/** What keeps a run from going on: another run in its folder, or that nobody drives it. Asked while it is to go on. */
export function useTurn(id: string, state: RunState) {
  const interval = askedAgain(state);
  const { data } = useQuery({
    queryKey: ['turn', id],
    queryFn: () => client.turnOfRun(id),
    enabled: interval !== false,
    refetchInterval: interval,
    staleTime: 0,
    gcTime: 0,
  });
  return {
    waitsFor: isDue(state) ? (data?.waitsFor ?? null) : null,
    undrivenSince: interval === false ? null : (data?.undrivenSince ?? null),
  };
}

/** What a brain would do about the failure that the run stands at. Asked once for each attempt and revision. */
export const useAdvice = (id: string, state: RunState, stepId: string, wanted: boolean) =>
  useQuery({
    queryKey: ['advice', id, stepId, state.plan?.revision, state.seq],
    queryFn: () => client.adviseRun(id),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });

/** Conversations, the newest first. */
export const useChats = (text: string) =>
  useInfiniteQuery({
    queryKey: ['chats', text],
    queryFn: async ({ pageParam }) => {
      const page = await client.listStreams({
        kind: 'chat',
        limit: 60,
        ...(text === '' ? {} : { text }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      });
      return { chats: page.streams as unknown as ChatRow[], next: page.next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
  });
