import { expect, test } from 'vitest';
import { createClient } from './client.ts';

test('a stream ends for whoever leaves it as they hear that it is lost', async () => {
  const leaving = new AbortController();
  const client = createClient({ baseUrl: '', fetch: () => Promise.reject(new Error('nobody answers')) });
  const onConnection = () => leaving.abort();
  for await (const _ of client.watchStream('one', { signal: leaving.signal, onConnection })) expect.fail();
  expect(leaving.signal.aborted).toBe(true);
});
