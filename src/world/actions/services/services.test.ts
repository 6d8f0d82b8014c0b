import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type ProcessGroup, type ServiceState, StepResult } from '../../../core/contract/index.ts';
import { bootId, hostHere } from '../../process/identity.ts';
import { endMarked, findMarked, inspectGroup } from '../../process/index.ts';
import { eventually } from '../../process/testing.ts';
import { memoryOutput, type Performance, perform, stepOf, testPerformer } from '../testing.ts';

const unaborted = new AbortController().signal;

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-services-')));
const run = `services-${process.pid}`;
const names = ['site', 'kept'];
afterEach(async () => {
  for (const service of names) await endMarked({ epoch: 9, run, service }, { graceMs: 100 });
});
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const performer = testPerformer({ output: memoryOutput(workspace) });
const WAIT = 'while :; do sleep 0.05; done';

let serial = 0;

/** Starts it; what a run would then know of it. */
async function start(
  command: string,
  more: Partial<Performance> & { expects?: string; name?: string; keep?: boolean } = {},
) {
  const { expects, name = 'site', keep = false, ...rest } = more;
  let group: ProcessGroup | undefined;
  const attemptIndex = (serial += 1);
  const step = stepOf({ kind: 'start', name, command, keep }, expects === undefined ? {} : { expects });
  const result = StepResult.parse(
    await perform({
      performer,
      run,
      workspace,
      attemptIndex,
      step: { ...step, ...rest.step },
      spawned: (spawned) => {
        group = spawned;
        return true;
      },
      ...rest,
    }),
  );
  const service: ServiceState = {
    ...{ name, stepId: 's', attemptIndex, group: group!, keep, status: 'running', epoch: 1 },
  };
  return { result, service };
}
const stop = (services: ServiceState[], name = 'site') =>
  perform({ performer, run, workspace, services, step: stepOf({ kind: 'stop', name }) });
const alive = (service: ServiceState) =>
  inspectGroup(service.group, { run, service: service.name }) === 'ours';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a service is ready', () => {
  test('when its port answers, and stops when it is told to', async () => {
    const port = await freePort();
    const code = `require('node:http').createServer((q, s) => s.end('hello')).listen(${port}, '127.0.0.1')`;
    const { result, service } = await start(`exec ${process.execPath} -e "${code}"`, {
      expects: `url http://127.0.0.1:${port}/ answers 200 containing hello`,
    });
    expect(result).toMatchObject({
      service: { name: 'site', state: 'started', keep: false },
      expectation: { held: true },
      leftover: false,
    });
    expect(result.why).toBeUndefined();
    expect(await performer.survey(run, [service])).toEqual([]);
    const again = await start('true', { services: [service] });
    expect(again.result).toMatchObject({
      why: 'not-started',
      message: expect.stringContaining('running already'),
    });
    expect(await stop([service])).toMatchObject({
      service: { name: 'site', state: 'stopped' },
      message: 'the service site was stopped',
    });
    expect(alive(service)).toBe(false);
  });

  test('when it has written what is expected', async () => {
    const { result } = await start(`sleep 0.2; echo warming up; sleep 0.2; echo ready >&2; ${WAIT}`, {
      expects: 'output contains ready',
    });
    expect(result).toMatchObject({ expectation: { held: true }, stdoutTail: 'warming up\nready\n' });
  });

  test('when it lives, where nothing can be checked', async () => {
    for (const expects of [undefined, 'exit 0', 'it is up']) {
      let now = 0;
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
      const starting = start(WAIT, expects === undefined ? {} : { expects });
      let isReady = false;
      void starting.then(() => (isReady = true));
      await eventually(() => clock.mock.calls.length > 10, 'it is looked at again and again');
      now = 499;
      const looks = clock.mock.calls.length;
      await eventually(() => clock.mock.calls.length > looks + 4, 'and again');
      expect(isReady).toBe(false);
      now = 500;
      const { result, service } = await starting;
      expect(result.why).toBeUndefined();
      clock.mockRestore();
      await stop([service]);
    }
  });
});

describe('a service is not ready', () => {
  test('when it exits first, and the last it said is told', async () => {
    const { result, service } = await start('echo one; echo bind: address in use >&2; exit 3', {
      expects: 'file exists never',
    });
    expect(result).toMatchObject({
      why: 'exit-code',
      exitCode: 3,
      message: 'exited with code 3 before it was ready: one ⏎ bind: address in use',
    });
    expect(result).not.toHaveProperty('service');
    expect(alive(service)).toBe(false);
  });

  test('when a line before it fails', async () => {
    const { result } = await start(`cd nosuch\n${WAIT}`);
    expect(result).toMatchObject({ why: 'exit-code', exitCode: 1 });
  });

  test('when it takes too long, and is ended', async () => {
    const step = stepOf({ kind: 'start', name: 'site', command: `echo still; ${WAIT}`, keep: false });
    const { result, service } = await start('', {
      step: { ...step, expects: 'file exists never', timeoutMs: 300 },
    });
    expect(result).toMatchObject({
      why: 'timeout',
      message: expect.stringMatching(
        /^was not ready within 0\.3 s \(expected file never to exist, and it does not\)(: still)?$/,
      ),
    });
    expect(alive(service)).toBe(false);
  });

  test('when the run is cancelled meanwhile', async () => {
    const aborter = new AbortController();
    const began = start(`echo up > began; ${WAIT}`, { expects: 'file exists never', signal: aborter.signal });
    await eventually(() => existsSync(join(workspace, 'began')), 'the service runs');
    aborter.abort('cancelled');
    const { result, service } = await began;
    expect(result).toMatchObject({ why: 'aborted', message: 'ended because the run was cancelled' });
    expect(alive(service)).toBe(false);
  });

  test('when something else answers in its place', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const { result } = await start(WAIT, { expects: `port ${port} open` });
    expect(result).toMatchObject({
      why: 'not-started',
      message: `not started: port ${port} is open already: something else listens there`,
    });
    server.close();
  });

  test('when its driver lost the run: nothing is let run', async () => {
    const { result } = await start('touch ran', { spawned: () => false });
    expect(result).toMatchObject({ why: 'not-started', message: 'not started: this driver lost the run' });
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });
});

describe('the end of a service', () => {
  test('with the run, and with all that it started', async () => {
    const { service } = await start(`sh -c 'trap "" HUP; ${WAIT}' & setsid sleep 60 & ${WAIT}`);
    await performer.release(run, [], [service], unaborted, 1);
    expect(alive(service)).toBe(false);
    expect(findMarked({ run, service: 'site' })).toEqual([]);
  });

  test('at once where nobody wants to wait for it', async () => {
    const { service } = await start(`trap '' TERM; ${WAIT}`);
    const patient = testPerformer({ output: memoryOutput(workspace), graceMs: 3_600_000 });
    const hurry = new AbortController();
    const released = patient.release(run, [], [service], hurry.signal, 1);
    hurry.abort();
    await released;
    expect(alive(service)).toBe(false);
  });

  test('not where it is to be kept', async () => {
    const { service } = await start(WAIT, { name: 'kept', keep: true });
    await performer.release(run, [], [service], unaborted, 1);
    await endMarked({ epoch: 9, run });
    expect(alive(service)).toBe(true);
    expect(await stop([service], 'kept')).toMatchObject({ service: { state: 'stopped', keep: true } });
    expect(alive(service)).toBe(false);
  });

  test('by itself: it is found gone, and stopping it is no failure', async () => {
    const { service } = await start(`until test -e go; do sleep 0.02; done`);
    expect(await performer.survey(run, [service])).toEqual([]);
    writeFileSync(join(workspace, 'go'), '');
    await eventually(() => !alive(service), 'the service ends');
    expect(await performer.survey(run, [service])).toEqual(['site']);
    const result = await stop([{ ...service, status: 'gone' }]);
    expect(result.why).toBeUndefined();
    expect(result.message).toBe('the service site had ended already');
  });

  test('nobody else’s is touched', async () => {
    const bystander = spawn('sleep', ['60'], { detached: true });
    const group = { pgid: bystander.pid!, startTime: '1', host: hostHere(), boot: bootId() };
    const stranger: ServiceState = {
      ...{ name: 'site', stepId: 's', attemptIndex: 0, group, keep: false, status: 'running', epoch: 1 },
    };
    expect(await performer.survey(run, [stranger])).toEqual(['site']);
    await performer.release(run, [], [stranger], unaborted, 1);
    await stop([stranger]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    bystander.kill('SIGKILL');
    expect(await stop([], 'nothing')).toMatchObject({ why: 'not-started' });
  });
});

test('what is expected of a stop is looked at', async () => {
  const { service } = await start(WAIT);
  const step = stepOf({ kind: 'stop', name: 'site' }, { expects: 'file exists stopped' });
  expect(await perform({ performer, run, workspace, services: [service], step })).toMatchObject({
    why: 'expectation',
    message: 'expected file stopped to exist, and it does not',
  });
  expect(alive(service)).toBe(false);
});

test('its log is kept from growing while it writes', async () => {
  let caps = 0;
  const base = memoryOutput(workspace);
  const output: typeof base = {
    ...base,
    serviceLog: async (...args) => ({
      ...(await base.serviceLog(...args)),
      cap: async () => void (caps += 1),
    }),
  };
  const { service } = await start(WAIT, { performer: testPerformer({ output }) });
  await eventually(() => caps > 0, 'the log is looked at');
  await stop([service]);
});

test('its secrets do not come with the result', async () => {
  const filterSecrets = () => ({
    write: (chunk: Uint8Array) => Buffer.from(Buffer.from(chunk).toString().replaceAll('hunter2', '***')),
    flush: () => new Uint8Array(),
  });
  const { result } = await start('echo password hunter2; exit 1', {
    performer: testPerformer({ output: memoryOutput(workspace), filterSecrets }),
  });
  expect([result.stdoutTail, result.message]).toEqual([
    'password ***\n',
    'exited with code 1 before it was ready: password ***',
  ]);
});
