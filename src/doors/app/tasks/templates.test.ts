import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { templateFor } from './templates.ts';

test('what a person set counts before the file, that before what is built in; what cannot be used is passed over and said', async () => {
  const project = mkdtempSync(join(tmpdir(), 'planwright-templates-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const asked = { mode: 'plan' as const, project, settings: null, trusted: true };
  const set = (plan: string) => ({ templates: { plan } });
  expect(await templateFor(asked)).toEqual({ text: null, from: 'built-in', warning: null });
  expect(await templateFor({ ...asked, settings: set('Plan {taskTitle}') })).toMatchObject({
    from: 'settings',
  });
  mkdirSync(join(project, '.planwright/agents'), { recursive: true });
  writeFileSync(join(project, '.planwright/agents/plan.md'), 'From a file: {taskDescription}');
  expect(await templateFor(asked)).toMatchObject({ text: 'From a file: {taskDescription}', from: 'file' });
  expect(await templateFor({ ...asked, settings: set('{taskNonsense}') })).toMatchObject({
    from: 'file',
    warning: expect.stringContaining('taskNonsense'),
  });
  expect(await templateFor({ ...asked, trusted: false })).toMatchObject({
    from: 'built-in',
    warning: expect.stringContaining('not trusted'),
  });
  expect(await templateFor({ ...asked, mode: 'review', settings: set('Plan') })).toMatchObject({
    from: 'built-in',
    warning: null,
  });
});
