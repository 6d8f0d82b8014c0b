import { expect, it, onTestFinished } from 'vitest';
import { defaultOptions, type Plan } from '../../src/core/contract/index.ts';
import { openApp } from '../../src/doors/app/app.ts';
import { driveAll } from '../../src/doors/app/worker.ts';
import { eventually } from '../support/processes.ts';
import { someone } from '../support/someone.ts';
import { beginToy, drivableToys } from '../support/toy-app.ts';
import { tempFolder } from './support.ts';

/** What happens around an activation: what opens it, ends it, and asks for it. */

async function appWith(given: Parameters<typeof openApp>[0] = {}) {
  const home = tempFolder('home');
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home };
  const workspace = tempFolder('work');
  const app = await openApp({ env, cwd: workspace, ...given });
  onTestFinished(() => app.close());
  return { app, workspace };
}

const planOf = (...commands: string[]): Plan => ({
  goal: 'g',
  shell: 'bash',
  revision: 0,
  steps: commands.map((command, at) => ({
    id: `s${at + 1}`,
    title: `t${at}`,
    action: { kind: 'run-command', command },
  })),
});
const options = { ...defaultOptions, mode: 'planner' as const, onAsk: 'fail' as const };

it('a stream whose activation could not be opened is free for the next one', async () => {
  let isBroken = true;
  const toys = drivableToys();
  const { app } = await appWith({
    drivables: [
      {
        ...toys,
        async open(...given) {
          if (isBroken) throw new Error('not now');
          return toys.open(...given);
        },
      },
    ],
  });
  await beginToy(app.places.data, 'toy', {});
  await expect(app.streams.drive('toy')).rejects.toThrow('not now');
  isBroken = false;
  expect(await app.streams.drive('toy')).toMatchObject({ why: 'finished' });
});

it('closing waits for what is driven: only then may another have the folder', async () => {
  let hasEnded = false;
  const { app } = await appWith({
    drivables: [
      drivableToys(
        (_, signal) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () =>
              setImmediate(() => {
                hasEnded = true;
                resolve(false);
              }),
            ),
          ),
      ),
    ],
  });
  await beginToy(app.places.data, 'toy', {});
  const driven = app.streams.drive('toy').catch(() => null);
  await eventually(async () => (await app.streams.lastSeq('toy')) > 2, 'it counts');
  await app.close();
  expect(hasEnded).toBe(true);
  await driven;
});

it('a request may have the key that its run was made with, and is not taken for it', async () => {
  const { app, workspace } = await appWith();
  const id = await app.runs.create({ plan: planOf('true'), workspace, options, key: 'nightly' });
  const seq = await app.runs.request(id, { type: 'cancel-requested' }, { by: someone, key: 'nightly' });
  expect((await app.streams.read(id, seq - 1, 1)).map(({ event }) => event.type)).toEqual([
    'cancel-requested',
  ]);
});

it('who asks is who came in, whatever the request says of itself', async () => {
  const { app, workspace } = await appWith();
  const id = await app.runs.create({ plan: planOf('true'), workspace, options });
  const forged = { type: 'cancel-requested', by: { person: 'eve', door: 'terminal' } } as const;
  const seq = await app.streams.request(id, forged, { by: someone });
  expect((await app.streams.read(id, seq - 1, 1))[0]?.event).toMatchObject({ by: someone.actor });
});

it('nobody decides who may only ask, and nobody asks who may only read', async () => {
  const { app, workspace } = await appWith();
  const id = await app.runs.create({ plan: planOf('true'), workspace, options });
  const agree = { type: 'plan-decided', revision: 0, decision: 'all' } as const;
  const asking = { ...someone, scope: 'ask' as const };
  await expect(app.runs.request(id, agree, { by: asking })).rejects.toMatchObject({ code: 'not-allowed' });
  const reading = { ...someone, scope: 'read' as const };
  const cancel = { type: 'cancel-requested' } as const;
  await expect(app.runs.request(id, cancel, { by: reading })).rejects.toMatchObject({ code: 'not-allowed' });
  const made = app.runs.create({ plan: planOf('true'), workspace, options, agreed: asking });
  await expect(made).rejects.toMatchObject({ code: 'not-allowed' });
  expect(await app.streams.lastSeq(id)).toBe(1);
  await app.runs.request(id, cancel, { by: asking });
});

it('a worker comes back to a run whose folder was busy, also one that was just agreed on', async () => {
  const { app, workspace } = await appWith();
  const begin = () => app.runs.create({ plan: planOf('sleep 0.2'), workspace, options, agreed: someone });
  const runs = [await begin(), await begin()];
  const errors: unknown[] = [];
  await driveAll(app, { onRest: () => {}, onError: (_, error) => errors.push(error) });
  const states = await Promise.all(runs.map(async (id) => (await app.runs.state(id)).status));
  expect({ states, errors }).toEqual({ states: ['done', 'done'], errors: [] });
});

it('a worker waits for nobody else: a run whose folder another program works in is left, and said to be', async () => {
  const { app, workspace } = await appWith();
  const begin = (command: string) =>
    app.runs.create({ plan: planOf(command), workspace, options, agreed: someone });
  const first = await begin('sleep 600');
  const busy = app.runs.drive(first);
  await eventually(async () => (await app.runs.state(first)).inFlight !== null, 'the first works');
  const second = await begin('true');
  const rested: string[] = [];
  await driveAll(app, { onRest: ({ id }) => rested.push(id), onError: () => {} });
  expect(rested).toEqual([second]);
  await app.runs.request(first, { type: 'cancel-requested' }, { by: someone });
  await busy;
});

it('a cancel ends what a run left running, though another works in the folder', async () => {
  const { app, workspace } = await appWith();
  const plan = planOf('sleep 600 >/dev/null 2>&1 &', 'rm -rf nothing');
  const first = await app.runs.create({
    plan,
    workspace,
    options: { ...options, onAsk: 'wait' },
    agreed: someone,
  });
  expect(await app.runs.drive(first)).toMatchObject({ why: 'waiting' });
  const second = await app.runs.create({ plan: planOf('sleep 600'), workspace, options, agreed: someone });
  const stop = new AbortController();
  const busy = app.runs.drive(second, { signal: stop.signal });
  await eventually(async () => (await app.runs.state(second)).inFlight !== null, 'the second works');
  await app.runs.request(first, { type: 'cancel-requested' }, { by: someone });
  expect(await app.runs.drive(first)).toMatchObject({ why: 'finished', state: { status: 'cancelled' } });
  await app.runs.request(second, { type: 'cancel-requested' }, { by: someone });
  await busy;
});
