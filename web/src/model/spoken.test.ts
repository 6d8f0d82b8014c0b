import { expect, test } from 'vitest';
import { spokenWords } from './spoken.ts';

test('of an answer that is data, people see what it says in words, as it comes', () => {
  expect(spokenWords('plain words')).toBe('plain words');
  expect(spokenWords('<json>{"action": "modify", "reasoning": "The \\"folder\\" is miss')).toBe(
    'The "folder" is miss',
  );
  expect(spokenWords('{"reasoning": "cut \\')).toBe('cut ');
  expect(spokenWords('{"action": "retr')).toBe('');
  expect(spokenWords('```json\n{"goal": "x", "thinking_summary": "two\\nlines"}')).toBe('two\nlines');
});
