import type { GuardedCall } from '@guard';
import { expect, test } from 'vitest';
import { callsShown, callText, countsOf } from './guard-view.ts';

const call = (id: string, answer: GuardedCall['answer']): GuardedCall => ({
  ...{ v: 1, at: 0, type: 'call-judged', id, call: id, tool: 'Bash', text: id, cwd: '/w' },
  ...{ level: null, answer, reason: '', seq: 1 },
});

test('calls stand the newest first, or those alone that were objected to', () => {
  const calls = [call('a', 'none'), call('b', 'deny'), call('c', 'ask'), call('d', 'none')];
  expect(callsShown(calls, false).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']);
  expect(callsShown(calls, true).map(({ id }) => id)).toEqual(['c', 'b']);
});

test('a call is told in one line, and one that nobody could read as that', () => {
  expect(callText({ text: 'a\nb', tool: 'Bash' })).toBe('a ↵ b');
  expect(callText({ text: '', tool: 'WebSearch' })).toBe('WebSearch');
  expect(callText({ text: '', tool: '' })).toBe('a call that could not be read');
  expect(countsOf({ calls: 1, asked: 0, denied: 2 })).toBe('1 call, 2 denied');
});
