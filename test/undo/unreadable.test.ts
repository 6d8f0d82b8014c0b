import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCheckpoints } from '../../src/world/workspace/index.ts';
import { bundled } from '../support/program.ts';
import { quickFolder } from './places.ts';

/** Root may read everything, so there the checkpoint is taken by nobody. */
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

test('what may not be read is said to be uncovered, and the rest is covered', async () => {
  const folder = quickFolder();
  onTestFinished(() => {
    chmodSync(join(folder, 'workspace/closed'), 0o700);
    chmodSync(join(folder, 'workspace/unsearchable'), 0o700);
    rmSync(folder, { recursive: true, force: true });
  });
  const at = (path: string): string => join(folder, 'workspace', path);
  for (const path of ['closed', 'unsearchable/inner', 'open']) mkdirSync(at(path), { recursive: true });
  for (const path of ['a', 'secret', 'closed/x', 'unsearchable/y', 'open/z']) writeFileSync(at(path), path);
  if (isRoot)
    for (const path of ['..', '.', 'a', 'secret', 'closed', 'unsearchable', 'unsearchable/inner', 'open'])
      chownSync(at(path), nobody, nobody);
  chmodSync(at('secret'), 0o200);
  chmodSync(at('closed'), 0o000);
  chmodSync(at('unsearchable'), 0o400);
  const dir = join(folder, 'data');
  const args = [bundled(import.meta.dirname, 'driver.ts'), 'many', dir, at('.'), '1'];
  const options = isRoot ? { uid: nobody, gid: nobody } : {};
  const id = execFileSync(process.execPath, args, { ...options, encoding: 'utf8' }).trim();
  const checkpoints = await openCheckpoints({ dir, workspace: at('.') });
  onTestFinished(() => checkpoints.close());
  const { uncovered, covered } = await checkpoints.get(id);
  expect(uncovered.map(({ path, why }) => `${path}: ${why}`)).toEqual([
    'closed: unreadable',
    'secret: unreadable',
    'unsearchable/inner: unreadable',
    'unsearchable/y: unreadable',
  ]);
  expect(covered.files).toBe(2);
});
