import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { eventually, start } from '../support/processes.ts';
import { BIN } from '../support/program.ts';
import { someone } from '../support/someone.ts';
import { openShop, type Shop } from './shop.ts';

const terminalOf =
  ({ repository: cwd, env }: Shop) =>
  (...args: string[]) =>
    start(process.execPath, [BIN, ...args], { cwd, env }).ended;

/** Processes that were started with this word. */
const startedWith = (word: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });

it('a task that is started goes on by itself, and what is ready is not reviewed again by approving it', async () => {
  const shop = await openShop();
  const terminal = terminalOf(shop);
  const id = await shop.task({ title: 'Add a flag' });
  const begun = await terminal('task', 'start', id);
  expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining(`planwright task wait ${id}`) });
  const stateOf = async () => (await shop.app.tasks.find(id)).state;
  await eventually(async () => (await stateOf()) === 'plan_ready', 'it is planned, with nobody there');
  await eventually(() => startedWith(id).length === 0, 'whoever drove it is gone');
  expect(await terminal('task', 'approve', id, '--wait')).toMatchObject({ code: 0 });
  expect(await stateOf()).toBe('ready');
  const waiting = await terminal('waiting', '--json');
  expect(JSON.parse(waiting.stdout)).toMatchObject([{ task: id, status: 'ready', asks: 'Ready' }]);
  const again = await terminal('task', 'approve', id);
  expect(again.stderr).toContain(`planwright task merge ${id}`);
  expect([again.code === 0, await stateOf()]).toEqual([false, 'ready']);
});

it('what an agent left and what it starts moves no task, and is written down', async () => {
  const shop = await openShop({}, { PLANWRIGHT_SANDBOX: 'off' });
  const other = await shop.task({ title: 'Another one' });
  const inside = `${process.execPath} ${BIN} task start ${other} && touch started.txt; true`;
  const validationCommands = [inside, 'test ! -e started.txt'];
  await shop.app.projects.set(shop.project, { validationCommands }, someone);
  const id = await shop.task({ title: 'Starts another one' });
  expect(await shop.move(id, 'implementing')).toMatchObject({ status: 'ready' });
  expect((await shop.app.tasks.find(other)).state).toBe('open');
  const events = await shop.app.streams.read(other, 0);
  expect(events.map(({ event }) => event.type)).toContain('refused-at-door');
});
