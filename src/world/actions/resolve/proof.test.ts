import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SimpleAction } from '../../../core/contract/index.ts';
import { resolveAndJudge } from './resolve-and-judge.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pw-proof-')));
  for (const name of ['ws', 'ws/sub', 'other', 'bin', 'store']) mkdirSync(join(root, name));
  symlinkSync('sub', join(root, 'ws/link'));
  writeFileSync(join(root, 'ws/file'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const proofOf = async (action: SimpleAction, held?: () => null) => {
  const proofs: (() => boolean)[] = [];
  const workspace = join(root, 'ws');
  const place = {
    ...{ session: { cwd: workspace, env: {} }, baseEnv: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` } },
    ...{ workspace, home: root, storeDir: join(root, 'store'), shell: 'bash' as const },
  };
  await resolveAndJudge(action, place, { proves: (isStill) => proofs.push(isStill), ...(held && { held }) });
  return proofs[0];
};
const command = (text: string): SimpleAction => ({ kind: 'run-command', command: text });
const program = (name: string) => {
  writeFileSync(join(root, 'bin', name), '#!/bin/sh\n');
  chmodSync(join(root, 'bin', name), 0o755);
};
const turn = (name: string, to: string) => {
  rmSync(join(root, name), { recursive: true });
  symlinkSync(to, join(root, name));
};

describe('a judgement', () => {
  test.each<[string, SimpleAction, () => void]>([
    [
      'the folder listed is a link now',
      { kind: 'list-files', pattern: 'sub/*', as: 'a' },
      () => turn('ws/sub', '../other'),
    ],
    [
      'a link leads elsewhere',
      { kind: 'read-file', path: 'link/x', as: 'a' },
      () => turn('ws/link', '../other'),
    ],
    ['the store is elsewhere', { kind: 'read-file', path: 'file', as: 'a' }, () => turn('store', 'other')],
    ['what is read is there no more', command('cat file'), () => rmSync(join(root, 'ws/file'))],
    ['another program stands before the one that was found', command('ls'), () => program('ls')],
    ['a folder that is entered is a link now', command('cd sub && ls'), () => turn('ws/sub', '../other')],
  ])('is no longer proven where %s', async (_, action, change) => {
    const isStill = await proofOf(action);
    expect(isStill?.()).toBe(true);
    change();
    expect(isStill?.()).toBe(false);
  });

  test.each<[string, SimpleAction]>([
    ['writes', { kind: 'write-file', path: 'file', content: '' }],
    ['removes', command('rm -r sub')],
    ['goes through a pattern', command('cat *.txt')],
    ['copies all below', { kind: 'copy-path', from: 'sub', to: 'copy' }],
  ])('of what %s is made again', async (_, action) => {
    expect(await proofOf(action)).toBeUndefined();
  });

  test('of what reads a script that would be run is made again', async () => {
    expect(await proofOf(command('ls'), () => null)).toBeUndefined();
  });
});
