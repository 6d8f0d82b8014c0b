import { helpWanted, openQuestion } from '@told';
import { expect, test } from 'vitest';
import { questionKey } from './run-questions.ts';
import { Told } from './testing.ts';

test('a step that is offered again after it failed is another question, and the same while it is only looked at', () => {
  const told = new Told([{ title: 'Build' }], { mode: 'teacher' });
  const offered = () => {
    told.tell({ type: 'step-offered', stepId: 's1' });
    return questionKey(told.state, openQuestion(told.state)!);
  };
  const first = offered();
  expect(offered()).toBe(first);
  told.failed('s1');
  expect(offered()).not.toBe(first);
});

test('a step that has failed once more is another question', () => {
  const told = new Told([{ title: 'Build' }]);
  const stuck = (attempt: number) => {
    told.failed('s1', attempt).tell({ type: 'run-paused', reason: 'step-failed' });
    return questionKey(told.state, helpWanted(told.state)!);
  };
  const first = stuck(0);
  expect(stuck(1)).not.toBe(first);
});
