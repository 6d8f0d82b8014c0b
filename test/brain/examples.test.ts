import { describe, expect, test } from 'vitest';
import { shellText } from '../../src/core/contract/index.ts';
import { parseAction } from '../../src/core/plan/index.ts';
import { createRulesBrain, emptyContext, failureOf, rules } from '../../src/mind/brain/index.ts';
import { type FailedExample, readFailures } from './failures.ts';
import { probeOf } from './world.ts';

const families = readFailures();
const all = [...families.values()].flat();

async function answer(example: FailedExample): Promise<{ text: string; rule: string } | null> {
  const brain = createRulesBrain({ probeAt: () => probeOf(example.world) });
  const failure = failureOf({ ...example, cwd: '/work' });
  const correction = failure === null ? null : await brain.analyzeFailure(failure, emptyContext);
  if (correction === null) return null;
  if (correction.action === 'retry') return { text: 'RETRY', rule: correction.source.name };
  const steps = (correction.newSteps ?? []).map((step) => {
    const parsed = parseAction(step.action);
    return parsed.ok ? shellText(parsed.action) : step.action;
  });
  const text = [...steps, correction.modifiedCommand ?? example.command].join(' && ');
  return { text, rule: correction.source.name };
}

describe.each([...families])('%s', (_, examples) => {
  test.each(
    examples.map((example) => [`${example.rule}: ${example.command.slice(0, 60)}`, example] as const),
  )('%s', async (_name, example) => {
    const found = await answer(example);
    if (example.mends === null) expect(found?.text ?? null).toBeNull();
    else expect(found).toEqual({ text: example.mends, rule: example.rule });
  });
});

test('every rule has an example that it mends, and one that it leaves alone', () => {
  const named = (isMended: boolean): Set<string> =>
    new Set(all.filter(({ mends }) => (mends !== null) === isMended).map(({ rule }) => rule));
  const ids = rules.map((rule) => rule.id);
  expect(ids.filter((id) => !named(true).has(id))).toEqual([]);
  expect(ids.filter((id) => !named(false).has(id))).toEqual([]);
  expect(all.map(({ rule }) => rule).filter((rule) => !ids.includes(rule))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test('there are examples enough, and most of them were said by a tool and not by us', () => {
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter(({ captured }) => captured !== undefined).length).toBeGreaterThan(100);
});
