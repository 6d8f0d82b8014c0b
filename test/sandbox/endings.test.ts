import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { processStartTime } from '../../src/world/process/identity.ts';
import {
  type CommandSpec,
  endGroup,
  endMarked,
  inspectGroup,
  startCommand,
} from '../../src/world/process/index.ts';
import { commandLine, listProcesses } from '../../src/world/process/process-table.ts';
import { eventually, testEnvironment } from '../../src/world/process/testing.ts';
import { bundled } from '../support/program.ts';
import { describeSandbox, makePlace } from './testing.ts';

let serial = 0;

describeSandbox('a command in a sandbox ends like any other', () => {
  const { workspace, policy, run } = makePlace();

  async function start(script: string, options: Partial<CommandSpec> = {}) {
    const marker = { run: `sandbox-${process.pid}-${(serial += 1)}`, step: 's', epoch: 1 };
    let said = '';
    const started = await startCommand({
      script,
      shell: 'bash',
      baseEnv: testEnvironment,
      session: { cwd: workspace, env: {} },
      marker,
      onOutput: (_, bytes) => {
        said += bytes;
      },
      graceMs: 300,
      sandbox: policy(),
      ...options,
    });
    if (!started.ok) throw new Error(started.message);
    return {
      ...started.command,
      run: marker.run,
      said: (word: string) => eventually(() => said.includes(word), word),
      all: () => said,
    };
  }

  test.each([
    ['true', 0],
    ['exit 3', 3],
    ['set -e; false; echo no', 1],
    ['sh -c "kill -9 \\$\\$"', 137],
    ['exec sh -c "exit 4"', 4],
    ['trap "exit 5" EXIT', 5],
    ['exit 125', 125],
    ['kill -KILL $$', 137],
  ])('the exit is the script’s own: %s', async (script, exitCode) => {
    const end = await run(script);
    expect(end).toMatchObject({ exitCode, signal: null, leftover: false, aborted: false });
    expect(end.notEntered).toBeUndefined();
  });

  test('line numbers, names and standard input are as they are outside', async () => {
    const { stdout, stderr } = await run('cat; echo $LINENO\n\nnosuch\necho "$0 $#"; read x <&3');
    expect(stdout).toBe('1\nbash 0\n');
    expect(stderr).toContain('bash: line 3: nosuch: command not found\n');
  });

  test('cd and export carry over, into the sandbox and out of it', async () => {
    const { session } = await run('mkdir -p sub; cd sub; export A="1 2" B=; unset HOME');
    expect(session).toEqual({
      cwd: join(workspace, 'sub'),
      env: { A: '1 2', B: '', HOME: null, OLDPWD: workspace },
    });
    expect((await run('echo "$A|${HOME-none}|$PWD"', {}, { session: session! })).stdout).toBe(
      `1 2|none|${workspace}/sub\n`,
    );
  });

  test('nothing runs before the gate opens, and nothing after it is abandoned', async () => {
    const { abandon, open, done, group } = await start('touch ran');
    expect(group).toMatchObject({ startTime: processStartTime(group.pgid) });
    abandon();
    open();
    expect(await done).toMatchObject({ signal: 'SIGKILL', session: null, leftover: false, aborted: true });
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });

  test('one that is asked to end has its grace', async () => {
    const stop = new AbortController();
    const {
      open,
      done,
      said,
      all,
      group,
      run: name,
    } = await start('trap "sleep 0.1; echo tidied; exit 9" TERM; echo up; while :; do sleep 0.01; done', {
      signal: stop.signal,
      graceMs: 5_000,
    });
    open();
    await said('up');
    stop.abort();
    expect(await done).toMatchObject({ exitCode: 9, aborted: true, leftover: false });
    expect(all()).toContain('tidied');
    expect(inspectGroup(group, name)).toBe('absent');
  });

  test('one that does not listen is killed, with all that it started and all that left its group', async () => {
    const stop = new AbortController();
    const script =
      'trap "" TERM; setsid sleep 60 & env -i setsid sleep 61 & echo up; while :; do sleep 1; done';
    const { open, done, said, run: name } = await start(script, { signal: stop.signal, graceMs: 100 });
    open();
    await said('up');
    stop.abort();
    expect(await done).toMatchObject({ aborted: true, leftover: false });
    expect(await endMarked({ epoch: 9, run: name })).toBe(0);
  });

  test('ending the recorded group ends everything inside', async () => {
    const { open, done, said, group, run: name } = await start('env -i setsid sleep 60 & echo up; sleep 60');
    open();
    await said('up');
    expect(inspectGroup(group, name)).toBe('ours');
    expect(await endGroup(group, { run: name, graceMs: 5_000 })).toBe('ended');
    expect(await done).toMatchObject({ exitCode: 143, leftover: false });
    expect(await endMarked({ epoch: 9, run: name })).toBe(0);
  });

  test('nothing outlives its shell', async () => {
    const { open, done, run: name } = await start('sleep 60 & setsid sleep 60 & disown -a; exit 0');
    open();
    expect(await done).toMatchObject({ exitCode: 0, leftover: false });
    expect(await endMarked({ epoch: 9, run: name })).toBe(0);
  });

  test('a killed driver takes everything inside along', async () => {
    const driver = spawn(
      process.execPath,
      [bundled(import.meta.dirname, 'driver.ts'), JSON.stringify(policy())],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const [line] = (await once(createInterface(driver.stdout), 'line')) as [string];
    const { group, run: name } = JSON.parse(line);
    const beat = join(workspace, 'beat');
    const strays = () => listProcesses().filter(({ pid }) => commandLine(pid).includes(`echo >> ${beat}`));
    await eventually(() => existsSync(beat), 'the stray runs');
    expect(strays()).not.toEqual([]);
    driver.kill('SIGKILL');
    await once(driver, 'exit');
    await eventually(() => inspectGroup(group, name) === 'absent', 'the sandbox is gone');
    await eventually(() => strays().length === 0, 'the stray is gone');
    expect(await endMarked({ epoch: 9, run: name })).toBe(0);
  });

  test('a sandbox that cannot be made is told from a command that fails', async () => {
    const session = { cwd: workspace, env: { A: 'x'.repeat(200_000) } };
    const end = await run('touch ran', {}, { session, baseEnv: testEnvironment });
    expect(end).toMatchObject({ exitCode: 1, notEntered: true, session: null });
    expect(existsSync(join(workspace, 'ran'))).toBe(false);
  });
});
