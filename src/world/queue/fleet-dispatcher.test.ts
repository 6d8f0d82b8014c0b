import type { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { createFleetDispatcher } from './fleet-dispatcher.ts';

/** A queue of which a test says when it answers. */
function slowBoss() {
  const sent: { stream: string; arrive(): void; fail(why: Error): void }[] = [];
  const arrivals = Promise.withResolvers<void>();
  const boss: Pick<PgBoss, 'insert' | 'fetch' | 'getQueue' | 'createQueue'> = {
    insert: (async (_queue: string, jobs: { data: { stream: string } }[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const stream = jobs.map(({ data }) => data.stream).join(' ');
      sent.push({ stream, arrive: resolve, fail: reject });
      arrivals.resolve();
      await promise;
      return null;
    }) as unknown as PgBoss['insert'],
    fetch: async () => [],
    getQueue: async () => null,
    createQueue: async () => {},
  };
  return { boss: boss as unknown as PgBoss, sent, isAsked: arrivals.promise };
}

it('sends a stream again that is dispatched while an earlier one has no answer yet: that one may be active by then', async () => {
  const { boss, sent, isAsked } = slowBoss();
  const { dispatch, stop } = createFleetDispatcher(
    Promise.resolve(boss),
    { schema: 'q', host: 'here', heartbeatSeconds: 3600 },
    {
      concurrency: 1,
      clock: { now: () => 0, sleepUntil: async () => {} },
      drive: async () => ({}),
      onError: (_, error) => {
        throw error;
      },
    },
  );
  dispatch('a');
  await isAsked;
  for (const stream of ['a', 'a']) dispatch(stream);
  const stopping = stop();
  sent[0]!.arrive();
  await new Promise(setImmediate);
  // Two that came meanwhile are one.
  expect(sent.map(({ stream }) => stream)).toEqual(['a', 'a']);
  sent[1]!.arrive();
  await stopping;
  expect(sent).toHaveLength(2);
});

it('sends a stream that is dispatched while an earlier one is under way, though that one does not arrive', async () => {
  const { boss, sent, isAsked } = slowBoss();
  const errors: unknown[] = [];
  const { dispatch, stop } = createFleetDispatcher(
    Promise.resolve(boss),
    { schema: 'q', host: 'here', heartbeatSeconds: 3600 },
    {
      concurrency: 1,
      clock: { now: () => 0, sleepUntil: async () => {} },
      drive: async () => ({}),
      onError: (_, error) => errors.push(error),
    },
  );
  dispatch('a');
  await isAsked;
  dispatch('a');
  const away = new Error('the database was away');
  sent[0]!.fail(away);
  await new Promise(setImmediate);
  expect(errors).toEqual([away]);
  expect(sent.map(({ stream }) => stream)).toEqual(['a', 'a']);
  sent[1]!.arrive();
  await stop();
});

it('sends at once what is dispatched at once, each once', async () => {
  const { boss, sent, isAsked } = slowBoss();
  const { dispatch, stop } = createFleetDispatcher(
    Promise.resolve(boss),
    { schema: 'q', host: 'here', heartbeatSeconds: 3600 },
    {
      concurrency: 1,
      clock: { now: () => 0, sleepUntil: async () => {} },
      drive: async () => ({}),
      onError: (_, error) => {
        throw error;
      },
    },
  );
  for (const stream of ['a', 'b', 'a', 'c']) dispatch(stream);
  await isAsked;
  const stopping = stop();
  sent[0]!.arrive();
  await stopping;
  expect(sent.map(({ stream }) => stream)).toEqual(['a b c']);
});
