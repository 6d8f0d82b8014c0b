import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { App } from '../app/app.ts';
import { serveMcp } from './stdio.ts';

test('whoever is told to end before the client is served ends', async () => {
  const streams = {
    cursor: async () => '',
    changedSince: async () => ({ cursor: '', streams: [] }),
    changedAny: async (_: string, signal: AbortSignal) =>
      void (signal.aborted || (await once(signal, 'abort'))),
    due: async () => [],
  };
  const app = { config: { values: { concurrency: 1 } }, fleet: null, streams } as unknown as App;
  const errors: unknown[] = [];
  await serveMcp({
    ...{ app, env: {}, version: '0', pageUrl: async () => '' },
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    onError: (_, error) => errors.push(error),
    signal: AbortSignal.abort(),
  });
  expect(errors).toEqual([]);
});
