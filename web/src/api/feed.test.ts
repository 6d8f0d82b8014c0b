import { setImmediate as turn } from 'node:timers/promises';
import { ApiError, initialRunState, leanRun } from '@contract';
import { afterEach, expect, test, vi } from 'vitest';
import { client } from './client.ts';
import { openFeed } from './feed.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a past that the server does not give is asked for once, and not again and again', async () => {
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('cancelAnimationFrame', () => {});
  vi.spyOn(client, 'lookAtRun').mockResolvedValue({
    ...({} as Awaited<ReturnType<typeof client.lookAtRun>>),
    seq: 5,
    state: leanRun(initialRunState),
  });
  vi.spyOn(client, 'watchRun').mockImplementation(async function* (_id, { signal } = {}) {
    yield* [];
    await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  });
  const gone = new ApiError(404, { error: { code: 'no-such-run', message: 'There is no such run.' } });
  const past = vi.spyOn(client, 'getEvents').mockImplementation(async () => {
    await turn();
    throw gone;
  });
  const { store, close } = openFeed('one');
  store.getState().whole();
  await vi.waitFor(() => expect(past).toHaveBeenCalled(), { timeout: 60_000 });
  for (let n = 0; n < 20; n += 1) await turn();
  expect(past).toHaveBeenCalledTimes(1);
  close();
});
