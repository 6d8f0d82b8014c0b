import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { shellText } from '../../core/contract/index.ts';
import { loadPlan, readPlanText } from './plans.ts';

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

test('the parts of a page are the headings that have commands, however they are written', async () => {
  const text =
    '# P\n\nNo commands.\n\n## Empty\n\nClean up\n--------\n\n```sh\n# none\nls\n```\n\n## `Serve`\n\n```sh\npwd\n```\n';
  const place = { workspace, env: { PATH: '' } };
  const given = { text, kind: 'runbook', name: 'P.md' } as const;
  expect((await readPlanText(given, place)).parts).toEqual(['P', 'Clean up', 'Serve']);
  expect(await readPlanText({ ...given, only: 'None' }, place)).toMatchObject({
    ok: false,
    parts: ['P', 'Clean up', 'Serve'],
  });
});
