import { createClient } from '@contract';
import { QueryClient } from '@tanstack/react-query';

export const client = createClient({ baseUrl: '', fetch: (url, init) => fetch(url, init) });

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 10_000, retry: 1, refetchOnWindowFocus: false },
  },
});
