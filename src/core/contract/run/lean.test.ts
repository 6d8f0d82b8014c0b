import { expect, test } from 'vitest';
import { docsPlan, tellStory } from '../told/testing.ts';
import { fullRun, leanRun } from './lean.ts';
import { initialRunState } from './state.ts';

test('a run that was made lean is the same again, but for what only drivers need', () => {
  const { state } = tellStory(docsPlan()).agree().start(1).finish(1, 5).start(2).fail(2, 7, {});
  const { performed, context } = initialRunState;
  const sent = JSON.parse(JSON.stringify(leanRun(state)));
  expect(fullRun(sent)).toEqual(JSON.parse(JSON.stringify({ ...state, performed, context })));
  expect(fullRun(leanRun(state)).steps).toEqual([...state.steps]);
});

test('what is as usual is not sent, and a step is made lean once', () => {
  const { state } = tellStory(docsPlan()).agree().start(1).finish(1, 5);
  expect(Object.keys(leanRun(state).steps[3]!)).toEqual(['id']);
  expect(leanRun(state).steps[0]).toBe(leanRun({ ...state }).steps[0]);
});
