import { expect, test } from 'vitest';
import { ago, duration, durationWidth } from './time.ts';

test.each([
  [0, '0.0 s'],
  [49, '0.0 s'],
  [11_240, '11.2 s'],
  [59_949, '59.9 s'],
  [59_980, '1m 00s'],
  [74_000, '1m 14s'],
  [3_599_999, '59m 59s'],
  [3_725_000, '1h 02m'],
  [90_000_000, '1d 01h'],
  [-5, '0.0 s'],
])('%i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
  expect(duration(ms).length).toBeLessThanOrEqual(durationWidth);
});

test.each([
  [-5, 'just now'],
  [30, 'just now'],
  [61, '1 min ago'],
  [7200, '2 h ago'],
  [90_000, 'yesterday'],
  [5 * 86_400, '5 days ago'],
  [100 * 86_400, '3 months ago'],
  [800 * 86_400, '2 years ago'],
])('%i seconds before now is %s', (seconds, text) => {
  const now = 1_780_000_000_000;
  expect(ago(now - seconds * 1000, now)).toBe(text);
});
