import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ProcessGroup, ServiceState, StepResult } from '../../src/core/contract/index.ts';
import type { Output } from '../../src/core/stream/index.ts';
import { perform, stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { bootId, hostHere } from '../../src/world/process/identity.ts';
import { endMarked, findMarked, inspectGroup } from '../../src/world/process/index.ts';
import { createOutput } from '../../src/world/store/output/output.ts';
import { eventually } from '../support/processes.ts';
import { bundled } from '../support/program.ts';
import { actionOf } from './lines.ts';

const unaborted = new AbortController().signal;

let base: string;
let workspace: string;
let output: Output;
let run: string;
const performer = () => testPerformer({ output });
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pw-services-')));
  workspace = join(base, 'ws');
  mkdirSync(workspace);
  output = createOutput(join(base, 'logs'));
  run = `crash-${join(base, 'logs')}`;
});
afterEach(async () => {
  for (const service of ['site', 'kept']) await endMarked({ epoch: 9, run, service }, { graceMs: 100 });
  rmSync(base, { recursive: true, force: true });
});

const TICK = 'while :; do echo tick; sleep 0.05; done';

/** A driver in a process of its own, that has started a service and perhaps seen it ready. */
async function startDriver(moment: string, line: string, expects?: string) {
  const args = [bundled(import.meta.dirname, 'driver.ts'), moment, workspace, join(base, 'logs'), line];
  const child: ChildProcess = spawn(
    process.execPath,
    [...args, ...(expects === undefined ? [] : [expects])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(child, 'exit');
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const group = JSON.parse((await lines.next()).value as string) as ProcessGroup;
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const result = async () => JSON.parse((await lines.next()).value as string) as StepResult;
  return { group, kill, exited, result };
}

const serviceOf = (group: ProcessGroup, name: string, keep = false): ServiceState => ({
  ...{ name, stepId: 's', attemptIndex: 0, group, keep, status: 'running', epoch: 1 },
});
const isAlive = (group: ProcessGroup, service: string) => inspectGroup(group, { run, service }) === 'ours';
const recover = (line: string, group: ProcessGroup | null, expects?: string) =>
  performer().recover({
    run,
    epoch: 1,
    step: stepOf(actionOf(line), expects === undefined ? {} : { expects }),
    attemptIndex: 0,
    session: { cwd: workspace, env: {} },
    workspace,
    shell: 'bash',
    host: hostHere(),
    boot: bootId(),
    spawned: group && { group, heldBefore: null },
    prepared: null,
    values: {},
    items: null,
    item: null,
  });
const logSize = async () => (await output.read(run, 's', 0, 0, 1)).size;

test('a service survives its killed driver, goes on writing, is found, and ends with the run', async () => {
  const { group, kill, result } = await startDriver('never', `START site ${TICK}`, 'output contains tick');
  expect(await result()).toMatchObject({ service: { name: 'site', state: 'started' } });
  await kill();
  const before = await logSize();
  await eventually(async () => (await logSize()) > before, 'the service goes on writing');
  expect(isAlive(group, 'site')).toBe(true);
  expect(await performer().survey(run, [serviceOf(group, 'site')])).toEqual([]);
  await performer().release(run, [], [serviceOf(group, 'site')], unaborted, 1);
  expect(isAlive(group, 'site')).toBe(false);
  expect(findMarked({ run })).toEqual([]);
  expect((await output.read(run, 's', 0, 0, 1)).isEnded).toBe(true);
});

test('one that is kept survives its driver and its run', async () => {
  const { group, kill, result } = await startDriver('never', `START kept KEEP ${TICK}`);
  expect(await result()).toMatchObject({ service: { name: 'kept', keep: true } });
  await kill();
  await performer().release(run, [], [], unaborted, 1);
  expect(await endMarked({ epoch: 9, run })).toBe(0);
  expect(isAlive(group, 'kept')).toBe(true);
  const services = [serviceOf(group, 'kept', true)];
  const step = stepOf({ kind: 'stop', name: 'kept' });
  expect(await perform({ performer: performer(), run, workspace, services, step })).toMatchObject({
    service: { state: 'stopped' },
  });
  expect(isAlive(group, 'kept')).toBe(false);
});

test('killed at the gate: nothing ran, and it is started again', async () => {
  const { group, exited } = await startDriver('spawned', 'START site touch ran');
  await exited;
  await eventually(() => !isAlive(group, 'site'), 'the shell at the gate ends by itself');
  expect(await recover('START site touch ran', group)).toMatchObject({ finding: 'not-started' });
  expect(await recover('START site touch ran', null)).toMatchObject({ finding: 'not-started' });
});

test('killed while it was not ready: found ready it is done, found otherwise it is ended', async () => {
  const line = `START site touch begun; ${TICK}`;
  const { group, kill } = await startDriver('never', line, 'file exists never');
  await eventually(() => existsSync(join(workspace, 'begun')), 'the service runs');
  await kill();
  const found = await recover(line, group, 'file exists begun');
  expect(found).toMatchObject({ finding: 'done', result: { service: { name: 'site', state: 'started' } } });
  expect(isAlive(group, 'site')).toBe(true);
  expect(await recover(line, group, 'file exists never')).toMatchObject({
    finding: 'not-started',
    detail: expect.stringContaining('was not ready and has been ended'),
  });
  expect(isAlive(group, 'site')).toBe(false);
  expect(await recover(line, group, 'file exists begun')).toMatchObject({ finding: 'not-started' });
});

test('a stop whose driver was killed is done once the service is gone', async () => {
  const { group, kill, result } = await startDriver('never', `START site ${TICK}`);
  await result();
  await kill();
  expect(await recover('STOP site', null)).toMatchObject({ finding: 'not-started' });
  await performer().release(run, [], [serviceOf(group, 'site')], unaborted, 1);
  expect(await recover('STOP site', null)).toMatchObject({
    finding: 'done',
    result: { service: { name: 'site', state: 'stopped' } },
  });
});
