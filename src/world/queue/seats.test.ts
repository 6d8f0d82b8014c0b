import type { Job, PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { openSeats } from './seats.ts';

type Asked = { what: 'fetch' | 'complete' | 'fail' | 'touch'; jobs: string[] | number };

/** A queue that writes down what it was asked. */
function queueOf(...waiting: string[]) {
  const asked: Asked[] = [];
  const isAsked = new Set<() => void>();
  const note = (one: Asked) => {
    asked.push(one);
    for (const tell of isAsked) tell();
  };
  const settling = (what: 'complete' | 'fail' | 'touch') => async (_: string, given: Job | Job[]) => {
    const jobs = Array.isArray(given) ? given : [given];
    note({ what, jobs: jobs.map(({ id }) => id) });
  };
  const boss = {
    async fetch(_: string, { batchSize }: { batchSize: number }) {
      note({ what: 'fetch', jobs: batchSize });
      return waiting.splice(0, batchSize).map((id) => ({ id, data: {} }));
    },
    complete: settling('complete'),
    fail: settling('fail'),
    touch: settling('touch'),
  };
  const until = async (isDue: (all: Asked[]) => boolean): Promise<void> => {
    while (!isDue(asked)) await new Promise<void>((resolve) => isAsked.add(resolve));
  };
  return { boss: boss as unknown as PgBoss, asked, until, waiting };
}

const working = () => {
  const under = new Map<string, PromiseWithResolvers<void>>();
  const perform = ({ id }: Job): Promise<void> => {
    const one = Promise.withResolvers<void>();
    under.set(id, one);
    return one.promise;
  };
  return { under, perform };
};

const hasTaken = (all: Asked[]) => all.some(({ what }) => what === 'fetch');
const queue = 'q';
const upTo = (count: number) => (atWork: number) => count - atWork;
const heartbeatSeconds = 3600;

it('takes as many as there are places in one question, and gives back at once what has ended at once', async () => {
  const { boss, asked, until } = queueOf('a', 'b', 'c', 'd', 'e');
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(4), heartbeatSeconds, perform });
  await until(hasTaken);
  await new Promise(setImmediate);
  expect([...under.keys()]).toEqual(['a', 'b', 'c', 'd']);
  for (const id of ['a', 'b', 'c']) under.get(id)!.resolve();
  await until((all) => all.length === 3);
  expect(asked).toEqual([
    { what: 'fetch', jobs: 4 },
    { what: 'complete', jobs: ['a', 'b', 'c'] },
    { what: 'fetch', jobs: 3 },
  ]);
  await new Promise(setImmediate);
  for (const id of ['d', 'e']) under.get(id)!.resolve();
  await places.stop();
});

it('asks for nothing while every place is taken, whatever is said', async () => {
  const { boss, asked, until } = queueOf('a', 'b');
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(1), heartbeatSeconds, perform });
  await until(hasTaken);
  for (let n = 0; n < 5; n += 1) {
    places.look();
    await new Promise(setImmediate);
  }
  expect(asked).toEqual([{ what: 'fetch', jobs: 1 }]);
  under.get('a')!.resolve();
  const stopping = places.stop();
  await stopping;
  expect(asked.at(-1)).toEqual({ what: 'complete', jobs: ['a'] });
});

it('asks at once where a place is free and something is said to be there', async () => {
  const { boss, until, waiting } = queueOf();
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(1), heartbeatSeconds, perform });
  await until(hasTaken);
  await new Promise(setImmediate);
  waiting.push('a');
  places.look();
  await until((all) => all.length === 2);
  await new Promise(setImmediate);
  expect([...under.keys()]).toEqual(['a']);
  under.get('a')!.resolve();
  await places.stop();
});

it('asks once more where something is said to be there while it asks', async () => {
  const { boss, asked, until } = queueOf();
  const { fetch } = boss;
  const answer = Promise.withResolvers<void>();
  boss.fetch = (async (...given: Parameters<typeof fetch>) => {
    const found = await fetch(...given);
    if (asked.length === 1) await answer.promise;
    return found;
  }) as unknown as PgBoss['fetch'];
  const places = openSeats(boss, { queue, room: upTo(1), heartbeatSeconds, perform: async () => {} });
  await until(hasTaken);
  places.look();
  answer.resolve();
  // Not when it would look by itself.
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  expect(asked).toHaveLength(2);
  await places.stop();
});

it('has what failed tried again, and nothing beside it', async () => {
  const { boss, asked, until } = queueOf('a', 'b');
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(2), heartbeatSeconds, perform });
  await until(hasTaken);
  await new Promise(setImmediate);
  under.get('a')!.reject(new Error('away'));
  under.get('b')!.resolve();
  await until((all) => all.some(({ what }) => what === 'fail'));
  expect(asked.filter(({ what }) => what !== 'fetch')).toEqual([
    { what: 'complete', jobs: ['b'] },
    { what: 'fail', jobs: ['a'] },
  ]);
  await places.stop();
});

it('says of all that it has that it lives, in one question', async () => {
  const { boss, until } = queueOf('a', 'b');
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(2), heartbeatSeconds: 0.01, perform });
  await until((all) => all.some(({ what, jobs }) => what === 'touch' && String(jobs) === 'a,b'));
  for (const one of under.values()) one.resolve();
  await places.stop();
});

it('that stops takes up nothing more, and waits for what is under way', async () => {
  const { boss, asked, until } = queueOf('a', 'b');
  const { under, perform } = working();
  const places = openSeats(boss, { queue, room: upTo(1), heartbeatSeconds, perform });
  await until(hasTaken);
  await new Promise(setImmediate);
  let isOver = false;
  const stopping = places.stop().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  under.get('a')!.resolve();
  await stopping;
  expect(asked).toEqual([
    { what: 'fetch', jobs: 1 },
    { what: 'complete', jobs: ['a'] },
  ]);
});

it('asks again after it could not be asked', async () => {
  const { boss, until } = queueOf();
  const { fetch } = boss;
  let isAway = true;
  boss.fetch = (async (...given: Parameters<typeof fetch>) => {
    if (!isAway) return fetch(...given);
    isAway = false;
    throw new Error('away');
  }) as unknown as PgBoss['fetch'];
  const places = openSeats(boss, { queue, room: upTo(1), heartbeatSeconds, perform: async () => {} });
  await new Promise(setImmediate);
  places.look();
  await until(hasTaken);
  await places.stop();
});
