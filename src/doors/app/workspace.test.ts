import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from './app.ts';

/** A claim is of a path: two names of one folder would be two claims, and two runs in it. */
test.each([
  ['given by a link', (at: string) => ({ cwd: '/', workspace: join(at, 'link') })],
  ['by a link, from where one stands', (at: string) => ({ cwd: at, workspace: 'link' })],
  ['below a link', (at: string) => ({ cwd: at, workspace: 'link/../real' })],
  ['where one stands in a link', (at: string) => ({ cwd: join(at, 'link') })],
])('a workspace has one name, its real path: %s', async (_how, where) => {
  const at = realpathSync(mkdtempSync(join(tmpdir(), 'pw-workspace-')));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  mkdirSync(join(at, 'real'));
  symlinkSync('real', join(at, 'link'));
  const home = join(at, 'home');
  const app = await openApp({ env: { HOME: home, PLANWRIGHT_HOME: home }, ...where(at) });
  onTestFinished(() => app.close());
  expect(app.workspace).toBe(join(at, 'real'));
});
