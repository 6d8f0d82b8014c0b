import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ScheduleRow } from '../../src/core/contract/schedules/index.ts';
import { refusal } from './checked.ts';
import { planText, type Served, serve, untilState } from './support.ts';

/** The row of a schedule once it is as wanted. */
async function until({ client }: Served, id: string, fits: (row: ScheduleRow) => boolean) {
  const stop = new AbortController();
  try {
    for await (const { row } of client.watchRows({ signal: stop.signal, after: '0' }))
      if (row.kind === 'schedule' && row.id === id && fits(row)) return row;
    throw new Error('the stream ended');
  } finally {
    stop.abort();
  }
}

it('a schedule is added, works out its time, runs now, waits for a changed file and is agreed to again', async () => {
  const served = await serve();
  const { client, workspace } = served;
  const plan = (...commands: string[]) => writeFileSync(join(workspace, 'p.yaml'), planText(...commands));
  plan('echo one');
  const wanted = { file: 'p.yaml', cron: '0 3 * * *', tz: 'UTC', key: 'a key for one schedule' };
  const { id } = await client.createSchedule(wanted);
  expect(await client.createSchedule(wanted)).toEqual({ id, problems: [] });
  const due = await until(served, id!, ({ nextAt }) => nextAt !== null);
  expect(new Date(due.nextAt!).getUTCHours()).toBe(3);
  await client.askOfStream(id!, { request: { type: 'run-requested' } });
  const { last } = await until(served, id!, (row) => row.last !== null);
  await untilState(client, last!.run, 'done');
  await until(served, id!, (row) => row.last?.state === 'done');

  plan('echo two');
  await client.askOfStream(id!, { request: { type: 'run-requested' } });
  await until(served, id!, ({ state }) => state === 'changed');
  const { schedules } = await client.waiting();
  expect(schedules).toMatchObject([{ id, broken: expect.stringContaining('is not what was agreed to') }]);
  const look = await client.lookAtSchedule(id!);
  expect(look.proposed).toMatchObject({ ok: true, plan: { steps: [{ action: { command: 'echo two' } }] } });
  expect(await refusal(client.agreeToSchedule(id!, { hash: 'another' }))).toMatchObject({ code: 'refused' });
  await client.agreeToSchedule(id!, { hash: look.proposed?.ok ? look.proposed.hash : '' });
  expect((await client.listSchedules()).schedules).toMatchObject([{ id, state: 'active' }]);

  await client.askOfStream(id!, { request: { type: 'pause-requested' } });
  expect(await until(served, id!, ({ state }) => state === 'paused')).toMatchObject({ wakeAt: null });
  expect(served.errors).toEqual([]);
});

it('a plan that does not hold is no schedule, and nobody agrees by a bare request', async () => {
  const { client, workspace } = await serve();
  writeFileSync(join(workspace, 'p.yaml'), 'goal: g\n');
  const { id, problems } = await client.createSchedule({ file: 'p.yaml', cron: '* * * * *' });
  expect([id, problems.length > 0]).toEqual([null, true]);
  expect(await refusal(client.createSchedule({ file: 'p.yaml', cron: 'daily' }))).toMatchObject({
    code: 'usage',
  });
  writeFileSync(join(workspace, 'p.yaml'), planText('true'));
  const added = await client.createSchedule({ file: 'p.yaml', cron: '0 3 * * *' });
  const request = { type: 'agree-requested', agreement: {}, sealed: [] };
  expect(await refusal(client.askOfStream(added.id!, { request }))).toMatchObject({ code: 'invalid' });
});
