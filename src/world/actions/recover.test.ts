import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ProcessGroup } from '../../core/contract/index.ts';
import type { RecoverWork } from '../../core/run/index.ts';
import { bootId, hostHere } from '../process/identity.ts';
import { endMarked, inspectGroup } from '../process/index.ts';
import { perform, stepOf, testPerformer } from './testing.ts';

const unaborted = new AbortController().signal;

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-recover-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const performer = testPerformer();
const gone: ProcessGroup = { pgid: 2 ** 22 - 7, startTime: '1', host: hostHere(), boot: bootId() };

const recover = (more: Partial<RecoverWork>) =>
  performer.recover({
    run: 'recover-run',
    epoch: 1,
    step: stepOf('true', { expects: 'file exists made' }),
    attemptIndex: 0,
    session: { cwd: workspace, env: {} },
    workspace,
    shell: 'bash',
    host: hostHere(),
    boot: bootId(),
    spawned: null,
    prepared: null,
    values: {},
    items: null,
    item: null,
    ...more,
  });

test('no process in this boot: it was not started', async () => {
  expect(await recover({})).toMatchObject({ finding: 'not-started' });
});

test('no process, and the machine was restarted: nobody knows', async () => {
  expect(await recover({ boot: 'another' })).toMatchObject({
    finding: 'unknown',
    detail: 'the machine has been restarted since, and no process was recorded',
  });
});

test('begun on another host: nobody here knows, and nobody speaks of a restart', async () => {
  const group = { ...gone, host: 'office~1' };
  for (const spawned of [null, { group, heldBefore: false }]) {
    expect(await recover({ host: 'office~1', boot: 'another', spawned })).toEqual({
      finding: 'unknown',
      detail: 'it was begun on host office~1, and how far it came cannot be seen from here',
    });
  }
});

test('ended, and its promise does not hold', async () => {
  expect(await recover({ spawned: { group: gone, heldBefore: false } })).toEqual({
    finding: 'unknown',
    detail:
      'the step was let run and had ended, and nobody saw how; now expected file made to exist, and it does not',
  });
});

test('ended, and its promise holds that did not hold before: done', async () => {
  writeFileSync(join(workspace, 'made'), '');
  const session = { cwd: workspace, env: { A: '1' } };
  const found = await recover({ session, spawned: { group: gone, heldBefore: false } });
  expect(found).toMatchObject({
    finding: 'done',
    result: {
      session,
      message: 'found done after an interruption: file made exists',
      expectation: { held: true },
    },
  });
  expect(await recover({ spawned: { group: gone, heldBefore: true } })).toMatchObject({ finding: 'unknown' });
  expect(await recover({ spawned: { group: gone, heldBefore: null } })).toMatchObject({ finding: 'unknown' });
});

test('nothing it promises can be checked: nobody knows', async () => {
  for (const expects of ['exit 0', 'stdout contains x', 'some prose']) {
    const step = stepOf('true', { expects });
    expect(await recover({ step, spawned: { group: gone, heldBefore: null } })).toMatchObject({
      finding: 'unknown',
      detail: expect.stringContaining('nothing it promises can be checked'),
    });
  }
});

test('still running: it is ended, and not done whatever holds', async () => {
  writeFileSync(join(workspace, 'made'), '');
  let group: ProcessGroup | undefined;
  const attempt = perform({
    performer,
    step: stepOf('sleep 60'),
    run: 'recover-run',
    spawned: (spawned) => {
      group = spawned;
      return true;
    },
  });
  while (!group) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await recover({ spawned: { group, heldBefore: false } })).toEqual({
    finding: 'unknown',
    detail: 'the step was still running and has been ended; now file made exists',
  });
  expect(inspectGroup(group, 'recover-run')).toBe('absent');
  expect(await attempt).toMatchObject({ why: 'signal' });
});

test('what outlived its step is released with the run, even what left its group', async () => {
  const groups: ProcessGroup[] = [];
  const run = `release-${process.pid}`;
  const spawned = (group: ProcessGroup) => groups.push(group) > 0;
  const quiet = '>/dev/null 2>&1 &';
  expect(await perform({ performer, run, spawned, step: stepOf('true') })).toMatchObject({ leftover: false });
  const left = await perform({
    performer,
    run,
    spawned,
    step: stepOf(`sleep 60 ${quiet} setsid sleep 61 ${quiet}`),
  });
  expect(left).toMatchObject({ exitCode: 0, leftover: true });
  expect(await performer.release(run, groups, [], unaborted, 1)).toEqual([groups[1]]);
  expect(await performer.release(run, groups, [], unaborted, 1)).toEqual([]);
  const look = await perform({
    performer,
    step: stepOf(`! grep -lzs PLANWRIGHT_RUN=${run} /proc/[0-9]*/environ`),
  });
  expect(look.stdoutTail).toBe('');
});

test('a failed attempt leaves nothing running', async () => {
  const groups: ProcessGroup[] = [];
  const run = `failed-${process.pid}`;
  const spawned = (group: ProcessGroup) => groups.push(group) > 0;
  const command = 'sleep 60 >/dev/null 2>&1 & setsid sleep 61 >/dev/null 2>&1 & exit 1';
  expect(await perform({ performer, run, spawned, step: stepOf(command) })).toMatchObject({
    why: 'exit-code',
    leftover: false,
  });
  expect(inspectGroup(groups[0]!, run)).toBe('absent');
  expect(await endMarked({ epoch: 9, run })).toBe(0);
});
