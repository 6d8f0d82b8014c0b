import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, test } from 'vitest';
import type { ProcessGroup } from '../../src/core/contract/index.ts';
import { stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { bootId, hostHere } from '../../src/world/process/identity.ts';
import { endMarked, inspectGroup } from '../../src/world/process/index.ts';
import { readProcess } from '../../src/world/process/process-table.ts';
import { eventually } from '../../src/world/process/testing.ts';
import { bundled } from '../support/program.ts';

const unaborted = new AbortController().signal;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-killed-')));
const runs: string[] = [];
afterAll(async () => {
  for (const run of runs) await endMarked({ epoch: 9, run }, { graceMs: 100 });
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a driver in a process of its own, and waits until it has started its command. */
async function startDriver(moment: string, command: string) {
  const run = `killed-${process.pid}-${runs.length}`;
  runs.push(run);
  const driver: ChildProcess = spawn(
    process.execPath,
    [bundled(import.meta.dirname, 'driver.ts'), moment, run, command],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const exited = once(driver, 'exit');
  const [line] = (await once(createInterface(driver.stdout!), 'line')) as [string];
  const kill = async () => {
    driver.kill('SIGKILL');
    await exited;
  };
  return { run, group: JSON.parse(line) as ProcessGroup, kill, exited };
}

const performer = testPerformer();
const recover = (
  run: string,
  group: ProcessGroup | null,
  expects?: string,
  heldBefore: boolean | null = false,
) =>
  performer.recover({
    run,
    epoch: 1,
    step: stepOf('x', expects === undefined ? {} : { expects }),
    attemptIndex: 0,
    session: { cwd: folder, env: {} },
    workspace: folder,
    shell: 'bash',
    host: hostHere(),
    boot: bootId(),
    spawned: group && { group, heldBefore },
    prepared: null,
    values: {},
    items: null,
    item: null,
  });

describe('killed before the gate was opened', () => {
  test.each(['at-gate', 'at-gate-small'])('nothing ran, and nothing is left: %s', async (moment) => {
    const file = join(folder, moment);
    const { run, group, kill } = await startDriver(moment, `touch ${file}; sleep 600`);
    const parent = readProcess(group.pgid)!.ppid;
    await kill();
    await eventually(() => readProcess(parent)?.zombie !== false, 'whoever started it is gone too');
    await eventually(() => inspectGroup(group, run) === 'absent', 'the shell at the gate ends by itself');
    expect(existsSync(file)).toBe(false);
    expect(await recover(run, null)).toMatchObject({ finding: 'not-started' });
  });

  test('half-way through a long script, nothing of it ran', async () => {
    const file = join(folder, 'half-way');
    const { run, group, exited } = await startDriver('opening', `@touch ${file}`);
    await exited;
    await eventually(() => inspectGroup(group, run) === 'absent', 'the shell at the gate ends by itself');
    expect(existsSync(file)).toBe(false);
  });
});

describe('killed after the gate was opened', () => {
  test.each(['never', 'never-small'])('what it left running is found and ended: %s', async (moment) => {
    const file = join(folder, `running-${moment}`);
    const { run, group, kill } = await startDriver(
      moment,
      `touch ${file}; trap "" TERM; while :; do sleep 1; done`,
    );
    await eventually(() => existsSync(file), 'the command runs');
    await kill();
    expect(inspectGroup(group, run)).toBe('ours');
    expect(await recover(run, group, `file exists ${file}`)).toMatchObject({
      finding: 'unknown',
      detail: expect.stringContaining('was still running and has been ended'),
    });
    expect(inspectGroup(group, run)).toBe('absent');
  });

  test('a process that left its group is ended too', async () => {
    const file = join(folder, 'strayed');
    const { run, group, kill } = await startDriver(
      'never',
      `setsid sh -c 'echo $$ > ${file}; sleep 600' & sleep 600`,
    );
    await eventually(() => existsSync(file), 'the stray runs');
    await kill();
    await recover(run, group);
    expect(await endMarked({ epoch: 9, run })).toBe(0);
  });

  test('a number that was given to somebody else is not touched', async () => {
    const { run, group, kill } = await startDriver('never', 'sleep 600');
    const bystander = spawn('sleep', ['60'], { detached: true });
    // As if our group had had this number: its start time is not the bystander's.
    const reused = { ...group, pgid: bystander.pid!, startTime: '1' };
    expect(await recover(run, reused)).toMatchObject({ finding: 'unknown' });
    expect(
      await performer.release('another-run', [reused, { ...group, startTime: '1' }], [], unaborted, 1),
    ).toEqual([]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    expect(inspectGroup(group, run)).not.toBe('not-ours');
    bystander.kill('SIGKILL');
    await kill();
    await recover(run, group);
  });

  test('one that ended well in the meantime is known to be done', async () => {
    const [begun, go, made] = [join(folder, 'begun'), join(folder, 'go'), join(folder, 'made')];
    const script = `touch ${begun}; until test -e ${go}; do sleep 0.02; done; touch ${made}`;
    const { run, group, kill } = await startDriver('never', script);
    await eventually(() => existsSync(begun), 'the command runs');
    await kill();
    writeFileSync(go, '');
    await eventually(() => inspectGroup(group, run) === 'absent', 'the command ends by itself');
    expect(await recover(run, group, `file exists ${made}`)).toMatchObject({ finding: 'done' });
    expect(await recover(run, group, `file exists ${made}`, true)).toMatchObject({ finding: 'unknown' });
  });
});

test('a driver without a file descriptor left gets a result', async () => {
  const script = `ulimit -n 96; exec "$0" "$1" starved r true`;
  const driver = spawn('bash', ['-c', script, process.execPath, bundled(import.meta.dirname, 'driver.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface(driver.stdout), 'line')) as [string];
  expect(JSON.parse(line)).toMatchObject({
    why: 'not-started',
    message: 'could not be started: this process has too many files open (EMFILE)',
  });
});
