import { expect, test } from 'vitest';
import { riskOf } from './risk.ts';

const reason = (level: 'caution' | 'dangerous') => ({ rule: level, level, sentence: 'x' });

test('what a rule lets run unasked is as dangerous as it was', () => {
  expect(riskOf({ level: 'caution', reasons: [reason('caution'), reason('dangerous')] })).toBe('dangerous');
  expect(riskOf({ level: 'caution', reasons: [reason('caution')] })).toBe('caution');
  expect(riskOf({ level: 'safe', reasons: [] })).toBe('safe');
});
