import { describe, expect, test } from 'vitest';
import { type CallFailure, failureOf } from './outcome.ts';
import { longestWait, waitBeforeRetry } from './retry.ts';

const failure = (change: Partial<CallFailure>): CallFailure => ({
  outcome: 'error',
  message: '',
  retryAfterMs: null,
  isFree: true,
  isTransient: true,
  isMisunderstood: false,
  ...change,
});

describe('whether a model is asked again', () => {
  test.each([
    ['soon, as it says', { retryAfterMs: 7000 }, 1, false, 7000],
    ['at the longest', { retryAfterMs: longestWait }, 1, false, longestWait],
    ['not where that is long', { retryAfterMs: longestWait + 1 }, 1, true, null],
    ['not twice', { retryAfterMs: 10 }, 2, true, null],
    ['not where another could be asked', {}, 1, false, null],
    ['the last one, after a breath', {}, 1, true, 1000],
    ['not where it would be the same again', { isTransient: false }, 1, true, null],
  ] as const)('%s', (_, change, tried, isLast, expected) => {
    expect(waitBeforeRetry(failure(change), tried, isLast)).toBe(expected);
  });
});

describe('what an error means', () => {
  const now = Date.UTC(2026, 10, 15);
  const answered = (statusCode: number, responseHeaders = {}, responseBody = '') =>
    failureOf(Object.assign(new Error('x'), { statusCode, responseHeaders, responseBody }), now);

  test.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': new Date(now + 5000).toUTCString() }, 5000],
    [{ 'retry-after': new Date(now - 5000).toUTCString() }, 0],
    [{ 'retry-after': 'later' }, null],
    [{}, null],
  ])('retry-after %j', (headers, expected) => {
    expect(answered(429, headers).retryAfterMs).toBe(expected);
  });

  test('the provider is quoted', () => {
    expect(answered(400, {}, '{"error":{"message":"too long"}}').message).toBe('400: too long');
    expect(answered(404, {}, '{"error":"no such model"}').message).toBe('404: no such model');
    expect(answered(500, {}, '<html>').message).toBe('500: x');
  });

  test('whom nobody reached, nobody pays', () => {
    const refused = new Error('fetch failed', {
      cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
    });
    expect(failureOf(refused, now)).toMatchObject({ outcome: 'error', isFree: true, isTransient: true });
    const reset = new Error('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
    expect(failureOf(reset, now)).toMatchObject({
      isFree: false,
      message: expect.stringContaining('ECONNRESET'),
    });
  });
});
