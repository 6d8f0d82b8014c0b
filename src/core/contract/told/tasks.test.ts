import { expect, test } from 'vitest';
import { defaultPipeline } from '../tasks/default-pipeline.ts';
import { knownOutcomes } from '../tasks/modes.ts';
import type { TaskEventOf } from '../tasks/task-facts.ts';
import { projectTask, type TaskRow } from '../tasks/task-row.ts';
import { needsPerson, outcomeWords, taskAsks, taskSentence } from './tasks.ts';

const row = (change: Partial<TaskRow>): TaskRow => ({
  id: 't1',
  kind: 'task',
  state: 'open',
  statusTitle: 'Open',
  statusKind: 'open',
  statuses: defaultPipeline.statuses,
  project: 'p',
  title: 'T',
  taskKind: 'feature',
  priority: 'normal',
  dependencies: [],
  active: null,
  lastOutcome: null,
  question: null,
  message: null,
  branch: null,
  worktree: null,
  costUsd: 0,
  workspace: '/w',
  createdAt: 0,
  updatedAt: 0,
  endedAt: null,
  wakeAt: null,
  goesOn: false,
  awaits: null,
  unanswered: [],
  ...change,
});
const said = (change: Partial<TaskRow>) => taskSentence(row(change), 65_000);

test('a task says who is at it and since when, that it queues, asks, or is stuck', () => {
  const active = { run: 'r', mode: 'implement' as const, agent: 'scripted:happy', since: 5000 };
  expect(said({ statusKind: 'working', active })).toEqual({
    text: 'Implement: scripted:happy, 1m 00s',
    tone: 'mind',
  });
  expect(said({ statusKind: 'working', wakeAt: 70_000, goesOn: true }).text).toMatch(/^Waits for its turn/);
  expect(said({ statusKind: 'waiting', question: 'Which?' })).toEqual({ text: 'Asks: Which?', tone: 'wait' });
  const unanswered = [{ seq: 4, at: 1 }];
  expect(said({ statusKind: 'waiting', question: 'Which?', unanswered }).text).toMatch(/^Decided/);
  expect(said({ statusKind: 'waiting', message: 'it broke' })).toEqual({ text: 'It broke', tone: 'fail' });
  expect(said({ statusKind: 'working', goesOn: true, undrivenSince: 1 }).text).toMatch(/^Nobody drives it/);
});

test('what is over, or has not begun, says nothing more than its status', () => {
  expect(said({}).text).toBe('');
  // What once went wrong with it is nobody's concern any more.
  expect(said({ statusKind: 'ended', message: 'it broke' }).text).toBe('');
});

test('a person is needed where a task waits and nobody has answered yet', () => {
  expect(needsPerson(row({ statusKind: 'waiting' }))).toBe(true);
  expect(needsPerson(row({ statusKind: 'waiting', unanswered: [{ seq: 4, at: 1 }] }))).toBe(false);
  expect(needsPerson(row({ statusKind: 'working' }))).toBe(false);
});

test('what a person is needed for is the question, or where it stands and why', () => {
  const stuck = { statusTitle: 'Stuck', message: 'it broke' };
  expect(taskAsks(row(stuck))).toBe('Stuck: it broke');
  expect(taskAsks(row({ ...stuck, question: 'Which?' }))).toBe('Which?');
  expect(taskAsks(row({ statusTitle: 'Plan ready' }))).toBe('Plan ready');
});

test('a row of a listing has the beginning of what its agent said', () => {
  const long = 'x'.repeat(5000);
  const ended: TaskEventOf<'phase-ended'> = {
    ...{ v: 1, at: 2, type: 'phase-ended', phase: 1, run: 'r', status: 'failed', message: long },
    ...{ branch: null, worktree: null, session: null, rescued: [], costUsd: 0 },
    ...{ outcome: 'needs_info', payload: { question: long } },
  };
  const told = projectTask(row({}), { stream: 't1', seq: 2, event: ended });
  expect([told?.message, told?.question]).toEqual([`${'x'.repeat(499)}…`, `${'x'.repeat(499)}…`]);
});

test('every outcome that is known has words, and one that is not is quoted', () => {
  for (const outcome of knownOutcomes) expect(outcomeWords(outcome)).not.toMatch(/[_“]/);
  expect(outcomeWords('went_fishing')).toContain('“went_fishing”');
});
