import { expect, test } from 'vitest';
import type { Plan, Step } from '../../contract/index.ts';
import { realTexts, standIns } from './testing/contents.ts';
import { validatePlan } from './validate.ts';

const planOf = (steps: Step['action'][], more: Partial<Plan> = {}): Plan => ({
  revision: 1,
  goal: 'Try',
  shell: 'bash',
  ...more,
  steps: steps.map((action, index) => ({ id: `s${index + 1}`, title: 'Write it', action })),
});

const wrong = async (text: string, path = 'a.txt', before: Step['action'][] = [], more: Partial<Plan> = {}) =>
  (await validatePlan(planOf([...before, { kind: 'write-file', path, content: text }], more))).filter(
    ({ code, severity }) => code === 'placeholder-content' && severity === 'error',
  ).length > 0;

const those = async (texts: readonly string[], is: boolean) => {
  const found = await Promise.all(texts.map(async (text) => ((await wrong(text)) === is ? [text] : [])));
  return found.flat();
};

test.each(['shown', 'held'] as const)('what stands for a text is caught: %s', async (half) => {
  expect(standIns[half].length).toBeGreaterThanOrEqual(30);
  expect(await those(standIns[half], false)).toEqual([]);
});

test.each(['shown', 'held'] as const)('what only has the words of it is not: %s', async (half) => {
  expect(realTexts[half].length).toBeGreaterThanOrEqual(30);
  expect(await those(realTexts[half], true)).toEqual([]);
});

test('a name that a step or an input gives is a value', async () => {
  expect(await wrong('{content}')).toBe(true);
  expect(await wrong('{content}', 'b', [{ kind: 'ask', question: 'What?', as: 'content' }])).toBe(false);
  expect(await wrong('{content}', 'b', [], { inputs: [{ name: 'content' }] })).toBe(false);
});

test('a file to be copied and filled in may have its values open, but not its text', async () => {
  expect(await wrong('TOKEN=<your-token>\nPASSWORD=CHANGEME\n', '.env')).toBe(true);
  expect(await wrong('TOKEN=<your-token>\nPASSWORD=CHANGEME\n', '.env.example')).toBe(false);
  expect(await wrong('your code here', 'main.example.ts')).toBe(true);
});
