import { expect, test } from 'vitest';
import { budgetsOf } from './budgets.ts';
import { openQuestion } from './question.ts';
import { sentenceOf } from './sentence.ts';
import { Told } from './testing.ts';

test('says what the run does, in the colour of its state', () => {
  const told = new Told([{ title: 'a' }, { title: 'b' }], { mode: 'agentic' });
  const now = () => sentenceOf(told.state);
  told.start('s1');
  expect(now()).toEqual({ text: 'Running step 1 of 2', tone: 'going' });
  told.tell({
    type: 'step-failed',
    stepId: 's1',
    attemptIndex: 0,
    result: told.chronicle.attempts('s1')[0]!.result ?? failure,
  });
  told.tell({ type: 'agent-thinking', stepId: 's1', attemptIndex: 0 });
  expect(now()).toEqual({ text: 'Mending step 1, attempt 2 of 4', tone: 'mind' });
});

const failure = {
  exitCode: 1,
  signal: null,
  durationMs: 1,
  expectation: null,
  stdoutTail: '',
  stderrTail: '',
  outputBytes: 0,
  outputTruncated: false,
  leftover: false,
  why: 'exit-code' as const,
};

test('a run that stopped at a failure says where, and offers help', () => {
  const told = new Told([{ title: 'a' }]).failed('s1').tell({ type: 'run-paused', reason: 'step-failed' });
  expect(sentenceOf(told.state)).toEqual({ text: 'Stopped at step 1: failed, exit 17', tone: 'fail' });
  expect(openQuestion(told.state)).toMatchObject({ kind: 'stuck', stepId: 's1' });
});

test('teacher mode offers one step at a time', () => {
  const told = new Told([{ title: 'a' }], { mode: 'teacher' }).tell({ type: 'step-offered', stepId: 's1' });
  expect(sentenceOf(told.state).text).toBe('Your turn: step 1');
  expect(openQuestion(told.state)).toMatchObject({ kind: 'offer', failed: false });
});

test('budgets are shown where they bind', () => {
  expect(budgetsOf(new Told([{ title: 'a' }]).state)).toEqual([]);
  const told = new Told([{ title: 'a' }], { mode: 'agentic' }).failed('s1').mend('s1', 0, ['x']);
  expect(budgetsOf(told.state).map(({ name, text }) => `${name} ${text}`)).toEqual([
    'corrections 1 / 10',
    'added steps 1 / 10',
    'spent $0.00 / 2.00',
  ]);
});
