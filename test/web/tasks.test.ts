import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { TaskState } from '../../src/core/contract/tasks/index.ts';
import { eventually } from '../support/processes.ts';
import { barriers, sizesOf } from './barriers.ts';
import { describeWeb, useStage } from './support.ts';

const column = (page: Page, name: string) => page.locator(`[data-column="${name}"]`);
const card = (page: Page, title: string) => page.getByRole('link', { name: title });
const at = (page: Page, status: string) => page.locator(`g[data-here][data-status="${status}"]`).waitFor();
const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

describeWeb('tasks on the page', () => {
  const stage = useStage();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
      cwd: stage.folder,
      encoding: 'utf8',
    });
  const makeRepository = () => {
    git('init', '-q', '-b', 'main');
    git('config', 'user.name', 'T');
    git('config', 'user.email', 't@example.com');
    writeFileSync(stage.path('README.md'), 'A project\n');
    git('add', '-A');
    git('commit', '-qm', 'First');
  };
  /** A project by the API, of a repository of this test's own. */
  const project = async (agent: string): Promise<string> => {
    makeRepository();
    const settings = { name: `p${stage.folder.slice(-6)}`, agents: { default: agent } };
    return (await stage.server.client.createProject({ path: stage.folder, settings })).id;
  };
  const task = async (of: string, title: string): Promise<string> => {
    const text = {
      title,
      description: 'So that it is there.',
      kind: 'feature' as const,
      priority: 'normal' as const,
    };
    return (await stage.server.client.createTask({ project: of, text: { ...text, dependencies: [] } })).id;
  };
  const until = async (id: string, holds: (state: TaskState) => boolean): Promise<TaskState> => {
    let state: TaskState | null = null;
    await eventually(async () => {
      ({ state } = await stage.server.client.lookAtTask(id));
      return holds(state);
    }, `task ${id}`);
    return state!;
  };
  const move = (id: string, to: string) =>
    stage.server.client.askOfStream(id, { request: { type: 'move-requested', to } });
  /** Begins to drag a card, and waits until the board knows where it may go. */
  const drag = async (page: Page, what: Locator) => {
    await what.hover();
    await page.mouse.down();
    const box = (await what.boundingBox())!;
    await page.mouse.move(box.x + 60, box.y + 30);
    await page.mouse.move(box.x + 70, box.y + 40);
    await page.locator('[data-landing=move]').first().waitFor();
  };
  const dropOn = async (page: Page, where: Locator) => {
    const box = (await where.boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    await page.mouse.move(box.x + box.width / 2, box.y + 70);
    await page.mouse.up();
  };

  test('the life of a feature, from the project to the merge, by hand', async () => {
    makeRepository();
    const page = await stage.open('/tasks');
    await page.getByText('No project yet').waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New project' });
    await form.getByLabel('Workspace: the folder that its agents may touch').fill(stage.folder);
    await form.getByLabel('Validation commands').fill('test -f README.md');
    await form.getByLabel('Agent', { exact: true }).fill('scripted:happy');
    await form.getByLabel('Name', { exact: true }).fill('life');
    await form.getByRole('button', { name: 'Add the project' }).click();
    await form.waitFor({ state: 'detached' });

    await page.getByText('No tasks yet').waitFor();
    await page.keyboard.press('n');
    const fresh = page.getByRole('dialog', { name: 'New task' });
    await fresh.getByLabel('Title').fill('Add a --quiet flag');
    await fresh.getByLabel('Description').fill('So that scripts can be quiet.');
    await fresh.getByRole('radio', { name: 'Urgent' }).click();
    await fresh.getByRole('button', { name: 'Create the task' }).click();
    await column(page, 'open').getByText('Add a --quiet flag').waitFor();
    await column(page, 'open').getByText('urgent').waitFor();

    // By the keys: to the card, and into it.
    await fresh.waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await at(page, 'open');
    await button(page, 'Edit…').click();
    await page.getByRole('dialog').getByRole('radio', { name: 'High' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('high priority').waitFor();
    await button(page, 'Plan it').click();
    await at(page, 'plan_ready');
    await page.getByText('It is written, and then tested.').waitFor();

    const subtask = page.getByRole('checkbox', { name: 'Test it' });
    await subtask.click();
    await eventually(async () => subtask.isChecked(), 'the subtask is ticked');
    expect(await button(page, 'Revise the plan').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Comment on line 3' }).click();
    await page.getByRole('textbox', { name: 'Comment on line 3' }).fill('Short form -q too');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 comment to act on').waitFor();
    await page.getByRole('paragraph').filter({ hasText: 'Short form -q too' }).waitFor();
    await button(page, 'Revise the plan').first().click();
    await page.getByText('1 comment to act on').waitFor({ state: 'detached' });
    await at(page, 'plan_ready');
    await page.getByText('an agent has been told').waitFor();

    await button(page, 'Implement it').click();
    await at(page, 'ready');
    await page.getByRole('tab', { name: 'Work' }).click();
    const phases = page.getByRole('navigation', { name: 'Phases' }).getByRole('button');
    await eventually(async () => (await phases.count()) === 4, 'the four phases');
    await phases.filter({ hasText: 'Implement' }).click();
    await page.getByRole('log').getByText('Writing.').waitFor();
    await page.getByRole('radio', { name: 'Prompt' }).click();
    await page.getByText('Add a --quiet flag').nth(1).waitFor();
    await page.getByRole('radio', { name: 'Checks' }).click();
    await page.getByRole('region', { name: 'Validation' }).getByText('test -f README.md').waitFor();

    // A line of what it did is not as wanted.
    await page.getByRole('tab', { name: 'Changes' }).click();
    const changes = page.getByRole('group', { name: 'Changes in done-by-script.txt' });
    await changes.getByRole('button', { name: 'Comment on line 1' }).click();
    await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Say how it was done');
    await button(page, 'Add the comment').click();
    await page.getByText('1 comment to act on').waitFor();
    await button(page, 'Ask for changes').first().click();
    await page.getByRole('group', { name: 'Changes in changed-by-script.txt' }).waitFor();
    await at(page, 'ready');

    await button(page, 'Merge…').click();
    const merging = page.getByRole('dialog', { name: 'Merge the branch' });
    await merging.getByRole('radio', { name: 'Squash' }).click();
    await merging.getByRole('button', { name: 'Squash and merge it' }).click();
    await at(page, 'merged');
    await page.getByText('Squashed as').waitFor();
    expect(git('show', 'main:changed-by-script.txt')).toBe('changed\n');
    expect(git('rev-list', '--count', 'main').trim()).toBe('2');
  });

  test('a card is dragged where a way leads and nowhere else, and the keys do the same', async () => {
    const of = await project('scripted:happy');
    const id = await task(of, 'To be dragged');
    const page = await stage.open(`/tasks?project=${of}`);
    await column(page, 'open').getByText('To be dragged').waitFor();

    await drag(page, card(page, 'To be dragged'));
    expect(await column(page, 'ready').getAttribute('data-landing')).toBe('not');
    await column(page, 'planning').getByText('Plan it').waitFor();
    await dropOn(page, column(page, 'ready'));
    expect((await until(id, ({ inbox }) => inbox.length === 0)).status).toBe('open');

    await drag(page, card(page, 'To be dragged'));
    await dropOn(page, column(page, 'planning'));
    await column(page, 'plan_ready').getByText('To be dragged').waitFor();

    await page.keyboard.press('j');
    await page.keyboard.press('m');
    const menu = page.getByRole('menu');
    await menu.getByRole('menuitem', { name: 'Implement it' }).waitFor();
    // A way that something stands in is there with its reason.
    const guarded = menu.getByRole('menuitem', { name: /^Revise the plan: not yet/ });
    expect(await guarded.getAttribute('aria-disabled')).toBe('true');
    await menu.getByRole('menuitem', { name: 'Implement it' }).press('Enter');
    await column(page, 'ready').getByText('To be dragged').waitFor();
    await until(id, ({ status }) => status === 'ready');
  });

  test('what is refused is said to whoever asked', async () => {
    const of = await project('scripted:happy');
    const id = await task(of, 'Asked twice');
    const page = await stage.open(`/tasks/${id}`);
    await button(page, 'Close it').waitFor();
    // Somebody else is quicker; this page is told nothing of it.
    await page.context().setOffline(true);
    await stage.server.client.askOfStream(id, { request: { type: 'close-requested' } });
    await until(id, ({ status }) => status === 'closed');
    await page.route('**/api/tasks/*', (route) => route.abort());
    await page.context().setOffline(false);
    await button(page, 'Plan it').click();
    await page.getByText('The task is closed: nothing more is done about it.').waitFor();
  });

  test('conflicts are shown where it is merged, and nothing is half done', async () => {
    const of = await project('scripted:happy');
    const id = await task(of, 'In the way');
    await move(id, 'implementing');
    await until(id, ({ status }) => status === 'ready');
    writeFileSync(stage.path('done-by-script.txt'), 'by somebody else\n');
    git('add', '-A');
    git('commit', '-qm', 'In between');
    const before = git('rev-parse', 'main');
    const page = await stage.open(`/tasks/${id}`);
    await button(page, 'Merge…').click();
    const merging = page.getByRole('dialog', { name: 'Merge the branch' });
    await merging.getByRole('button', { name: 'Merge it' }).click();
    await merging.getByRole('list', { name: 'Conflicts' }).getByText('done-by-script.txt').waitFor();
    expect(git('rev-parse', 'main')).toBe(before);
    expect(git('status', '--porcelain', '--untracked-files=no')).toBe('');
    await merging.getByRole('button', { name: 'Not now' }).click();
    // It stays on the page, for whoever comes later.
    await page.getByRole('alert').getByText('nothing is half done').waitFor();
  });

  test('a question is answered, and its agent goes on', async () => {
    const of = await project('scripted:asks');
    const id = await task(of, 'Which one');
    await move(id, 'planning');
    const page = await stage.open('/tasks?mine=true');
    await card(page, 'Which one').getByText('Asks: Which of the two do you mean?').waitFor();
    await card(page, 'Which one').click();
    await page.getByRole('region', { name: 'Question' }).getByText('Which of the two').waitFor();
    await page.getByLabel('Your answer').fill('The second');
    await page.keyboard.press('Enter');
    await at(page, 'plan_ready');
    await page.getByRole('tab', { name: 'Context' }).click();
    await page.getByText('The second').waitFor();
  });

  test('an agent at work is seen from the board, with what it says, and can be stopped', async () => {
    const of = await project('scripted:slow');
    mkdirSync(join(stage.folder, '.planwright/agents'), { recursive: true });
    const script = { plan: [{ say: 'I look around first.\n' }, { await: 'never' }] };
    writeFileSync(stage.path('.planwright/agents/slow.script.json'), JSON.stringify(script));
    await stage.server.client.changeTrust({ folder: stage.folder, trusted: true });
    const id = await task(of, 'It takes long');
    await move(id, 'planning');
    const page = await stage.open('/tasks');
    const at = card(page, 'It takes long');
    await at.getByText(/^Plan: scripted:slow, /).waitFor();
    await at.getByTestId('tail').getByText('I look around first.').waitFor();
    await at.click();
    await page.getByRole('log').getByText('I look around first.').waitFor();
    await button(page, 'Stop the agent').click();
    await button(page, 'Try again').waitFor();
    await until(id, ({ status }) => status === 'stuck');
  });

  test('board and task keep nobody out: both themes, wide and narrow', async () => {
    const of = await project('scripted:happy');
    const id = await task(of, 'Seen by everybody');
    await move(id, 'implementing');
    await until(id, ({ status }) => status === 'ready');
    const page = await stage.open('/tasks');
    const look = async (what: string, n: number) => {
      for (const colorScheme of ['dark', 'light'] as const)
        for (const size of sizesOf(colorScheme, n)) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize(size);
          expect(await barriers(page), `${what} ${colorScheme} ${size.width}`).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.width);
        }
    };
    await card(page, 'Seen by everybody').waitFor();
    await look('board', 0);
    await card(page, 'Seen by everybody').click();
    await page.getByRole('group', { name: 'Changes in done-by-script.txt' }).waitFor();
    await look('task', 1);
  });
});
