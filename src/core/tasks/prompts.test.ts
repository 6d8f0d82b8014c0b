import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/support/growth.ts';
import type { Brief } from '../contract/tasks/index.ts';
import { fillTemplate, placeholders, promptOf, unknownIn, withErrors } from './prompts.ts';
import { readAnswer } from './verdict.ts';

const brief: Brief = {
  title: 'Quiet flag',
  description: 'Say nothing where nothing is wrong.',
  kind: 'feature',
  subtasks: [
    { title: 'parse it', done: true },
    { title: 'obey it', done: false },
  ],
  plan: 'First this, then that.',
  planComments: ['line 2: why?'],
  reviewComments: ['Test it'],
  reviewRounds: 1,
  related: { task: 't0', title: 'Flags', description: 'All of them' },
  answers: [],
  context: [
    { run: 'r', source: 'agent', entryType: 'plan_summary', summary: 'A plan.', at: 1705312800000 },
    { run: 'r', source: 'reviewer', entryType: 'review_feedback', summary: 'Not yet.', at: 1705316400000 },
  ],
};
const of = { task: 't1', mode: 'implement' as const };

test('every placeholder is filled, and what names nothing is left', () => {
  const template = placeholders.map((name) => `[{${name}}]`).join('\n');
  const filled = fillTemplate(template, brief, 't1', 'review');
  for (const said of [
    'Quiet flag',
    'Say nothing',
    '[t1]',
    '- [x] parse it',
    'First this',
    'why?',
    'Test it',
    'All of them',
  ])
    expect(filled).toContain(said);
  expect(filled).not.toMatch(/\{\w+\}/);
  expect(fillTemplate('const a = {b}; {taskId}', brief, 't1', 'plan')).toBe('const a = {b}; t1');
  expect(fillTemplate('{constructor} {__proto__}', brief, 't1', 'plan')).toBe('{constructor} {__proto__}');
  expect(unknownIn('{taskTitel} {b} {planSection}')).toEqual(['taskTitel']);
});

test('what was learnt before stands in front, in the form that agents know', () => {
  expect(promptOf(brief, of, 'Do it.')).toBe(
    '## Task Context\n\n### [agent] plan_summary (2024-01-15T10:00:00Z)\nA plan.\n\n### [reviewer] review_feedback (2024-01-15T11:00:00Z)\nNot yet.\n\n---\n\nDo it.',
  );
  expect(promptOf({ ...brief, context: [] }, of, null)).toContain('Implement this');
});

test('errors of a validation are told after it', () => {
  expect(withErrors('Do it.', '$ npm test\nno')).toBe(
    'Do it.\n\nThe previous attempt produced validation errors. Fix these issues, then stage and commit:\n\n$ npm test\nno',
  );
  expect(withErrors('Do it.', null)).toBe('Do it.');
});

test('a review approves by its only verdict, and without one nothing is approved', () => {
  const asks = 'I looked.\n\n1. Test the flag\n2. Name it\n   better\n\nREVIEW_VERDICT: CHANGES_REQUESTED';
  expect(readAnswer('review', asks, null)).toMatchObject({
    outcome: 'changes_requested',
    payload: { summary: 'I looked.', comments: ['Test the flag', 'Name it better'] },
  });
  expect(readAnswer('review', '**REVIEW_VERDICT: APPROVED**', null).outcome).toBe('approved');
  expect(readAnswer('review', 'I would say REVIEW_VERDICT: APPROVED if', null).outcome).toBe('failed');
  expect(readAnswer('review', `REVIEW_VERDICT: APPROVED\n${asks}`, null).outcome).toBe('changes_requested');
  // What was reviewed says that it is approved, and the review says where.
  const quotes = `${asks}\n\n3. Leave this out of notes.md:\n   \`REVIEW_VERDICT: APPROVED\``;
  expect(readAnswer('review', quotes, null).outcome).toBe('changes_requested');
});

test('an answer is read by its schema, out of its text, and otherwise as it is', () => {
  const plan = { plan: '# P', planSummary: 'S', subtasks: ['a'] };
  expect(readAnswer('plan', '', plan)).toEqual({ outcome: 'plan_complete', payload: plan, warning: null });
  expect(readAnswer('plan', `Here:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``, undefined).payload).toEqual(
    plan,
  );
  expect(readAnswer('plan', '# Plan\n\nDo two things.\n\n1. One\n2. Two', { odd: 1 })).toMatchObject({
    payload: { planSummary: 'Do two things.', subtasks: ['One', 'Two'] },
    warning: expect.stringContaining('shape'),
  });
  expect(readAnswer('implement', 'Done it.', undefined)).toMatchObject({
    outcome: 'pr_ready',
    payload: { summary: 'Done it.' },
  });
  expect(readAnswer('implement', 'NEEDS_INFO: Which one?', undefined)).toMatchObject({
    outcome: 'needs_info',
    payload: { question: 'Which one?' },
  });
});

test('an answer is read in the time of its length, whatever an agent fills it with', async () => {
  for (const filling of ['\n', '- \n', '{', '1. '])
    for (const mode of ['implement', 'review'] as const)
      await expectLinear(80_000, (size) => readAnswer(mode, `${filling.repeat(size)}x`, null));
});
