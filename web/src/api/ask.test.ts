import { afterEach, expect, test, vi } from 'vitest';
import { say, useToasts } from './ask.ts';

afterEach(() => {
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
});

test('whatever is said in passing is a sentence that begins as one', () => {
  vi.useFakeTimers();
  say('the server does not answer', true);
  expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['The server does not answer']);
});
