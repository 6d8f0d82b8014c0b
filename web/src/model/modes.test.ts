import { expect, test } from 'vitest';
import { modeChoices, resumeWords } from './modes.ts';
import { Told } from './testing.ts';
import { brainChain, providerWords } from './words.ts';

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

test('a missing key is told as what it is on a page, and not as what to type', () => {
  const view = {
    host: 'api.openai.com',
    isUsable: false,
    why: 'set OPENAI_API_KEY, or put "openai" into /k.json',
  };
  expect(providerWords(view)).toBe('no key yet');
  expect(providerWords({ ...view, why: 'it does not answer' })).toBe('it does not answer');
  expect(providerWords({ ...view, isUsable: true, why: 'its key is in OPENAI_API_KEY' })).toMatch(/^its key/);
});

test('going on has one name for each thing that it is', () => {
  const told = new Told([{ title: 'a' }]).failed('s1');
  told.tell({ type: 'run-paused', reason: 'step-failed' });
  expect(resumeWords(told.state)).toBe('Attempt it again');
  expect(resumeWords({ ...told.state, status: 'paused', stopReason: 'paused' })).toBe('Go on');
  expect(resumeWords({ ...told.state, status: 'paused', stopReason: 'agent-error' })).toBe(
    'Attempt it again',
  );
  expect(resumeWords({ ...told.state, plan: null })).toBe('Plan again');
  expect(resumeWords({ ...told.state, stopReason: 'approval-denied' })).toBe('Ask me again');
});
