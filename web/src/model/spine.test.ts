import { expect, test } from 'vitest';
import { RowViews } from './row-view.ts';
import { filterSpine, layoutSpine, nextFailed } from './spine.ts';
import { command, Told } from './testing.ts';

const drawn = (told: Told) =>
  layoutSpine(told.state).map(
    ({ key, lane, number, from, to }) => `${lane} ${number ?? '-'} ${key} ${from}${to}`,
  );

test('without corrections the spine is the plan', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }]);
  expect(drawn(told)).toEqual(['0 1 s1 null0', '0 2 s2 0null']);
});

test('a repair branches off after the attempt that failed, and rejoins at the next', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }, { title: 'c' }], { mode: 'agentic' });
  told.done('s1').failed('s2').mend('s2', 0, ['make it', 'clear it']);
  expect(drawn(told)).toEqual([
    '0 1 s1 null0',
    '0 2 s2#0 01',
    '1 - c1.0 01',
    '1 - c1.1 10',
    '0 2 s2 10',
    '0 3 s3 0null',
  ]);
});

test('a second correction branches off the second failure', () => {
  const told = new Told([{ title: 'a' }], { mode: 'agentic' });
  told.failed('s1').mend('s1', 0, ['x']).done('c1.0').failed('s1', 1);
  told.tell({
    type: 'correction-failed',
    correctionId: 'c1',
    stepId: 's1',
    message: 'again',
    sameFailure: true,
  });
  told.mend('s1', 1, ['y']);
  expect(layoutSpine(told.state).map(({ key }) => key)).toEqual(['s1#0', 'c1.0', 's1#1', 'c2.0', 's1']);
});

test('steps keep their state over a revision, and only rows of which a fact changed are made anew', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }, { title: 'c' }], { mode: 'agentic' });
  told.done('s1').failed('s2');
  const views = new RowViews();
  const look = () =>
    layoutSpine(told.state).map((row) => views.of(row, told.state, told.chronicle, new Map()));
  const before = look();
  expect(before.map(({ state, note }) => [state, note])).toEqual([
    ['done', null],
    ['failed', 'exit 17'],
    ['pending', null],
  ]);
  told.mend('s2', 0, ['make it']).start('c1.0');
  const after = look();
  expect(after.map(({ state, machine }) => [state, machine])).toEqual([
    ['done', false],
    ['failed', false],
    ['running', true],
    ['pending', false],
    ['pending', false],
  ]);
  expect(after[0]).toBe(before[0]);
  expect(after[4]).toBe(before[2]);
});

test('an old attempt keeps the risk that it was judged by, whatever the step is now', () => {
  const told = new Told([{ title: 'a' }], { mode: 'agentic' });
  const judge = (level: 'caution' | 'safe') =>
    told.tell({
      type: 'step-judged',
      verdict: { level, reasons: [], reversible: true, needs: [], paths: [] },
      subject: { run: 'r', stepId: 's1', revision: 0, action: command('x'), cwd: '/', paths: [] },
      fingerprint: level,
      warnings: [{ message: `${level} looks`, said: '', exitCode: 1 }],
    });
  judge('caution').failed('s1').mend('s1', 0, []);
  judge('safe').start('s1', 1);
  const views = new RowViews();
  const rows = layoutSpine(told.state).filter(({ kind }) => kind === 'step');
  const seen = rows.map((row) => views.of(row, told.state, told.chronicle, new Map()));
  expect(seen.map(({ row, risk }) => [row.attempt, risk])).toEqual([
    [0, 'caution'],
    [null, 'safe'],
  ]);
  expect(seen[1]!.note).toContain('a look warns');
  expect(told.chronicle.judged('s1')?.warnings).toEqual(['safe looks']);
});

test('a long spine is searched by title, number and command, and shows what failed alone', () => {
  const told = new Told([{ title: 'Build the site' }, { title: 'Copy it' }, { title: 'Tell them' }]);
  told.done('s1').failed('s2');
  const rows = layoutSpine(told.state);
  const found = (query: string, onlyFailed = false) =>
    filterSpine(rows, told.state, { query, onlyFailed }).map(({ stepId }) => stepId);
  expect(found('')).toEqual(['s1', 's2', 's3']);
  expect(found('the site')).toEqual(['s1']);
  expect(found('3 tell')).toEqual(['s3']);
  expect(found('', true)).toEqual(['s2']);
  expect(found('build', true)).toEqual([]);
});

test('from failure to failure, and round again', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }, { title: 'c' }], { onFailure: 'continue' });
  told.failed('s1').done('s2').failed('s3');
  const rows = layoutSpine(told.state);
  const after = (from: string | null) => nextFailed(rows, told.state, from)?.stepId;
  expect([after(null), after('s1'), after('s2'), after('s3')]).toEqual(['s1', 's3', 's3', 's1']);
  const well = new Told([{ title: 'a' }]).done('s1');
  expect(nextFailed(layoutSpine(well.state), well.state, 's1')).toBeUndefined();
});
