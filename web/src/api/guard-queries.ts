import type { GuardRow, GuardState } from '@guard';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client } from './client.ts';

/** Sessions of other agents, the newest first. Asked for anew whenever the stream of rows says that one has changed (rows.ts). */
export const useGuarded = (text: string) =>
  useInfiniteQuery({
    queryKey: ['guarded', text],
    queryFn: async ({ pageParam }) => {
      const page = await client.listStreams({
        kind: 'guard',
        limit: 60,
        ...(text === '' ? {} : { text }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      });
      return { sessions: page.streams as unknown as GuardRow[], next: page.next };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: (before) => before,
  });

export const useGuardedSession = (id: string) =>
  useQuery({
    queryKey: ['guarded-session', id],
    queryFn: async () => {
      const { row, state } = await client.getStream(id);
      return { row: row as unknown as GuardRow, state: state as unknown as GuardState };
    },
  });
