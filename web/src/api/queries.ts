import type { RunState, RunsFilter } from '@contract';
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
    enabled: state !== null && steps > 0 && steps <= 500 && !state.ended,
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

/** What keeps a run from going on: another run in its folder. Asked while something is due. */
export function useTurn(id: string, state: RunState) {
  const { data } = useQuery({
    queryKey: ['turn', id],
    queryFn: () => client.turnOfRun(id),
    enabled: isDue(state),
    refetchInterval: 1500,
    staleTime: 0,
    gcTime: 0,
  });
  return isDue(state) ? (data?.waitsFor ?? null) : null;
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
