import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import {
  actionUsages,
  PROBLEM_CODES,
  parseAction,
  parseExpects,
  renderProblem,
} from '../../src/core/plan/index.ts';

const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const fences = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);

test('every form in the table of expects is checkable as it is written there', () => {
  const forms = [...page('expects.md').matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]!);
  expect(forms.length).toBeGreaterThan(12);
  for (const form of forms) expect(parseExpects(form), form).not.toBeNull();
});

test('every plan in the documents is accepted', () => {
  const plans = fences(page('plan-files.md'), 'yaml');
  expect(plans.length).toBeGreaterThan(0);
  for (const text of plans) {
    const result = parsePlanFile(text, { file: 'plan-files.md' });
    expect(result.ok ? [] : result.problems.map(renderProblem)).toEqual([]);
  }
});

test('every action is in the documents, and accepted as it is written there', () => {
  const lines = fences(page('plan-files.md'), 'text').join('').trim().split('\n');
  expect(new Set(lines.map((line) => line.split(' ')[0]))).toEqual(
    new Set(actionUsages.map(({ keyword }) => keyword)),
  );
  expect(lines.length).toBeGreaterThan(17);
  for (const line of lines) expect(parseAction(line), line).toMatchObject({ ok: true });
});

test('every code of a problem is in the documents, and means there what it means here', () => {
  const rows = [...page('plan-files.md').matchAll(/^\| `([a-z-]+)` \| (.+) \|$/gm)].map((match) => [
    match[1],
    match[2],
  ]);
  const listed = rows.filter(([code]) => code?.includes('-'));
  expect(Object.fromEntries(listed)).toEqual(PROBLEM_CODES);
});
