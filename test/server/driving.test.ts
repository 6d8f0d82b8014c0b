import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApp } from '../../src/doors/app/app.ts';
import { eventually } from '../support/processes.ts';
import { appendTo } from '../support/raw-store.ts';
import { someone } from '../support/someone.ts';
import { serve, source, tempFolder, untilState } from './support.ts';

const waitsForGo = 'while ! test -f go; do sleep 0.02; done';

it('a run that was paused for a while goes on when its time has come, though nobody was there', async () => {
  const home = tempFolder('home');
  const workspace = tempFolder('work');
  const first = await serve({ home, workspace });
  const { id } = await first.client.createRun({ source: source('test -f ready', 'echo two'), agreed: true });
  await untilState(first.client, id, 'failed');
  await appendTo(first.app, id, {
    id: 'a pause',
    events: [{ v: 1, type: 'run-paused', at: Date.now(), reason: 'paused', until: Date.now() - 1 }],
  });
  await first.stop();
  writeFileSync(join(workspace, 'ready'), '');
  const second = await serve({ home, workspace });
  expect(await untilState(second.client, id, 'done')).toMatchObject({ stepsDone: 2 });
});

it('two runs of one folder take turns; runs of other folders do not wait', async () => {
  const { client, workspace } = await serve();
  const other = tempFolder('other');
  const first = await client.createRun({ source: source(waitsForGo, 'echo first >> log'), agreed: true });
  await untilState(client, first.id, 'running');
  const second = await client.createRun({ source: source('echo second >> log'), agreed: true });
  const third = await client.createRun({
    source: source('echo third >> log'),
    workspace: other,
    agreed: true,
  });
  await untilState(client, third.id, 'done');
  expect(existsSync(join(workspace, 'log'))).toBe(false);
  writeFileSync(join(workspace, 'go'), '');
  await untilState(client, second.id, 'done');
  expect(readFileSync(join(workspace, 'log'), 'utf8')).toBe('first\nsecond\n');
});

it('a request that another process wrote and left is answered after a moment', async () => {
  const { client, home, workspace } = await serve({ courtesyMs: 10 });
  const { id } = await client.createRun({ source: source('true') });
  const env = { PATH: process.env['PATH'], HOME: home, PLANWRIGHT_HOME: home };
  const terminal = await openApp({ env, cwd: workspace });
  try {
    await terminal.runs.request(id, { type: 'plan-decided', revision: 0, decision: 'all' }, { by: someone });
    await untilState(client, id, 'done');
  } finally {
    await terminal.close();
  }
});

it('output can be waited for, and comes as it is written', async () => {
  const { client, workspace } = await serve();
  const { id } = await client.createRun({
    source: source(`printf '\\033[31mred\\033[0m\\n'; ${waitsForGo}; echo end`),
    agreed: true,
  });
  await eventually(async () => (await client.getRun(id)).state.inFlight !== null, 'the step runs');
  const first = await client.output(id, 's1', 0, { wait: 20_000 });
  expect(new TextDecoder().decode(first.bytes)).toBe('\u001b[31mred\u001b[0m\n');
  expect(first.ended).toBe(false);
  const more = client.output(id, 's1', 0, { offset: first.next, wait: 20_000 });
  writeFileSync(join(workspace, 'go'), '');
  expect(new TextDecoder().decode((await more).bytes)).toBe('end\n');
});
