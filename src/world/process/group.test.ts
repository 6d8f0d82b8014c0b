import { expect, test } from 'vitest';
import { type CommandSpec, startCommand } from './command.ts';
import { endGroup, endMarked, findMarked, inspectGroup, outlives } from './group.ts';
import { eventually, runScript, testEnvironment } from './testing.ts';

let serial = 0;
async function start(script: string, options: Partial<CommandSpec> = {}) {
  serial += 1;
  const run = `group-${process.pid}-${serial}`;
  let stdout = '';
  const started = await startCommand({
    script,
    shell: 'bash',
    baseEnv: testEnvironment,
    session: { cwd: '/', env: {} },
    marker: { run, step: 's', epoch: 1 },
    onOutput: (_, bytes) => {
      stdout += bytes;
    },
    graceMs: 300,
    ...options,
  });
  if (!started.ok) throw new Error(started.message);
  started.command.open();
  return { ...started.command, run, said: (word: string) => eventually(() => stdout.includes(word), word) };
}

test('a group ends on SIGTERM', async () => {
  const { group, run, done, said } = await start('echo up; sleep 60');
  await said('up');
  expect(inspectGroup(group, run)).toBe('ours');
  expect(await endGroup(group, { run, graceMs: 5_000 })).toBe('ended');
  expect(await outlives(group.pgid)).toBe(false);
  expect(await done).toMatchObject({ signal: 'SIGTERM', leftover: false });
  expect(await endGroup(group, { run })).toBe('absent');
});

test('a shell that is told to end while it starts commands begins no other', async () => {
  for (let i = 0; i < 20; i += 1) {
    const { group, run, done, said } = await start('echo up; sleep 60; echo next');
    await said('up');
    expect(await endGroup(group, { run, graceMs: 5_000 })).toBe('ended');
    expect(await done).toMatchObject({ signal: 'SIGTERM', leftover: false });
  }
});

test('one that ignores SIGTERM is killed after the grace', async () => {
  const { group, run, done, said } = await start('trap "" TERM; echo up; while :; do sleep 1; done');
  await said('up');
  expect(await endGroup(group, { run, graceMs: 100 })).toBe('killed');
  expect(await done).toMatchObject({ signal: 'SIGKILL', leftover: false });
});

test('a stopped group ends on SIGTERM too', async () => {
  const { group, run, done, said } = await start('echo up; kill -STOP $$; sleep 60');
  await said('up');
  expect(await endGroup(group, { run, graceMs: 5_000 })).toBe('ended');
  await done;
});

test('a reused number is not touched: another start time, another boot, another host', async () => {
  const { group, run, done, said } = await start('echo up; sleep 60');
  await said('up');
  expect(await endGroup({ ...group, startTime: '1' }, { run })).toBe('not-ours');
  expect(await endGroup({ ...group, boot: 'another' }, { run })).toBe('absent');
  expect(await endGroup({ ...group, host: 'another' }, { run })).toBe('elsewhere');
  expect(await outlives(group.pgid)).toBe(true);
  await endGroup(group, { run });
  await done;
});

test('without its leader a group is known by its marker alone', async () => {
  const { group, run, done } = await start('sleep 60 >/dev/null 2>&1 &');
  expect(await done).toMatchObject({ exitCode: 0, leftover: true });
  expect(await endGroup(group, { run: 'another' })).toBe('not-ours');
  expect(await outlives(group.pgid)).toBe(true);
  expect(await endGroup(group, { run, graceMs: 5_000 })).toBe('ended');
});

test('a process that left its group is found by the marker', async () => {
  // The shell ends when it has heard that the other has left, and not before.
  const { group, run, done } = await start(
    `read -r _ < <(setsid sh -c 'echo left; exec sleep 60 >/dev/null 2>&1')`,
  );
  expect((await done).exitCode).toBe(0);
  expect(await outlives(group.pgid)).toBe(false);
  expect(await endMarked({ epoch: 9, run, step: 'another' })).toBe(0);
  expect(await endMarked({ epoch: 9, run }, { graceMs: 5_000 })).toBe(1);
  expect(await endMarked({ epoch: 9, run })).toBe(0);
});

test('aborting ends the whole group, and what left it', async () => {
  const stop = new AbortController();
  const { group, run, done, said } = await start(
    '(trap "" TERM; while :; do sleep 1; done) & setsid sleep 60 & echo up; wait',
    { signal: stop.signal },
  );
  await said('up');
  stop.abort('cancelled');
  expect(await done).toMatchObject({ exitCode: null, signal: 'SIGTERM', leftover: false });
  expect(await outlives(group.pgid)).toBe(false);
  expect(await endMarked({ epoch: 9, run })).toBe(0);
});

test('a driver that was overtaken ends what it started, and nothing of the one that came after it', async () => {
  const stop = new AbortController();
  const run = `overtaken-${process.pid}`;
  const stray = '(setsid sleep 60 >/dev/null 2>&1 &); echo up; sleep 60';
  const marker = { run, step: 's' };
  const before = await start(stray, { signal: stop.signal, marker: { ...marker, epoch: 1 } });
  const after = await start(stray, { marker: { ...marker, epoch: 2 } });
  await Promise.all([before.said('up'), after.said('up')]);
  const strays = (epoch: number) => findMarked({ run, epoch }).length;
  await eventually(() => strays(2) === 6 && strays(1) === 3, 'both shells, and what they started');
  stop.abort('lost');
  await before.done;
  expect([strays(1), strays(2)]).toEqual([0, 3]);
  expect(await endMarked({ run, epoch: 1 })).toBe(0);
  expect(await outlives(after.group.pgid)).toBe(true);
  // Whoever comes later ends what earlier ones have left.
  expect(await endMarked({ run, epoch: 3 })).toBe(3);
  await after.done;
});

test('a signal that has aborted already lets nothing run', async () => {
  const { stdout, exitCode, signal } = await runScript('echo ran', {
    signal: AbortSignal.abort('cancelled'),
  });
  expect({ stdout, exitCode, signal }).toEqual({ stdout: '', exitCode: null, signal: 'SIGKILL' });
});
