import { expect, it } from 'vitest';
import { defaultOptions, hashPlan, type Plan } from '../../src/core/contract/index.ts';
import { beginRun } from '../support/raw-store.ts';
import { serve } from './support.ts';

it('a run of another host is read here, and neither done nor looked for in a folder of the same name', async () => {
  const { app, client, workspace, fetch } = await serve();
  const plan: Plan = {
    goal: 'g',
    shell: 'bash',
    revision: 0,
    steps: [{ id: 's1', title: 'make', action: { kind: 'run-command', command: 'touch made' } }],
  };
  const place = { host: 'office~1', boot: 'b', workspace };
  const at = 1;
  await beginRun(app, 'abcd', [
    { v: 1, type: 'plan-created', at, plan, hash: hashPlan(plan), place, options: defaultOptions },
    {
      v: 1,
      type: 'plan-decided',
      at,
      key: 'k',
      by: { person: 'ana', door: 'library' },
      revision: 0,
      decision: 'all',
    },
  ]);
  const rested = await app.runs.drive('abcd');
  expect(rested).toMatchObject({ why: 'elsewhere', state: { status: 'running' } });
  expect((await client.getRun('abcd')).state).toMatchObject({ place });
  expect((await client.getConfig()).host).toBe(app.driver.host);
  const says = { code: 'elsewhere', message: expect.stringContaining('on host office~1') };
  const { preview, diff, again } = app.runs;
  for (const look of [preview, diff, again, (id: string) => again(id, { stepId: 's1' })])
    await expect(look('abcd')).rejects.toMatchObject(says);
  const output = await fetch('/api/runs/abcd/steps/s1/attempts/0/output');
  expect([output.status, await output.json()]).toMatchObject([409, { error: says }]);
});
