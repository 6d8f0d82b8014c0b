import type { RuleView } from '@contract';
import { expect, test } from 'vitest';
import { failureShape, ruleWords } from './rules.ts';

const rule = (more: object) =>
  ({ id: 'a', effect: 'allow', origin: 'user', sentence: '', scope: null, ...more }) as RuleView;

test('a rule is what it is about, and where, until when, why and by whom', () => {
  const made = rule({ command: 'rm old.txt', scope: '/w', expires: Date.UTC(2027, 0, 31), by: 'page' });
  expect(ruleWords(made)).toEqual({
    what: 'rm old.txt',
    detail: 'in /w · until 2027-01-31 · made at the page',
  });
  expect(ruleWords(rule({ prefix: ['git', 'push'], reason: 'by CI' }))).toEqual({
    what: 'git push …',
    detail: 'everywhere · by CI',
  });
  expect(ruleWords(rule({ action: 'delete-path', origin: 'project' })).detail).toBe(
    'everywhere · of the project file',
  );
});

test('a remembered failure has no place-holders of ours in it', () => {
  expect(failureShape('<1>: bash: line <n>: <1>: command not found')).toBe(
    '…: bash: line …: command not found',
  );
  expect(failureShape('a < b')).toBe('a < b');
});
