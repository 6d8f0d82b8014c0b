import { expect, test } from 'vitest';
import { modeChoices } from './modes.ts';
import { Told } from './testing.ts';
import { brainChain } from './words.ts';

test('menus offer every mode of the run in view, and none where it cannot be changed', () => {
  const told = new Told([{ title: 'a' }], { mode: 'planner' });
  expect(modeChoices(told.state).map(({ label, chosen }) => [label, chosen])).toEqual([
    ['Mode: Teacher', false],
    ['Mode: Planner', true],
    ['Mode: Agentic', false],
  ]);
  expect(modeChoices(null)).toEqual([]);
  told.done('s1').tell({ type: 'run-finished', outcome: 'done', reason: 'completed' });
  expect(modeChoices(told.state)).toEqual([]);
});

test('the brain’s label names everybody who is asked, in order', () => {
  expect(brainChain({ 'brain-program': null }, null)).toEqual(['memory', 'rules']);
  expect(brainChain({ 'brain-program': 'sh x' }, 'big')).toEqual(['program', 'memory', 'rules', 'big']);
});
