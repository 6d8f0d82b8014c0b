import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/doors/app/app.ts';
import type { Asker } from '../../src/doors/app/asker.ts';
import { startDrivers } from '../../src/doors/app/drivers.ts';
import { driveAll } from '../../src/doors/app/worker.ts';
import { eventually } from '../support/processes.ts';
import { ana, someone } from '../support/someone.ts';
import { beginToy, drivableToys } from '../support/toy-app.ts';
import type { ToyPorts } from '../support/toy-kind.ts';
import { checkedClient, refusal } from './checked.ts';
import { serve, tempFolder } from './support.ts';

/** A kind that is no plan run, through the doors. */

const add = { type: 'add-requested', amount: 1 };
const never = (_: number, signal: AbortSignal) =>
  new Promise<boolean>((resolve) => signal.addEventListener('abort', () => resolve(false)));

async function open(count?: ToyPorts['count'], home = tempFolder('home')) {
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home };
  const app = await openApp({ env, cwd: tempFolder('work'), drivables: [drivableToys(count)] });
  onTestFinished(() => app.close());
  const begin = (id: string, more: Parameters<typeof beginToy>[2] = {}) =>
    beginToy(app.places.data, id, more);
  const types = async (id: string) =>
    (await app.streams.read(id, 0)).map(({ event }) => event.type as string);
  const stateOf = async (id: string) => (await app.streams.row(id))?.state;
  return { app, home, begin, types, stateOf };
}

it('a worker drives what is due, and what its end makes due', async () => {
  const { app, begin, stateOf } = await open();
  await begin('parent', { child: 'child', childTarget: 3, money: 10 });
  await begin('naps', { napUntil: Number.MAX_SAFE_INTEGER });
  const rested: string[] = [];
  const errors: unknown[] = [];
  const drive = () =>
    driveAll(app, {
      onRest: ({ id, state }) => rested.push(`${id} ${state}`),
      onError: (_, error) => errors.push(error),
    });
  for (let round = 0; round < 3; round++) await drive();
  expect({ rested, errors }).toEqual({
    rested: ['parent waiting', 'child ended', 'parent ended'],
    errors: [],
  });
  expect(await app.streams.row('parent')).toMatchObject({ spending: { usd: 5 } });
  expect(await stateOf('naps')).toBe('napping');
});

it('drivers take up what others begin, ask and leave behind, and pass a stop on', async () => {
  const { app, begin, stateOf, types } = await open(never);
  const drivers = startDrivers(app, { onError: () => {}, courtesyMs: 0, lookMs: 50 });
  onTestFinished(() => drivers.stop());
  await begin('parent', { child: 'child' });
  await eventually(async () => (await types('child')).includes('count-started'), 'both are taken up');
  expect(await stateOf('parent')).toBe('waiting');
  await app.streams.request('parent', { type: 'stop-requested' }, { by: someone });
  drivers.dispatch('parent');
  await eventually(async () => (await stateOf('parent')) === 'ended', 'both are stopped');
  const asked = (await app.streams.read('child', 0)).find(
    ({ event }) => (event.type as string) === 'stop-requested',
  );
  expect(asked?.event).toMatchObject({ by: ana });
  expect(await types('parent')).toEqual(
    expect.arrayContaining(['child-begun', 'child-cancelled', 'child-ended']),
  );
});

it('another process goes on where a driver was stopped in the middle', async () => {
  const first = await open(never);
  await first.begin('toy', { target: 2 });
  const driving = first.app.streams.drive('toy');
  await eventually(async () => (await first.types('toy')).includes('count-started'), 'it counts');
  const second = await open(undefined, first.home);
  expect(await second.app.streams.drive('toy')).toMatchObject({ why: 'claimed', by: { pid: process.pid } });
  await first.app.streams.request('toy', add, { by: someone });
  await first.app.close();
  await driving.catch(() => {});
  expect(await second.app.streams.drive('toy')).toMatchObject({ why: 'finished', state: { counted: 3 } });
  expect((await second.types('toy')).filter((type) => type === 'count-lost')).toHaveLength(1);
});

it('whoever may not ask writes nothing, and what is no request is none', async () => {
  const { app, begin, types } = await open();
  await begin('toy');
  const reader: Asker = { actor: ana, scope: 'read' };
  const asker: Asker = { actor: ana, scope: 'ask' };
  for (const [body, by, code] of [
    [add, asker, 'not-allowed'],
    [{ type: 'stop-requested' }, reader, 'not-allowed'],
    [{ type: 'toy-ended' }, someone, 'usage'],
  ] as const)
    await expect(app.streams.request('toy', body, { by })).rejects.toMatchObject({ code });
  expect(await types('toy')).toEqual(['toy-begun']);
});

it('the API shows, follows and asks a stream of any kind, its secrets hidden', async () => {
  const secret = 'qZ8vX2pLr4Tn7Wk1';
  const served = await serve({ drivables: [drivableToys()], courtesyMs: 0, lookMs: 50 });
  const { app, url } = served;
  const { client } = checkedClient(url);
  await beginToy(app.places.data, 'toy', { target: 3, secret });
  await beginToy(app.places.data, 'naps', { napUntil: Number.MAX_SAFE_INTEGER });
  await eventually(async () => (await app.streams.row('toy'))?.state === 'ended', 'it is driven');

  expect((await client.listStreams({ kind: 'toy', limit: 1 })).next).not.toBeNull();
  expect((await client.listStreams({ state: 'ended,none' })).streams.map(({ id }) => id)).toEqual(['toy']);
  expect((await client.listStreams({ kind: 'run' })).streams).toEqual([]);
  expect((await client.listRuns({})).runs).toEqual([]);

  const view = await client.getStream('toy');
  expect(view).toMatchObject({ id: 'toy', row: { state: 'ended' }, state: { counted: 3 } });
  const page = await client.getStreamEvents('toy', { after: 0 });
  expect(page.last).toBe(view.seq);
  expect(JSON.stringify([view, page])).not.toContain(secret);
  expect(page.events[0]!.event).toMatchObject({ type: 'toy-begun', secret: expect.any(String) });

  const from = page.last - 1;
  const answer = await served.fetch('/api/streams/toy/stream', { headers: { 'last-event-id': `${from}` } });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (part: string) => {
    while (!text.includes(part)) text += (await reader.read()).value ?? '';
  };
  await until('toy-ended');
  const { seq } = await client.askOfStream('toy', { request: { type: 'add-requested', amount: 1 } });
  expect(seq).toBe(page.last + 1);
  await until('toy-refused');
  await reader.cancel();
  expect(text.match(/^id: \d+$/gm)![0]).toBe(`id: ${page.last}`);
  expect(text).not.toContain(secret);

  expect(await refusal(client.getStream('none'))).toMatchObject({ status: 404, code: 'no-such-stream' });
  expect(await refusal(client.getRun('toy'))).toMatchObject({ status: 404 });
  const forged = client.askOfStream('toy', { request: { type: 'toy-ended' } });
  expect(await refusal(forged)).toMatchObject({ status: 400 });
});
