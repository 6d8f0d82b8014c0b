import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileChange } from '../../src/core/contract/index.ts';
import { stepOf, testPerformer } from '../../src/world/actions/testing.ts';
import { bootId, hostHere } from '../../src/world/process/identity.ts';
import { bundled } from '../support/program.ts';
import { actionOf } from './lines.ts';

let base: string;
let workspace: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pw-killed-')));
  workspace = join(base, 'ws');
  mkdirSync(join(workspace, 'dir/deep'), { recursive: true });
  writeFileSync(join(workspace, 'file'), 'old');
  writeFileSync(join(workspace, 'dir/deep/a'), 'a');
  symlinkSync('../file', join(workspace, 'dir/link'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Starts a driver; resolves when it has prepared its changes. */
async function startDriver(moment: string, line: string) {
  const args = [bundled(import.meta.dirname, 'driver.ts'), moment, workspace, join(base, 'logs'), line];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const [text] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, exited, prepared: JSON.parse(text) as FileChange[] };
}

const recover = (line: string, prepared: FileChange[] | null, expects?: string) =>
  testPerformer().recover({
    run: `crash-${join(base, 'logs')}`,
    epoch: 1,
    step: stepOf(actionOf(line), expects === undefined ? {} : { expects }),
    attemptIndex: 0,
    session: { cwd: workspace, env: {} },
    workspace,
    shell: 'bash',
    host: hostHere(),
    boot: bootId(),
    spawned: null,
    prepared,
    values: {},
    items: null,
    item: null,
  });

/** Everything in the workspace, with its content, so that two moments can be compared. */
const snapshot = (): string[] =>
  readdirSync(workspace, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? readFileSync(path, 'utf8') : entry.isDirectory() ? '/' : '->'}`;
    })
    .sort();

const lines = [
  'WRITE_FILE new "content"',
  'APPEND_FILE file "more"',
  'EDIT_FILE file "old" "new"',
  'CREATE_DIR a/b/c',
  'COPY_PATH dir copy',
  'COPY_PATH dir/link copy',
  'MOVE_PATH dir moved',
  'DELETE_PATH dir',
];

describe.each(lines)('%s', (line) => {
  test('killed before it changed anything: not started', async () => {
    const before = snapshot();
    const { exited, prepared } = await startDriver('prepared', line);
    await exited;
    expect(await recover(line, prepared)).toMatchObject({ finding: 'not-started' });
    expect(snapshot()).toEqual(before);
  });

  test('killed after it changed everything: done', async () => {
    const { exited, prepared } = await startDriver('changed', line);
    await exited;
    const after = snapshot();
    const found = await recover(line, prepared);
    expect(found).toMatchObject({
      finding: 'done',
      result: { message: expect.stringContaining('found done after an interruption') },
    });
    expect(await recover(line, prepared, 'file exists not-there')).toMatchObject({ finding: 'unknown' });
    expect(snapshot()).toEqual(after);
  });
});

test('nothing prepared: not started', async () => {
  expect(await recover('READ_FILE file AS v', null)).toMatchObject({ finding: 'not-started' });
});

test('somebody else was there since: nobody knows', async () => {
  const { exited, prepared } = await startDriver('prepared', 'WRITE_FILE file "new"');
  await exited;
  writeFileSync(join(workspace, 'file'), 'theirs');
  expect(await recover('WRITE_FILE file "new"', prepared)).toEqual({
    finding: 'unknown',
    detail: `${workspace}/file is neither as it was before nor as it was to become`,
  });
});

test('folders of which only some were made are made again', async () => {
  const { exited, prepared } = await startDriver('prepared', 'CREATE_DIR a/b/c');
  await exited;
  mkdirSync(join(workspace, 'a'));
  expect(await recover('CREATE_DIR a/b/c', prepared)).toMatchObject({ finding: 'not-started' });
});

describe('killed at any moment of a large change', () => {
  const size = 200;
  const fill = (): void => {
    mkdirSync(join(workspace, 'big'));
    for (let i = 0; i < size; i += 1) writeFileSync(join(workspace, `big/${i}`), 'x'.repeat(10_000));
  };
  const whole = (path: string): number => {
    const names = readdirSync(join(workspace, path));
    expect(names.every((name) => statSync(join(workspace, path, name)).size === 10_000)).toBe(true);
    return names.length;
  };

  test.each(['COPY_PATH big copy', 'DELETE_PATH big'])('%s is whole or not at all', async (line) => {
    fill();
    cpSync(workspace, join(base, 'saved'), { recursive: true, verbatimSymlinks: true });
    const findings = new Set<string>();
    for (const delay of [0, 5, 20, 60, 300]) {
      const { child, exited, prepared } = await startDriver('never', line);
      await sleep(delay);
      child.kill('SIGKILL');
      await exited;
      const { finding } = await recover(line, prepared);
      findings.add(finding);
      const names = readdirSync(workspace).sort();
      const made = line.startsWith('COPY') ? ['big', 'copy', 'dir', 'file'] : ['dir', 'file'];
      expect(names).toEqual(finding === 'done' ? made : ['big', 'dir', 'file']);
      for (const name of names.filter((each) => each === 'big' || each === 'copy'))
        expect(whole(name)).toBe(size);
      rmSync(workspace, { recursive: true });
      cpSync(join(base, 'saved'), workspace, { recursive: true, verbatimSymlinks: true });
    }
    expect([...findings].filter((finding) => finding === 'unknown')).toEqual([]);
  });
});
