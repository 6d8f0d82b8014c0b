import { expect, test } from 'vitest';
import { exchanged } from '../blocks.ts';
import type { ApprovalState, CheckpointPolicy, Step } from '../index.ts';
import { needsWords, proposerOf, undoWords, weighty } from './approval.ts';
import { groupPaths } from './paths.ts';
import { dangerous, docsPlan, tellStory } from './testing.ts';
import { count, listed } from './text.ts';

const reason = (rule: string, level: 'caution' | 'dangerous') => ({ rule, level, sentence: `${rule}.` });

test('only the reasons that earned the level are told, and the one that says nothing only where it is alone', () => {
  const unproven = reason('not-proven-safe', 'caution');
  const rules = (level: 'caution' | 'dangerous', ...reasons: (typeof unproven)[]) =>
    weighty({ level, reasons }).map(({ rule }) => rule);
  expect(rules('dangerous', reason('rm', 'dangerous'), reason('net', 'caution'))).toEqual(['rm']);
  expect(rules('dangerous', reason('rm', 'dangerous'), reason('rm', 'dangerous'))).toEqual(['rm']);
  expect(rules('caution', unproven, reason('net', 'caution'))).toEqual(['net']);
  expect(rules('caution', unproven)).toEqual(['not-proven-safe']);
  expect(needsWords({ needs: [] })).toBeNull();
  expect(needsWords({ needs: ['network', 'privilege'] })).toBe('It needs the network and privilege.');
});

test('an approval says whether there is a way back, and what it does not cover', () => {
  const say = (paths: string[], checkpoints: CheckpointPolicy, reversible = false) => {
    const { state } = tellStory(docsPlan(), { checkpoints }).agree();
    const subject = {
      run: 'r',
      stepId: 's1',
      revision: 0,
      action: docsPlan().steps[0]!.action,
      cwd: '/',
      paths,
    };
    return undoWords({ subject, verdict: { ...dangerous, reversible } } as ApprovalState, state);
  };
  const inside = '/home/ada/work/docs-site/build';
  expect(say([inside], 'auto')).toBe('A checkpoint is taken first: undo brings back what it holds.');
  expect(say([inside], 'off')).toBe('Checkpoints are off: it cannot be undone.');
  expect(say([], 'auto')).toBe('It cannot be undone.');
  expect(say([inside, '/etc/hosts'], 'auto')).toBe(
    'It cannot be undone: undo does not cover /etc/hosts (outside the workspace).',
  );
  expect(say([inside], 'auto', true)).toBe('What it changes in the workspace can be undone.');
});

test('who wants a step is told: its author, or the brain that added or changed it', () => {
  const { state } = tellStory(docsPlan()).agree();
  const step = docsPlan().steps[3]!;
  expect(proposerOf(step, state)).toBe('written in docs.plan.yaml:15');
  const { source: _, ...bare } = step;
  expect(proposerOf(bare, state)).toBe('part of the plan');
  const correction = { source: { brain: 'rule', name: 'missing-parents' }, action: 'modify' };
  const changed = {
    ...state,
    steps: exchanged(state.steps, 3, { ...state.steps.at(3)!, correction: 'c1' }),
    corrections: [{ id: 'c1', correction }] as unknown as typeof state.corrections,
  };
  expect(proposerOf(step, changed)).toBe('changed by rule missing-parents');
  const repair: Step = { ...step, repairs: 's5' };
  expect(proposerOf(repair, changed)).toBe('proposed by rule missing-parents to mend step 5');
});

test('many are counted, and long numbers can be read', () => {
  expect(count(1, 'path')).toBe('1 path');
  expect(count(1_234_567, 'fix', 'fixes')).toBe('1,234,567 fixes');
  expect(listed(['a', 'b', 'c', 'd'], 3)).toBe('a, b, c and 1 more');
  expect(groupPaths(['a/1', 'b/1', 'b/2', 'c'], 3)).toEqual([
    { folder: 'b/', count: 2 },
    { folder: './', count: 1 },
    { folder: 'a/', count: 1 },
  ]);
});
