import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from './app.ts';
import { findWorkspace } from './places.ts';
import { foldersLike, typedWorkspace } from './typed-folder.ts';

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

test('a folder that is typed is that folder or none: home, relative, padded; never another', () => {
  const at = realpathSync(mkdtempSync(join(tmpdir(), 'pw-typed-')));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  for (const name of ['home/project', 'here/docs', 'here/.hidden'])
    mkdirSync(join(at, name), { recursive: true });
  writeFileSync(join(at, 'here/file'), '');
  const env = { HOME: join(at, 'home') };
  const typed = (text: string) => typedWorkspace(join(at, 'here'), text, env);
  expect(typed('~')).toBe(join(at, 'home'));
  expect(typed('~/project')).toBe(join(at, 'home/project'));
  expect(typed('docs')).toBe(join(at, 'here/docs'));
  expect(typed(`  ${at}/here/docs `)).toBe(join(at, 'here/docs'));
  expect(() => typed('not/there')).toThrow('there is no folder');
  expect(() => typed('~other')).toThrow('there is no folder');
  expect(() => typed('file')).toThrow('is a file');
  expect(() => typed('  ')).toThrow('say which folder');
  expect(() => findWorkspace(at, 'here/file')).toThrow('is a file');
  const like = (text: string) => foldersLike(join(at, 'here'), text, env);
  expect(like('d')).toEqual([join(at, 'here/docs')]);
  expect(like('~/')).toEqual([join(at, 'home/project')]);
  expect(like('.h')).toEqual([join(at, 'here/.hidden')]);
  expect(like('/nowhere/at/all')).toEqual([]);
});
