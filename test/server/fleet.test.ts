import { expect, it } from 'vitest';
import { eventually } from '../support/processes.ts';
import { serve, source, untilState } from './support.ts';

it('says who drives on one machine, what is driven, and how much was done', async () => {
  const { client, workspace } = await serve();
  const done = await client.createRun({ source: source('true'), agreed: true, workspace });
  await untilState(client, done.id, 'done');
  const wait = `until test -e ${workspace}/go; do sleep 0.05; done`;
  const { id } = await client.createRun({ source: source(wait), agreed: true, workspace });
  await eventually(async () => {
    const { claims } = await client.getFleet();
    const { state } = await client.getRun(id);
    return claims.length === 1 && claims[0]!.stream === id && state.ranOn.length === 1;
  }, 'it is driven');
  const fleet = await client.getFleet();
  expect(fleet).toMatchObject({
    database: null,
    workers: [{ as: 'server', version: '1.2.3', pid: process.pid, isSilent: false }],
    claims: [{ stream: id, kind: 'run', title: 'a plan', pid: process.pid }],
    claimed: 1,
    ended: { fiveMinutes: 1, hour: 1 },
  });
  expect(fleet.workers[0]!.claims).toBe(1);
  const { state } = await client.getRun(id);
  expect(state.ranOn).toMatchObject([{ host: fleet.workers[0]!.host }]);
  await client.askOfRun(id, { request: { type: 'cancel-requested' } });
  await untilState(client, id, 'cancelled');
});
