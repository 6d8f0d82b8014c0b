import { defaultPipeline, mergedTo, projectTask, type TaskRow } from '@tasks';
import { expect, test } from 'vitest';
import { cardFrom, columnsOf, filtered, isFolded, landingOn } from './board.ts';

let made = 0;
function task(state: string, change: Partial<TaskRow> = {}): TaskRow {
  made += 1;
  const row = projectTask(null, {
    stream: `t${made}`,
    seq: 1,
    event: {
      v: 1,
      type: 'task-created',
      at: made,
      task: `t${made}`,
      project: 'p1',
      place: { host: 'h', boot: 'b', workspace: '/w' },
      text: { title: `Task ${made}`, description: '', kind: 'feature', priority: 'normal', dependencies: [] },
      pipeline: defaultPipeline,
      maxReviewRounds: 3,
      money: 1,
    },
  } as never)!;
  const status = row.statuses.find(({ name }) => name === state);
  return { ...row, state, statusKind: (status?.kind ?? 'open') as TaskRow['statusKind'], ...change };
}

test('columns follow the pipeline of the tasks, ends come last, and urgent tasks come first in them', () => {
  const rows = [task('merged'), task('open', { priority: 'urgent' }), task('open', { priority: 'low' })];
  const columns = columnsOf(rows);
  expect(columns.map(({ name }) => name)).toEqual(defaultPipeline.statuses.map(({ name }) => name));
  expect(columns[0]!.rows.map(({ priority }) => priority)).toEqual(['urgent', 'low']);
  expect(columns.filter((column) => !isFolded(column)).map(({ name }) => name)).toEqual(['open']);
});

test('a status that only one pipeline has stands after what it has before it', () => {
  const own = [
    { name: 'open', title: 'Open', kind: 'open' },
    { name: 'triage', title: 'Triage', kind: 'waiting' },
    { name: 'done', title: 'Done', kind: 'ended' },
  ];
  const names = columnsOf([task('open'), task('triage', { statuses: own })]).map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['open', 'triage', 'planning']);
  expect(names.slice(-3).toSorted()).toEqual(['closed', 'done', 'merged']);
});

test('a filter leaves the columns, and only tasks that fit', () => {
  const rows = [
    task('open', { title: 'Quiet flag' }),
    task('plan_ready', { title: 'Loud flag', project: 'p2' }),
    task('stuck', { title: 'Crash', taskKind: 'bug', unanswered: [{ seq: 3, at: 1 }] }),
  ];
  const titles = (filter: Parameters<typeof filtered>[1]) => filtered(rows, filter).map(({ title }) => title);
  expect(titles({ project: 'p2' })).toEqual(['Loud flag']);
  expect(titles({ q: 'FLAG quiet' })).toEqual(['Quiet flag']);
  expect(titles({ kind: 'bug' })).toEqual(['Crash']);
  // Somebody has answered the one that is stuck: it is nobody's turn until that is acted on.
  expect(titles({ mine: true })).toEqual(['Loud flag']);
  expect(columnsOf(rows, filtered(rows, { kind: 'bug' })).length).toBe(defaultPipeline.statuses.length);
});

const way = (to: string, title: string, against: string | null = null) => ({
  to,
  title,
  against,
  needsDependencies: false,
});
const looked = (status: string, ways: ReturnType<typeof way>[], active = false) => ({
  ways,
  state: {
    status,
    pipeline: defaultPipeline,
    phases: active ? [{ status: 'active' } as never] : [],
  },
});
const column = (name: string) => ({ name, title: name });

test('a task can be dropped where a way leads, and elsewhere it is said why not', () => {
  const ready = looked('plan_ready', [
    way('implementing', 'Implement it'),
    way('revising', 'Revise', 'no comments'),
  ]);
  expect(landingOn(ready, column('implementing'))).toEqual({
    how: 'move',
    to: 'implementing',
    title: 'Implement it',
  });
  expect(landingOn(ready, column('revising'))).toEqual({
    how: 'not',
    why: 'Not yet: no comments',
    guarded: true,
  });
  expect(landingOn(ready, column('merged'))).toMatchObject({ how: 'not', guarded: false });
  expect(landingOn(ready, column('plan_ready'))).toMatchObject({ how: 'not', why: 'It is here' });
  const busy = looked('planning', [way('closed', 'Close it')], true);
  expect(landingOn(busy, column('closed'))).toMatchObject({
    how: 'not',
    why: expect.stringContaining('stop it'),
  });
});

test('a task that is ready can be dropped on the end that merging leads to', () => {
  const ready = looked('ready', []);
  expect(mergedTo(ready.state)).toBe('merged');
  expect(landingOn(ready, column('merged'))).toMatchObject({ how: 'merge' });
  expect(mergedTo(looked('open', []).state)).toBeNull();
});

test('the focus goes along cards, past empty columns, and stays at the edges', () => {
  const rows = [task('open'), task('open'), task('ready')];
  const columns = columnsOf(rows);
  const [high, low] = columns[0]!.rows.map(({ id }) => id);
  const far = rows[2]!.id;
  expect(cardFrom(columns, null, 'down')).toBe(high);
  expect(cardFrom(columns, high!, 'down')).toBe(low);
  expect(cardFrom(columns, low!, 'down')).toBe(low);
  expect(cardFrom(columns, low!, 'right')).toBe(far);
  expect(cardFrom(columns, far, 'left')).toBe(high);
  expect(cardFrom(columns, far, 'right')).toBe(far);
});
