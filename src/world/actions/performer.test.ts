import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MAX_PICTURE_BYTES, StepResult } from '../../core/contract/index.ts';
import { findMarked } from '../process/index.ts';
import { eventually } from '../process/testing.ts';
import { memoryOutput, perform, stepOf, testPerformer } from './testing.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-actions-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const performer = testPerformer();
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

describe('a step that does what it should', () => {
  test('succeeds, with its tails, its session and its log', async () => {
    const output = memoryOutput();
    const result = await perform({
      performer: testPerformer({ output }),
      step: stepOf('echo out; echo err >&2; export A=1; cd /usr'),
      workspace,
    });
    expect(StepResult.parse(result)).toMatchObject({
      exitCode: 0,
      signal: null,
      session: { cwd: '/usr', env: { A: '1', OLDPWD: workspace } },
      stdoutTail: 'out\n',
      stderrTail: 'err\n',
      outputBytes: 8,
      outputTruncated: false,
      leftover: false,
      expectation: null,
    });
    expect(result.why).toBeUndefined();
    expect(result.message).toBeUndefined();
    expect([...output.ended]).toEqual(['s#0']);
    expect(output.text().split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  test('a script is run whole', async () => {
    const script = 'set -e\nfor i in 1 2 3; do\n  echo "$i"\ndone';
    const result = await perform({ performer, step: stepOf({ kind: 'run-script', script }) });
    expect(result.stdoutTail).toBe('1\n2\n3\n');
  });
});

describe('a step that fails on its way tells how far it came', () => {
  test.each([
    ['true && echo a && false && echo b', { done: ['true', 'echo a'], failed: 'false' }],
    ['echo a\nfalse\necho b', { done: ['echo a'], failed: 'false' }],
    ['true && echo a\nfalse\necho b', { done: ['true', 'echo a'], failed: 'false' }],
    ['set -e\necho a\nfalse', { done: ['set -e', 'echo a'], failed: 'false' }],
    ['false', undefined],
    ['for i in 1 2; do false; done; false', undefined],
    ['true && (false)', undefined],
  ])('%s', async (command, halfway) => {
    expect((await perform({ performer, step: stepOf(command) })).halfway).toEqual(halfway);
  });

  test('and says nothing where it went well', async () => {
    const result = await perform({ performer, step: stepOf('echo a; echo b') });
    expect(result).toMatchObject({ exitCode: 0, stdoutTail: 'a\nb\n' });
    expect(result.halfway).toBeUndefined();
  });
});

describe('a step of several lines stops at the first that fails', () => {
  test.each([
    ['echo a\nsh -c "exit 4"\necho b', 4, 'a\n'],
    ['echo a && sh -c "exit 4" && echo c\necho b', 4, 'a\n'],
    ['cd nosuch\necho b', 1, ''],
    ['set +e\nfalse\necho b', 0, 'b\n'],
    ['false; echo b', 0, 'b\n'],
  ])('%j', async (command, exitCode, stdoutTail) => {
    const step = stepOf(command);
    expect(await perform({ performer, step })).toMatchObject({ exitCode, stdoutTail });
  });
});

describe('a step that fails says why', () => {
  test.each([
    ['exit 2', 'exit-code', 'exited with code 2'],
    ['sh -c "kill -9 \\$\\$"', 'exit-code', 'exited with code 137 (a command was ended by SIGKILL)'],
    ['kill -9 $$', 'signal', 'ended by SIGKILL'],
  ])('%s', async (command, why, message) => {
    expect(await perform({ performer, step: stepOf(command) })).toMatchObject({ why, message });
  });

  test('a missing directory', async () => {
    const session = { cwd: join(workspace, 'gone'), env: {} };
    expect(await perform({ performer, step: stepOf('true'), session })).toMatchObject({
      why: 'not-started',
      message: `could not be started: the directory ${session.cwd} does not exist`,
    });
  });

  test('a missing bash', async () => {
    const result = await perform({
      performer: testPerformer({ baseEnv: { PATH: '/x' } }),
      step: stepOf('true'),
    });
    expect(result).toMatchObject({
      why: 'not-started',
      message: 'could not be started: bash was not found on the PATH',
    });
  });

  test.each([
    ['a tool that is not there', 't', {}, 'there is no tool t'],
    ['what a plan has a word for', 'run_command', { command: 'id' }, 'use RUN_COMMAND'],
  ])('%s', async (_, tool, args, message) => {
    const step = stepOf({ kind: 'call-tool', tool, args });
    expect(await perform({ performer, step })).toMatchObject({
      why: 'unsupported',
      message: expect.stringContaining(message),
    });
  });

  test('a picture that is none, is too large, or is not there', async () => {
    const view = (path: string) =>
      perform({
        performer,
        step: stepOf({ kind: 'call-tool', tool: 'view_picture', args: { path } }),
        workspace,
      });
    writeFileSync(join(workspace, 'text.png'), 'no picture');
    writeFileSync(join(workspace, 'large.png'), Buffer.concat([png, Buffer.alloc(MAX_PICTURE_BYTES)]));
    for (const [path, message] of [
      ['text.png', 'text.png is no PNG, JPEG, GIF or WebP'],
      ['large.png', 'large.png is larger than 3.5 MB'],
      ['none.png', 'there is no file'],
    ] as const)
      expect(await view(path)).toMatchObject({
        why: 'not-started',
        message: expect.stringContaining(message),
      });
    expect(await view('../../etc/hostname')).toMatchObject({ why: 'blocked' });
  });

  test('PowerShell, where there is none', async () => {
    const nowhere = testPerformer({ baseEnv: { PATH: '/x' }, output: memoryOutput(workspace) });
    for (const action of [
      stepOf('dir').action,
      { kind: 'start', name: 'n', command: 'c', keep: false } as const,
    ]) {
      expect(await perform({ performer: nowhere, step: stepOf(action), shell: 'pwsh' })).toMatchObject({
        why: 'unsupported',
        message: 'could not be started: pwsh was not found on the PATH',
      });
    }
  });

  test('an interactive step without a terminal', async () => {
    expect(await perform({ performer, step: stepOf('cat', { interactive: true }) })).toMatchObject({
      why: 'no-terminal',
      message: 'it has to be answered at a terminal, and there is none',
    });
  });
});

describe('expects', () => {
  test.each([
    ['exit 2', 'exit 2', undefined, undefined],
    ['true', 'exit 2', 'expectation', 'expected it to exit with code 2, and it exited with code 0'],
    ['exit 3', 'exit 2', 'exit-code', 'exited with code 3, and code 2 was expected'],
    ['true', 'file exists no.txt', 'expectation', 'expected file no.txt to exist, and it does not'],
    ['touch yes.txt', 'file exists yes.txt', undefined, undefined],
    ['mkdir -p sub; cd sub', 'file missing sub/yes.txt', undefined, undefined],
    ['echo hello', 'stdout contains hello', undefined, undefined],
    [
      'echo hello',
      'stderr contains hello',
      'expectation',
      'expected stderr to contain "hello", and it does not',
    ],
    ['echo fine, really', 'all is well', undefined, undefined],
  ])('%s, %s', async (command, expects, why, message) => {
    const result = await perform({ performer, step: stepOf(command, { expects }), workspace });
    expect([result.why, result.message]).toEqual([why, message]);
  });

  test('is looked at before the attempt where that is possible', async () => {
    const seen: (boolean | null)[] = [];
    const spawned = (_: unknown, heldBefore: boolean | null) => seen.push(heldBefore) > 0;
    writeFileSync(join(workspace, 'there'), '');
    for (const expects of [
      'file exists there',
      'file exists not-there',
      'exit 0',
      'stdout contains x',
      'prose',
    ]) {
      await perform({ performer, step: stepOf('true', { expects }), workspace, spawned });
    }
    expect(seen).toEqual([true, false, null, null, null]);
  });

  test('a step that failed keeps what was seen of its promise', async () => {
    const step = stepOf('touch made; exit 1', { expects: 'file exists made' });
    expect(await perform({ performer, step, workspace })).toMatchObject({
      why: 'exit-code',
      expectation: { held: true, sentence: 'file made exists' },
    });
  });
});

describe('ending', () => {
  test.each([
    ['timeout', 'timeout', 'timed out after 0.2 s'],
    ['cancelled', 'aborted', 'ended because the run was cancelled'],
    ['skipped', 'aborted', 'ended because the step was skipped'],
    ['lost', 'aborted', 'ended because this driver lost the run'],
  ])('on %s', async (reason, why, message) => {
    const stop = new AbortController();
    const spawned = () => {
      setTimeout(() => stop.abort(reason), 50);
      return true;
    };
    const step = stepOf('echo begun; sleep 60', { timeoutMs: 200 });
    const result = await perform({ performer, step, signal: stop.signal, spawned });
    expect(result).toMatchObject({ why, message, signal: 'SIGTERM', leftover: false });
  });

  test('an interactive step, which has no group of its own, with all that it started', async () => {
    const stop = new AbortController();
    const begun = join(workspace, 'interactive');
    const terminal = { take: async () => {}, give: () => {} };
    const run = `interactive-${process.pid}`;
    const attempt = perform({
      performer: testPerformer({ terminal }),
      step: stepOf(`sleep 61 & touch ${begun}; sleep 62`, { interactive: true }),
      run,
      signal: stop.signal,
    });
    await eventually(() => existsSync(begun), 'the step runs');
    stop.abort('cancelled');
    expect(await attempt).toMatchObject({ why: 'aborted', message: 'ended because the run was cancelled' });
    expect(findMarked({ run })).toEqual([]);
  });

  test('a timeout is told as it was set, without the time that ending took', async () => {
    const stop = new AbortController();
    let now = 0;
    const spawned = () => {
      now += 700;
      setTimeout(() => {
        stop.abort('timeout');
        now += 5_000;
      });
      return true;
    };
    const patient = testPerformer({ clock: { now: () => now, sleepUntil: async () => {} } });
    const step = stepOf('sleep 60');
    const { message } = await perform({ performer: patient, step, signal: stop.signal, spawned });
    expect(message).toBe('timed out after 0.7 s');
  });

  test('before it was let run', async () => {
    const stop = new AbortController();
    const file = join(workspace, 'ran-anyway');
    const spawned = () => {
      stop.abort('cancelled');
      return true;
    };
    const step = stepOf(`touch ${file}`, { expects: `file missing ${file}` });
    const result = await perform({ performer, step, signal: stop.signal, spawned });
    expect(result).toMatchObject({ why: 'aborted', expectation: { held: true } });
  });

  test('before it was started', async () => {
    const result = await perform({ performer, step: stepOf('true'), signal: AbortSignal.abort('cancelled') });
    expect(result).toMatchObject({ why: 'aborted', exitCode: null });
  });
});

describe('gated: nothing runs that was not permitted', () => {
  const file = join(workspace, 'forbidden');
  const step = stepOf(`touch ${file}`);
  const forbidden = async (result: Promise<StepResult>) => {
    expect(await result).toMatchObject({ why: 'internal', message: expect.stringContaining('permit') });
    const look = await perform({ performer, step: stepOf(`test ! -e ${file}`) });
    expect(look.exitCode).toBe(0);
  };

  test('another action than was judged', () =>
    forbidden(
      perform({
        performer,
        step: stepOf('true'),
        meanwhile: (state) => ({ ...state, plan: { ...state.plan!, steps: [step] } }),
      }),
    ));

  test('another directory than was judged, be it by a link that was turned', () => {
    const link = join(workspace, 'turning');
    mkdirSync(join(workspace, 'one'));
    symlinkSync(join(workspace, 'one'), link);
    const meanwhile = () => {
      rmSync(link);
      symlinkSync('/', link);
      return undefined;
    };
    return forbidden(perform({ performer, step, session: { cwd: link, env: {} }, meanwhile }));
  });

  test('a permit that nobody made, and one that was used', async () => {
    const work = {
      run: 'r',
      revision: 0,
      step,
      attemptIndex: 0,
      session: { cwd: '/', env: {} },
      workspace: '/',
      shell: 'bash' as const,
      values: {},
      items: null,
      grants: null,
      unseen: false,
      earlier: [],
    };
    const yes = async () => true;
    const { signal } = new AbortController();
    const hooks = { signal, spawned: yes, listening: yes, prepared: yes, checkpointed: yes };
    const judged = await performer.judge(work, hooks.signal);
    const attempt = { ...work, epoch: 1, item: null, judged, services: [], begun: null };
    await forbidden(performer.attempt(attempt, {} as never, hooks));
    let kept: Parameters<typeof performer.attempt> | undefined;
    const spy = {
      ...performer,
      attempt: (...args: NonNullable<typeof kept>) => performer.attempt(...(kept = args)),
    };
    await perform({ performer: spy, step: stepOf('true') });
    const again = { ...kept![0], step };
    await forbidden(performer.attempt(again, kept![1], kept![2]));
  });

  test('a driver that lost its claim lets nothing run', async () => {
    const result = await perform({ performer, step, spawned: () => false });
    expect(result).toMatchObject({ why: 'not-started', message: 'not started: this driver lost the run' });
    const failed = await perform({ performer, step, spawned: () => Promise.reject(new Error('disk full')) });
    expect(failed).toMatchObject({ why: 'not-started', message: expect.stringContaining('disk full') });
    expect((await perform({ performer, step: stepOf(`test ! -e ${file}`) })).exitCode).toBe(0);
  });
});

describe('judging', () => {
  test('names exactly what would be done, links resolved', async () => {
    const link = join(workspace, 'link');
    symlinkSync(workspace, link);
    const { subject } = await performer.judge(
      {
        run: 'r',
        revision: 3,
        step: stepOf('true'),
        session: { cwd: link, env: {} },
        workspace,
        shell: 'bash',
        values: {},
        items: null,
        grants: null,
        unseen: false,
        earlier: [],
      },
      new AbortController().signal,
    );
    const action = { kind: 'run-command', command: 'true' };
    expect(subject).toEqual({ run: 'r', stepId: 's', revision: 3, action, cwd: workspace, paths: [] });
  });

  test('a judge that throws is a person’s question', async () => {
    const broken = testPerformer({
      judge: () => {
        throw new Error('no grammar');
      },
    });
    const { verdict } = await broken.judge(
      {
        run: 'r',
        revision: 0,
        step: stepOf('true'),
        session: { cwd: '/', env: {} },
        workspace,
        shell: 'bash',
        values: {},
        items: null,
        grants: null,
        unseen: false,
        earlier: [],
      },
      new AbortController().signal,
    );
    expect(verdict).toMatchObject({
      level: 'dangerous',
      reasons: [{ sentence: 'it could not be judged: no grammar' }],
    });
  });
});

describe('output', () => {
  test('secrets are filtered from log and tails, a stream at a time', async () => {
    const output = memoryOutput();
    const filterSecrets = () => {
      let held = '';
      return {
        write: (chunk: Uint8Array) => {
          held += Buffer.from(chunk);
          return new Uint8Array();
        },
        flush: () => Buffer.from(held.replaceAll('hunter2', '***')),
      };
    };
    const step = stepOf('printf hun; printf out >&2; sleep 0.05; printf ter2');
    const result = await perform({ performer: testPerformer({ output, filterSecrets }), step });
    expect([result.stdoutTail, result.stderrTail, output.text()]).toEqual(['***', 'out', '***out']);
  });

  test('a log that cannot be written stops no command, and is told', async () => {
    const writer = async () => ({
      write: () => Promise.reject(new Error('disk full')),
      end: async () => {},
    });
    const result = await perform({
      performer: testPerformer({ output: { ...memoryOutput(), writer } }),
      step: stepOf('echo a'),
    });
    expect(result).toMatchObject({
      exitCode: 0,
      stdoutTail: 'a\n',
      outputTruncated: true,
      message: 'its output log is incomplete: disk full',
    });
    expect(result.why).toBeUndefined();
  });

  test('a log that cannot be opened: nothing is begun', async () => {
    const writer = () => Promise.reject(new Error('disk full'));
    const result = await perform({
      performer: testPerformer({ output: { ...memoryOutput(), writer } }),
      step: stepOf('echo a'),
    });
    expect(result).toMatchObject({ why: 'not-started', message: expect.stringContaining('disk full') });
  });

  test('a slow log loses nothing', async () => {
    const received: Uint8Array[] = [];
    const writer = async () => ({
      write: (chunk: Uint8Array) =>
        new Promise<void>((resolve) => {
          received.push(chunk);
          setTimeout(resolve, 20);
        }),
      end: async () => {},
    });
    const result = await perform({
      performer: testPerformer({ output: { ...memoryOutput(), writer } }),
      step: stepOf('head -c 20000000 /dev/zero'),
    });
    expect(result).toMatchObject({ outputBytes: 20_000_000, outputTruncated: true });
    expect(Buffer.concat(received)).toHaveLength(20_000_000);
  });
});
