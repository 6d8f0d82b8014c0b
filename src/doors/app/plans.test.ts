import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { shellText } from '../../core/contract/index.ts';
import { loadPlan } from './plans.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-plans-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const load = (page: string, more: { terminal?: boolean; only?: string } = {}) => {
  writeFileSync(join(workspace, 'P.md'), page);
  return loadPlan({ path: 'P.md', cwd: workspace, workspace, env: { PATH: '' }, ...more });
};
const runs = async (...args: Parameters<typeof load>) => {
  const loaded = await load(...args);
  return loaded.ok ? loaded.plan.steps.map(({ action }) => shellText(action)) : loaded.problems;
};

test('of several ways the one is taken that the lock file of the workspace names', async () => {
  const page = '# P\n\n```sh\n$ npm install x\n```\n\n```sh\n$ yarn add x\n```\n';
  expect(await runs(page)).toEqual(['npm install x']);
  writeFileSync(join(workspace, 'yarn.lock'), '');
  expect(await runs(page)).toEqual(['yarn add x']);
  expect(await runs(page, { only: 'npm' })).toEqual(['npm install x']);
});

test('a page with an editor, a bad block and a placeholder is run without them, or with them at a terminal', async () => {
  const page =
    '# P\n\n## A\n\n```sh\nls\n```\n\n## B\n\n```sh\nnano x\n```\n\n```console\nengage warp nine\n```\n\n```sh\nnp <version>\n```\n';
  expect(await runs(page)).toEqual(['ls']);
  expect(await runs(page, { only: 'A' })).toEqual(['ls']);
  expect(await runs(page, { terminal: true })).toEqual(['ls', 'nano x']);
  const { problems } = await load(page, { only: 'A' });
  expect(problems.filter(({ code }) => code === 'left-out')).toEqual([]);
});
