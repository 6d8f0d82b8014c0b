import { defaultPipeline, initialTaskState, type TaskComment, type TaskState } from '@tasks';
import { expect, test } from 'vitest';
import { commentsAt, tabOf, untold, wayInto, waysShown } from './task-view.ts';

const state = (change: Partial<TaskState>): TaskState => ({
  ...initialTaskState,
  pipeline: defaultPipeline,
  status: 'open',
  ...change,
});
const phase = (mode: string, status: string) => [{ mode, status } as never];
const way = (to: string, title: string, against: string | null = null) => ({
  to,
  title,
  against,
  needsDependencies: false,
});
const view = (change: Partial<TaskState>, ways: ReturnType<typeof way>[]) =>
  ({ state: state(change), ways }) as unknown as Parameters<typeof waysShown>[0];

test('a task opens at what is done now, else at what has to be decided on', () => {
  expect(tabOf(state({}))).toBe('plan');
  expect(tabOf(state({ phases: phase('plan', 'active') }))).toBe('work');
  expect(tabOf(state({ phases: phase('plan', 'failed') }))).toBe('work');
  expect(tabOf(state({ phases: phase('plan', 'done'), plan: 'p', branch: 'b' }))).toBe('plan');
  expect(tabOf(state({ phases: phase('review', 'done'), branch: 'b' }))).toBe('changes');
});

test('ways for the other kind of task are not shown, ends come last, and none while an agent is at it', () => {
  const ways = [
    way('closed', 'Close it'),
    way('planning', 'Plan it'),
    way('investigating', 'Investigate it', 'it is a feature'),
    way('implementing', 'Implement it', 'it depends on x'),
  ];
  expect(waysShown(view({}, ways)).map(({ to }) => to)).toEqual(['planning', 'implementing', 'closed']);
  const bug = { ...initialTaskState.text, kind: 'bug' as const };
  expect(waysShown(view({ text: bug }, ways)).map(({ to }) => to)).toEqual([
    'investigating',
    'implementing',
    'closed',
  ]);
  expect(waysShown(view({ phases: phase('plan', 'active') }, ways))).toEqual([]);
});

test('the way that puts an agent to comments is found by its mode, whatever it is called', () => {
  const ways = [way('reviewing', 'Review it again'), way('changing', 'Ask for changes')];
  expect(wayInto(view({ status: 'ready' }, ways), 'request_changes')?.title).toBe('Ask for changes');
  expect(wayInto(view({ status: 'ready' }, ways), 'plan_revision')).toBeUndefined();
});

test('comments stand at their place, and those that an agent was told of are not to act on', () => {
  const comment = (n: number, change: Partial<TaskComment>): TaskComment => ({
    n,
    on: 'branch',
    line: null,
    file: null,
    text: '',
    by: { person: 'a', door: 'api' },
    at: 0,
    told: false,
    ...change,
  });
  const comments = [
    comment(1, { file: 'a.ts', line: 3 }),
    comment(2, { file: 'b.ts', line: 3 }),
    comment(3, { on: 'plan', line: 3 }),
    comment(4, { told: true }),
  ];
  expect(commentsAt(comments, 'branch', 'a.ts', 3).map(({ n }) => n)).toEqual([1]);
  expect(commentsAt(comments, 'plan', null, 3).map(({ n }) => n)).toEqual([3]);
  expect(untold(comments, 'branch').map(({ n }) => n)).toEqual([1, 2]);
});
