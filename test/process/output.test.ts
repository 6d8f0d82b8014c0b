import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ProcessGroup } from '../../src/core/contract/index.ts';
import { memoryOutput, perform, stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { inspectGroup } from '../../src/world/process/index.ts';
import { eventually } from '../support/processes.ts';
import { howMany } from '../support/scale.ts';

const unaborted = new AbortController().signal;

const discard = { ...memoryOutput(), writer: async () => ({ write: async () => {}, end: async () => {} }) };

test('400 MB of output pass in bounded memory', async () => {
  const performer = testPerformer({ output: discard });
  await perform({ performer, step: stepOf('head -c 1000000 /dev/zero') });
  let most = 0;
  const before = process.memoryUsage();
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before.rss);
  }, 5);
  const result = await perform({ performer, step: stepOf('head -c 400000000 /dev/zero; echo end') });
  clearInterval(watch);
  expect(result).toMatchObject({ exitCode: 0, outputBytes: 400_000_004, outputTruncated: true });
  expect(result.stdoutTail.endsWith('\0end\n')).toBe(true);
  expect(Buffer.byteLength(result.stdoutTail)).toBe(8 * 1024);
  // Mostly garbage that has not been collected yet; what matters is that it stops growing.
  expect(most).toBeLessThan(200 * 1024 * 1024);
});

test('bytes of every value pass unchanged', async () => {
  const output = memoryOutput();
  const bytes = Buffer.from(Array.from({ length: 256 * 400 }, (_, at) => (at * 7 + (at >> 8)) % 256));
  const collected: Buffer[] = [];
  const writer = async (...args: Parameters<typeof output.writer>) => ({
    ...(await output.writer(...args)),
    write: async (chunk: Uint8Array) => void collected.push(Buffer.from(chunk)),
  });
  const step = stepOf(`base64 -d <<'END'\n${bytes.toString('base64')}\nEND`);
  const result = await perform({ performer: testPerformer({ output: { ...memoryOutput(), writer } }), step });
  expect(result.exitCode).toBe(0);
  expect(Buffer.concat(collected).equals(bytes)).toBe(true);
});

test('a script of 300 kB comes through the gate as it is', async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => `# line ${at} ${'é✓\\"$`'.repeat(8)}`);
  const body = lines.join('\n');
  const script = `cat <<'END' | sha256sum\n${body}\nEND\nexit 7`;
  expect(Buffer.byteLength(script)).toBeGreaterThan(300_000);
  const result = await perform({ performer: testPerformer(), step: stepOf({ kind: 'run-script', script }) });
  expect(result.exitCode).toBe(7);
  expect(result.stdoutTail).toContain(createHash('sha256').update(`${body}\n`).digest('hex'));
});

describe('a grandchild that holds the pipe', () => {
  test('does not hold the step, and is not killed by it', async () => {
    const groups: ProcessGroup[] = [];
    const performer = testPerformer();
    const run = `grandchild-${process.pid}`;
    const folder = mkdtempSync(join(tmpdir(), 'planwright-output-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const beats = () => statSync(join(folder, 'beats'), { throwIfNoEntry: false })?.size ?? 0;
    const result = await perform({
      performer,
      run,
      step: stepOf(`(while :; do echo tick; echo tick >> ${folder}/beats; sleep 0.1; done) & echo started`),
      spawned: (group) => groups.push(group) > 0,
    });
    const atEnd = beats();
    expect(result).toMatchObject({ exitCode: 0, leftover: true });
    expect(result.stdoutTail).toContain('started');
    await eventually(() => beats() > atEnd + 20, 'it goes on after the step has ended');
    expect(inspectGroup(groups[0]!, run)).toBe('ours');
    expect(await performer.release(run, groups, [], unaborted, 1)).toEqual(groups);
  });

  test('one that let go of it costs no time', async () => {
    const performer = testPerformer();
    const run = `quiet-${process.pid}`;
    const groups: ProcessGroup[] = [];
    // The 200 ms that a pipe is waited for never pass: who waits for them waits for ever.
    const real = globalThis.setTimeout;
    const never = ((then: () => void, ms: number) => real(ms === 200 ? () => {} : then, ms)) as never;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(never);
    onTestFinished(() => void vi.restoreAllMocks());
    const result = await perform({
      performer,
      run,
      step: stepOf('sleep 60 >/dev/null 2>&1 47>&- &'),
      spawned: (group) => groups.push(group) > 0,
    });
    expect(result.leftover).toBe(true);
    await performer.release(run, groups, [], unaborted, 1);
  });

  test('its report of the session is not lost', async () => {
    const performer = testPerformer();
    const run = `report-${process.pid}`;
    const result = await perform({ performer, run, step: stepOf('sleep 60 & cd /usr; export A=1') });
    expect(result.session).toMatchObject({ cwd: '/usr', env: { A: '1' } });
    await performer.release(run, [], [], unaborted, 1);
  });
});

test('a command that ignores SIGTERM ends after the grace', async () => {
  const result = await perform({
    performer: testPerformer({ graceMs: 200 }),
    step: stepOf('trap "" TERM; echo up; while :; do sleep 0.1; done', { timeoutMs: 300 }),
    signal: AbortSignal.any([timeoutSignal(300)]),
  });
  expect(result).toMatchObject({
    why: 'timeout',
    message: 'timed out after 0.3 s',
    signal: 'SIGKILL',
    leftover: false,
  });
});

function timeoutSignal(ms: number): AbortSignal {
  const stop = new AbortController();
  setTimeout(() => stop.abort('timeout'), ms);
  return stop.signal;
}

const STEPS = howMany(50, 16);

test(`${STEPS} steps leave no file descriptor behind`, async () => {
  const performer = testPerformer();
  const open = () => readdirSync('/proc/self/fd').length;
  const stop = new AbortController();
  for (let i = 0; i < 3; i += 1) await perform({ performer, step: stepOf('echo warm') });
  // Those of the first ones are given back by and by.
  let before = open();
  await eventually(() => before === (before = open()), 'nothing is closed any more');
  for (let i = 0; i < STEPS; i += 1) {
    await perform({
      performer,
      step: stepOf(i % 2 ? 'echo out; echo err >&2' : 'exit 3'),
      signal: stop.signal,
    });
  }
  for (let i = 0; i < 5; i += 1) await perform({ performer, step: stepOf('true'), spawned: () => false });
  const nowhere = { cwd: '/nowhere', env: {} };
  for (let i = 0; i < 5; i += 1) await perform({ performer, step: stepOf('true'), session: nowhere });
  await eventually(() => open() <= before, 'they are closed');
});
