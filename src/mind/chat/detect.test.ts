import { expect, test } from 'vitest';
import { scoreMessage, shouldCreatePlan } from './detect.ts';
import { heldBack, type Labelled, tuning } from './testing/messages.ts';

const rightIn = (messages: readonly Labelled[]) =>
  messages.filter(({ message, plan }) => shouldCreatePlan(message) === plan).length / messages.length;

test('what wants a plan is told from what does not, also in the half that nothing was tuned on', () => {
  expect(tuning.length + heldBack.length).toBeGreaterThanOrEqual(120);
  expect(rightIn(tuning)).toBeGreaterThanOrEqual(0.95);
  expect(rightIn(heldBack)).toBeGreaterThanOrEqual(0.9);
});

test.each([
  'Hello!',
  'hi',
  'Good morning',
  'thanks',
  'What would it take to refactor the architecture of a.ts, b.ts and c.ts everywhere?',
  'How do I restructure src/ and move all imports?',
  'Should we migrate, split and extract all modules?',
  'Is the whole design decoupled?',
])('a greeting or a one-line question is never planned: %s', (message) => {
  expect(shouldCreatePlan(message)).toBe(false);
});

test('the score is the sum of its reasons, and each reason is a sentence', () => {
  const { score, reasons } = scoreMessage('Refactor a.ts and b.ts, then update the docs');
  expect(reasons.reduce((sum, { points }) => sum + points, 0)).toBe(score);
  expect(reasons.map(({ why }) => why).join('; ')).toContain('2 files or folders are named');
});

test('a message of any length is scored in time that grows with it', () => {
  expect(scoreMessage(`${'a/'.repeat(20_000)} and `.repeat(3)).score).toBeLessThan(100);
  expect(scoreMessage('turn '.repeat(20_000)).plan).toBe(false);
});
