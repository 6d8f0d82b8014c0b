import { createClient } from '@contract';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { once } from './once.ts';
import { noteLock } from './server.ts';

export const client = createClient({ baseUrl: '', fetch: once((url, init) => fetch(url, init)) });

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: noteLock }),
  defaultOptions: {
    queries: {
      // The server is this machine: a browser that believes to be offline still reaches it.
      networkMode: 'always',
      staleTime: 10_000,
      retry: (failures, error) => !noteLock(error) && failures < 1,
      refetchOnWindowFocus: false,
    },
  },
});
