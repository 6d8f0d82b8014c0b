import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Child } from '../child.ts';
import { groupExists } from '../group.ts';
import { readProcess, startingEnvironment } from '../process-table.ts';
import { eventually } from '../testing.ts';
import { type Batch, openBatch, type Spawn } from './batch.ts';
import { createSpawner, type Spawner } from './spawner.ts';

const PERL = '/usr/bin/perl';
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-spawner-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A spawner whose batches are counted. */
function counted(options: { ways?: number; without?: number; perl?: string } = {}) {
  const batches: Batch[] = [];
  const spawner = createSpawner({
    perl: PERL,
    without: 1,
    ...options,
    open: (perl, ways) => {
      const batch = openBatch(perl, ways);
      batches.push(batch);
      return batch;
    },
  });
  open.push(spawner);
  return { spawner, batches };
}
const open: Spawner[] = [];
afterEach(() => {
  for (const spawner of open.splice(0)) spawner.close();
});

/** As a step is: it reads its gate first. */
const shell = (script: string, more: Partial<Spawn> = {}): Spawn => ({
  file: '/bin/bash',
  argv: ['bash', '--noprofile', '--norc', '-c', `read -r -u 3 || exit 125; ${script}`],
  cwd: folder,
  env: { PATH: '/usr/bin:/bin' },
  ...more,
});

/** Until one is at hand. */
async function started(spawner: Spawner, batches: readonly Batch[], what: Spawn): Promise<Child> {
  const first = await spawner.start(what);
  if (first !== null) return first;
  await eventually(() => batches.some((batch) => batch.isReady()), 'a spawner is loaded');
  const child = await spawner.start(what);
  if (child === null) throw new Error('nobody started it');
  return child;
}

async function ranOf(child: Child) {
  const said = ['', '', ''];
  const listen = (at: number) => (bytes: Buffer) => {
    said[at] = `${said[at]}${bytes}`;
  };
  child.stdio[1]!.on('data', listen(0));
  child.stdio[2]!.on('data', listen(1));
  child.report!.on('data', listen(2));
  const ended = [child.stdio[1]!, child.stdio[2]!, child.report!].map(
    (stream) => new Promise((resolve) => stream.once('end', resolve)),
  );
  child.stdio[3]!.end('go\n');
  const exit = await child.exited;
  await Promise.all(ended);
  return { ...exit, stdout: said[0]!, stderr: said[1]!, report: said[2]! };
}

describe('what it starts', () => {
  test('is as if it had been started here: streams, directory, environment, session', async () => {
    const { spawner, batches } = counted();
    const env = { PATH: '/usr/bin:/bin', EMPTY: '', TWO: 'a=b\nc', ÄPFEL: 'grün', 'not-a.name': 'x' };
    const script =
      'pwd; echo err >&2; echo told >&4; cat /proc/self/environ | tr "\\0" "\\n" | sort; ls /proc/self/fd';
    const child = await started(spawner, batches, shell(script, { env }));
    expect(readProcess(child.pid)).toMatchObject({
      pgid: child.pid,
      sid: child.pid,
      startTime: child.startTime,
    });
    const { stdout, ...rest } = await ranOf(child);
    expect(rest).toEqual({ exitCode: 0, signal: null, stderr: 'err\n', report: 'told\n' });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe(folder);
    for (const line of ['EMPTY=', 'TWO=a=b', 'c', 'ÄPFEL=grün', 'not-a.name=x'])
      expect(lines).toContain(line);
    expect(stdout).not.toContain('PLANWRIGHT_HELPER');
    const own = spawnSync('/bin/ls', ['/proc/self/fd'], {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    });
    expect(stdout.endsWith(`\n${own.stdout}`)).toBe(true);
  });

  test('ends as it ended', async () => {
    const { spawner, batches } = counted();
    const ends = async (script: string) => {
      const { exitCode, signal } = await ranOf(await started(spawner, batches, shell(script)));
      return exitCode ?? signal;
    };
    expect(await ends('exit 137')).toBe(137);
    expect(await ends('kill -KILL $$')).toBe('SIGKILL');
    expect(await ends('exit 7')).toBe(7);
  });

  test('gets nothing of what the one before it had', async () => {
    const { spawner, batches } = counted();
    await ranOf(await started(spawner, batches, shell('true', { env: { PATH: '/bin', A: '1', B: '2' } })));
    const { stdout } = await ranOf(
      await started(spawner, batches, shell('echo "$A,$B,$C"', { env: { PATH: '/bin', B: '3', C: '4' } })),
    );
    expect(stdout).toBe(',3,4\n');
  });

  test('may report more than a pipe holds', async () => {
    const { spawner, batches } = counted();
    const child = await started(spawner, batches, shell('head -c 3000000 /dev/zero | tr "\\0" x >&4'));
    const { report, exitCode } = await ranOf(child);
    expect([exitCode, report.length]).toEqual([0, 3_000_000]);
  });

  test('runs nothing where its gate is closed', async () => {
    const { spawner, batches } = counted();
    const child = await started(spawner, batches, shell('echo ran'));
    child.stdio[3]!.destroy();
    expect(await child.exited).toEqual({ exitCode: 125, signal: null });
  });

  test('is left to others where it cannot be told or taken', async () => {
    const { spawner, batches } = counted();
    await ranOf(await started(spawner, batches, shell('true')));
    for (const more of [
      { cwd: join(folder, 'none') },
      { cwd: '/etc/hostname' },
      { env: { A: 'x\0y' } },
      { env: { A: 'x'.repeat(200_000) } },
    ])
      expect(await spawner.start(shell('true', more))).toBeNull();
  });
});

describe('one spawner', () => {
  test('is for many, and replaced before it is used up', async () => {
    const { spawner, batches } = counted({ ways: 8 });
    let own = 0;
    for (let n = 0; n < 40; n += 1) {
      await eventually(
        () => n === 0 || batches.some((batch) => batch.isReady() && batch.left() > 0),
        'one is ready',
      );
      const child = await spawner.start(shell('true'));
      if (child === null) own += 1;
      else await ranOf(child);
    }
    // The first is started before one is loaded; 39 by eights.
    expect(own).toBe(1);
    expect(batches.length).toBeGreaterThanOrEqual(5);
    expect(batches.length).toBeLessThanOrEqual(10);
  });

  test('is not loaded for a command or two', async () => {
    const { spawner, batches } = counted({ without: 3 });
    for (const _ of [1, 2]) expect(await spawner.start(shell('true'))).toBeNull();
    expect(batches).toEqual([]);
  });

  test('is loaded before the first command where more than a few are expected', async () => {
    const { spawner, batches } = counted({ without: 2 });
    spawner.expect(2);
    expect(batches).toEqual([]);
    spawner.expect(3);
    spawner.expect(3);
    await eventually(() => batches[0]?.isReady() === true, 'it is loaded');
    for (const _ of [1, 2, 3]) await ranOf((await spawner.start(shell('true')))!);
    expect(batches).toHaveLength(1);
  });

  test('that does not last is done without', async () => {
    const { spawner, batches } = counted({ perl: '/bin/false' });
    expect(await spawner.start(shell('true'))).toBeNull();
    await eventually(() => batches[0]!.isLost(), 'it is gone');
    for (const _ of [1, 2, 3]) expect(await spawner.start(shell('true'))).toBeNull();
    expect(batches).toHaveLength(1);
  });

  test('that is killed leaves what it started to nobody: it is told that none saw how it ended', async () => {
    const { spawner, batches } = counted();
    const child = await started(spawner, batches, shell('sleep 60'));
    const spawning = readProcess(child.pid)!.ppid;
    expect(startingEnvironment(spawning)).toContain('PLANWRIGHT_HELPER=');
    process.kill(spawning, 'SIGKILL');
    expect(await child.exited).toEqual({ exitCode: null, signal: null });
    process.kill(child.pid, 'SIGKILL');
  });

  test('ends when it is closed, and with what it started only', async () => {
    const { spawner, batches } = counted();
    const child = await started(spawner, batches, shell('true'));
    const spawning = readProcess(child.pid)!.ppid;
    spawner.close();
    expect((await ranOf(child)).exitCode).toBe(0);
    await eventually(() => readProcess(spawning) === null, 'it is gone');
  });
});

describe('a shell that was made ready', () => {
  test('is the one that is started, and nothing has run before', async () => {
    const { spawner, batches } = counted();
    await ranOf(await started(spawner, batches, shell('true')));
    const left = batches[0]!.left();
    spawner.prepare(shell('echo ran'));
    expect(batches[0]!.left()).toBe(left - 1);
    const child = (await spawner.start(shell('echo ran')))!;
    expect(batches[0]!.left()).toBe(left - 1);
    expect(await ranOf(child)).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
  });

  test('is no other’s: another environment or directory starts another', async () => {
    const { spawner, batches } = counted();
    await ranOf(await started(spawner, batches, shell('true')));
    spawner.prepare(shell('echo $A', { env: { PATH: '/bin', A: 'old' } }));
    const child = (await spawner.start(shell('echo $A', { env: { PATH: '/bin', A: 'new' } })))!;
    expect((await ranOf(child)).stdout).toBe('new\n');
  });

  test('that died meanwhile is not handed out', async () => {
    const { spawner, batches } = counted();
    await ranOf(await started(spawner, batches, shell('true')));
    spawner.prepare(shell('echo ran', { file: '/bin/false' }));
    spawner.prepare(shell('echo ran'));
    const child = (await spawner.start(shell('echo ran')))!;
    expect((await ranOf(child)).stdout).toBe('ran\n');
  });

  test('and that nobody asked for is gone with the spawner', async () => {
    const { spawner, batches } = counted();
    const first = await started(spawner, batches, shell('true'));
    const spawning = readProcess(first.pid)!.ppid;
    await ranOf(first);
    spawner.prepare(shell('echo ran'));
    spawner.close();
    await eventually(() => !groupExists(spawning), 'it is gone with what it made ready');
  });
});
