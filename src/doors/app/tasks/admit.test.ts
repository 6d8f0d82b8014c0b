import { expect, test } from 'vitest';
import type { AgentRunRow, AgentRunState } from '../../../core/contract/tasks/index.ts';
import { admit } from './admit.ts';
import { budgetsOf, leftOf, usedUp } from './budget.ts';
import type { TaskDriving } from './driving.ts';

const NOW = 100_000;

/** Whether `me`, begun at 10, has its turn beside these in a project of one agent at a time. */
async function hasTurn(...rows: (Partial<AgentRunRow> & { id: string })[]): Promise<boolean> {
  const me = { id: 'me', createdAt: 10, state: 'queued' };
  const all = [me, ...rows].map((row) => ({ project: 'p', wakeAt: null, ...row }));
  const given = {
    streams: () => ({
      list: async () => all,
      state: async () => ({ settings: { maxAgents: 1 }, phases: [], created: null }),
    }),
    config: { 'agents.most': 8 },
    now: () => NOW,
  } as unknown as TaskDriving;
  const state = { begun: { project: 'p' }, createdAt: 10 } as unknown as AgentRunState;
  return (await admit(given, 'me', state)).ok;
}

test('one that is at work counts, whenever it was begun; one that waits counts where it was begun before', async () => {
  expect(await hasTurn({ id: 'other', createdAt: 20, state: 'queued' })).toBe(true);
  expect(await hasTurn({ id: 'other', createdAt: 5, state: 'queued' })).toBe(false);
  for (const state of ['preparing', 'running', 'waiting', 'validating'] as const)
    expect(await hasTurn({ id: 'other', createdAt: 20, state }), state).toBe(false);
});

test('one that nobody drives stands in nobody’s way', async () => {
  const killed = { id: 'other', createdAt: 5, state: 'running' } as const;
  expect(await hasTurn({ ...killed, undrivenSince: NOW - 60_000 })).toBe(true);
  expect(await hasTurn({ ...killed, undrivenSince: NOW - 1000 })).toBe(false);
  const queued = { id: 'other', createdAt: 5, state: 'queued' } as const;
  expect(await hasTurn({ ...queued, wakeAt: NOW - 60_000 })).toBe(true);
  expect(await hasTurn({ ...queued, wakeAt: NOW - 1000 })).toBe(false);
});

test('what a task or its project may use is used up: no agent begins, and what raises it is said', async () => {
  const row = (id: string, project: string, more: Partial<AgentRunRow>) => ({
    id,
    project,
    costUsd: 0,
    ...more,
  });
  const runs = [
    row('r1', 'p', { costUsd: 0.4, workedMs: 60_000 }),
    row('r2', 'p', { costUsd: 0.7, workingSince: NOW - 30_000 }),
    row('r3', 'p', { costUsd: 2 }),
    row('r4', 'q', { costUsd: 50, workedMs: 1e9 }),
  ];
  const given = {
    streams: () => ({ list: async () => runs, row: async (id: string) => runs.find((one) => one.id === id) }),
    now: () => NOW,
  } as unknown as TaskDriving;
  const task = {
    project: 'p',
    phases: [{ run: 'r1' }, { run: 'r2' }],
    created: { money: 5 },
  } as unknown as Parameters<typeof budgetsOf>[1];
  const budgets = (settings: object) => budgetsOf(given, task, { name: 'p', ...settings });
  expect(usedUp(await budgets({}))).toBeNull();
  expect(leftOf(await budgets({}), 'money')).toBeCloseTo(3.9);
  expect(leftOf(await budgets({}), 'time')).toBe(Number.POSITIVE_INFINITY);
  expect(usedUp(await budgets({ moneyPerTask: 1.1 }))).toMatch(/this task may use.*--money-per-task/);
  expect(usedUp(await budgets({ moneyPerProject: 3.2 }))).toBeNull();
  expect(usedUp(await budgets({ moneyPerProject: 3 }))).toMatch(/this project may use.*--money-per-project/);
  expect(leftOf(await budgets({ minutesPerTask: 2 }), 'time')).toBe(30_000);
  expect(usedUp(await budgets({ minutesPerProject: 1.5 }))).toMatch(/1m 30s.*--minutes-per-project/);
});
