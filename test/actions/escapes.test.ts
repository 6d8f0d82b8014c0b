import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { caution, performAll, stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { act } from './lines.ts';

let base: string;
let workspace: string;
let outside: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pw-escapes-')));
  [workspace, outside] = [join(base, 'ws'), join(base, 'out')];
  for (const folder of [workspace, outside]) mkdirSync(folder);
  writeFileSync(join(outside, 'secret'), 'secret');
  writeFileSync(join(workspace, 'mine'), 'mine');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const performer = testPerformer();
const untouched = () => {
  expect(readdirSync(outside)).toEqual(['secret']);
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
};

/** Every action that names a path, doing something to P. */
const verbs = [
  'WRITE_FILE P "x"',
  'APPEND_FILE P "x"',
  'EDIT_FILE P "secret" "x"',
  'CREATE_DIR P/new',
  'COPY_PATH P stolen',
  'COPY_PATH mine P',
  'MOVE_PATH P stolen',
  'MOVE_PATH mine P',
  'DELETE_PATH P',
  'READ_FILE P AS v',
  'LIST_FILES P/* AS v',
];

describe.each(verbs)('%s', (verb) => {
  const attempt = async (path: string) => {
    const [result] = await act(performer, workspace, verb.replace(/\bP\b/, path));
    return result!;
  };
  const isRefused = async (path: string) => {
    expect(await attempt(path)).toMatchObject({
      why: 'blocked',
      message: expect.stringContaining('workspace'),
    });
    expect(existsSync(join(workspace, 'stolen'))).toBe(false);
    untouched();
  };

  test('.. and absolute paths', async () => {
    await isRefused('../out/secret');
    await isRefused('./../out/secret');
    await isRefused(join(outside, 'secret'));
    await isRefused('/etc/passwd');
  });

  test('a link that is there, on the way and around the corner', async () => {
    symlinkSync('../out', join(workspace, 'link'));
    symlinkSync('link', join(workspace, 'again'));
    await isRefused('link/secret');
    await isRefused('again/secret');
  });

  test('a link at the end', async () => {
    symlinkSync(join(outside, 'secret'), join(workspace, 'end'));
    const own = /^(COPY_PATH|MOVE_PATH|DELETE_PATH)/.test(verb);
    if (own) await attempt('end');
    else await isRefused('end');
    untouched();
  });

  test('a link to nowhere', async () => {
    symlinkSync('../out/new', join(workspace, 'dangling'));
    symlinkSync('../out/none', join(workspace, 'way'));
    await attempt('dangling');
    untouched();
    await isRefused('way/x');
  });
});

describe('what is no file', () => {
  test.each(verbs.filter((verb) => !/^(DELETE|MOVE_PATH P |LIST|CREATE)/.test(verb)))('%s', async (verb) => {
    execFileSync('mkfifo', [join(workspace, 'pipe')]);
    const [pipe] = await act(performer, workspace, verb.replace(/\bP\b/, 'pipe'));
    expect(pipe).toMatchObject({ why: 'blocked', message: expect.stringContaining('is a named pipe') });
    const [device] = await act(
      performer,
      '/dev',
      verb.replace(/\bP\b/, '/dev/null').replace('mine', 'stdin'),
    );
    expect(device?.message).toMatch(/\/dev\/null is a device|no permit|not found/);
  });

  test('a folder with a pipe in it is not copied, and nothing is left of the try', async () => {
    mkdirSync(join(workspace, 'dir'));
    execFileSync('mkfifo', [join(workspace, 'dir/pipe')]);
    const [result] = await act(performer, workspace, 'COPY_PATH dir copy');
    expect(result).toMatchObject({
      why: 'blocked',
      message: expect.stringContaining('dir/pipe is a named pipe'),
    });
    expect(readdirSync(workspace).sort()).toEqual(['dir', 'mine']);
  });
});

test('a link that was turned between the judgement and the attempt voids the permit', async () => {
  mkdirSync(join(workspace, 'one'));
  mkdirSync(join(workspace, 'two'));
  symlinkSync('one', join(workspace, 'link'));
  const [result] = await act(performer, workspace, 'WRITE_FILE link/x "x"', {
    meanwhile: () => {
      rmSync(join(workspace, 'link'));
      symlinkSync('two', join(workspace, 'link'));
      return undefined;
    },
  });
  expect(result).toMatchObject({ why: 'internal', message: expect.stringContaining('permit') });
  expect(readdirSync(join(workspace, 'two'))).toEqual([]);
});

/** Turns `a` from a thing of the workspace into a link to the outside and back, as fast as it can. */
const flipper = `
  const fs = require('node:fs');
  const [ws, target] = process.argv.slice(1);
  process.chdir(ws);
  fs.symlinkSync(target, 'link');
  process.stdout.write('up');
  for (;;) {
    fs.renameSync('a', 'real'); fs.renameSync('link', 'a');
    fs.renameSync('a', 'link'); fs.renameSync('real', 'a');
  }`;

async function whileFlipping(target: string, attempts: () => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, ['-e', flipper, workspace, target], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  try {
    await once(child.stdout, 'data');
    await attempts();
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

describe('a link that is swapped in again and again', () => {
  const counts = (results: Map<string, number>) => Object.fromEntries(results);

  test('on the way: nothing is ever written, read or deleted outside', async () => {
    mkdirSync(join(workspace, 'a'));
    const seen = new Map<string, number>();
    await whileFlipping(outside, async () => {
      const lines = [
        'WRITE_FILE a/new "x"',
        'READ_FILE a/secret AS v',
        'DELETE_PATH a/secret',
        'EDIT_FILE a/secret "e" "x"',
      ];
      const isEnough = () => (seen.get('done') ?? 0) >= 50 && (seen.get('blocked') ?? 0) >= 50;
      for (let at = 0; !isEnough(); at += 1) {
        const [result] = await act(performer, workspace, lines[at % lines.length]!);
        const what = result!.why ?? 'done';
        seen.set(what, (seen.get(what) ?? 0) + 1);
        expect(result!.captured).toBeUndefined();
      }
    });
    untouched();
    expect(counts(seen)).toMatchObject({ done: expect.any(Number), blocked: expect.any(Number) });
  });

  test('at the end: neither what it leads to nor its content is touched', async () => {
    writeFileSync(join(workspace, 'a'), 'inside');
    let reads = 0;
    await whileFlipping(join(outside, 'secret'), async () => {
      for (let at = 0; reads < 100; at += 1) {
        const line = at % 3 === 0 ? 'APPEND_FILE a "x"' : 'READ_FILE a AS v';
        const [result] = await act(performer, workspace, line);
        if (result!.captured !== undefined) {
          reads += 1;
          expect(result!.captured.value).toMatch(/^(inside)?x*$/);
        }
      }
    });
    untouched();
  });
});

describe('a file with a hostile name', () => {
  test('goes through LIST_FILES and FOR_EACH as a word', async () => {
    const names = ['x; touch INJ', '$(touch INJ)', "it's", 'a b\nc', '-rf', '`touch INJ`', '{item}'];
    mkdirSync(join(workspace, 'in'));
    for (const name of names) writeFileSync(join(workspace, 'in', name), name);
    const [listed] = await act(performer, workspace, 'LIST_FILES in/* AS all');
    const items = listed!.captured!.value as string[];
    expect(items).toHaveLength(names.length);
    const results = await performAll({
      performer,
      step: stepOf({
        kind: 'for-each',
        list: 'all',
        do: { kind: 'run-command', command: 'cat {item}; pwd; cd /' },
      }),
      workspace,
      values: { all: items },
    });
    const expected = items.map((item) => `${item.slice(join(workspace, 'in/').length)}${workspace}\n`);
    expect(results.map(({ stdoutTail }) => stdoutTail)).toEqual(expected);
    expect(results.some((result) => 'session' in result)).toBe(false);
    expect(existsSync(join(workspace, 'INJ'))).toBe(false);
  });

  test('cannot lead a loop of file actions out', async () => {
    mkdirSync(join(workspace, 'sub'));
    const results = await performAll({
      performer: testPerformer({ judge: () => caution }),
      step: stepOf({ kind: 'for-each', list: 'all', do: { kind: 'delete-path', path: 'sub/{item}' } }),
      workspace,
      values: { all: ['../../out/secret'] },
    });
    expect(results).toMatchObject([{ why: 'blocked' }]);
    untouched();
  });
});
