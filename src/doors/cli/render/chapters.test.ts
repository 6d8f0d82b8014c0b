import { expect, test } from 'vitest';
import type { Chapter } from '../../app/chapters.ts';
import { renderChapters } from './chapters.ts';
import { createStyle } from './style.ts';

const look = {
  style: createStyle({ env: { NO_COLOR: '1', LANG: 'C.UTF-8' }, isTTY: false }),
  width: 80,
  home: '/home/ada',
};
const chapter: Chapter = {
  at: 0,
  stepId: 's2',
  title: 'Build',
  attemptIndex: 0,
  failure: {
    why: 'exit-code',
    exitCode: 2,
    signal: null,
    message: 'exited with code 2',
    said: 'one\n\n\u001b[31mmake: no rule\u001b[0m',
  },
  correction: {
    id: 'c1',
    action: 'insert_steps',
    newSteps: [{ step: 'Make it', action: 'CREATE_DIR out' }],
    reasoning: 'The folder is missing.',
    confidence: 0.9,
    source: { brain: 'rule', name: 'missing-parents' },
  },
  unanswered: null,
  outcome: 'succeeded',
  reason: null,
  diff: 'plan\n+ 2  Make it',
  cost: { usd: 0, tokens: 0 },
};
const told = (change: Partial<Chapter>) => renderChapters([{ ...chapter, ...change }], look).join('\n');

test('a failure, what was said, the correction, its source, the diff and the outcome', () => {
  const text = told({});
  expect(text).toMatch(/Build failed \(exit 2\)\n {4}one\n {4}make: no rule\n {2}The folder is missing\./);
  expect(text).toContain('add a step before it (c1: rule missing-parents, 90 % sure)');
  expect(text).toMatch(/\+ 2 {2}Make it\n.*it helped$/);
  expect(text).not.toContain('\u001b');
});

test.each([
  [{ outcome: 'failed', reason: 'exit 2' } as const, /it did not help: exit 2$/],
  [{ outcome: 'refused', reason: 'It is blocked.' } as const, /refused: It is blocked\.$/],
  [{ outcome: 'applied' } as const, /it is under way$/],
  [
    { outcome: 'applied', correction: { ...chapter.correction!, action: 'skip' } } as const,
    /the step was left out$/,
  ],
  [
    { outcome: 'proposed', correction: { ...chapter.correction!, action: 'abort' } } as const,
    /the run was ended$/,
  ],
  [
    { outcome: 'unanswered', correction: null, unanswered: 'no brain is sure' } as const,
    /No correction: no brain is sure\.$/,
  ],
  [
    { outcome: 'stuck', correction: null, reason: 'all are used up' } as const,
    /No correction: all are used up\.$/,
  ],
  [{ attemptIndex: 2 }, /exit 2, attempt 3/],
  [{ cost: { usd: 0.02, tokens: 9 } }, /90 % sure, \$0\.02\)/],
  [{ cost: { usd: 0, tokens: 9 } }, /90 % sure, 9 tokens\)/],
])('%j', (change, line) => {
  expect(told(change)).toMatch(line);
});
