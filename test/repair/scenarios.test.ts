import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readScenarios, type Scenario } from '../../bench/repair/scenario.ts';
import { tryScenario } from '../../bench/repair/trial.ts';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import { runHere } from '../support/cli.ts';

const scenarios = readScenarios();

/** A few of every kind; all of them are tried by `npm run bench -- repair`. */
const quick = [
  'execute-bit-inside-script',
  'flag-misspelt-own-tool',
  'folder-missing-make',
  'folder-missing-redirect',
  'git-behind-the-remote',
  'git-no-identity',
  'make-target-misspelt',
  'many-failures-in-one-plan',
  'path-spaces-unquoted',
  'port-taken-by-another',
  'program-misspelt-grep',
  'push-upstream-other-remote',
  'script-windows-lines',
  'service-own-client-module',
  'transient-reset-once',
];

async function expectAsSaid(scenario: Scenario): Promise<void> {
  const { outcome, story } = await tryScenario(scenario, runHere);
  if (outcome !== 'untried') expect(outcome, story.join('\n')).toBe(scenario.expect);
}

test('there are scenarios enough, of many kinds, and quite some that are to be left alone', () => {
  const toMend = scenarios.filter(({ expect: wanted }) => wanted === 'mended');
  expect(toMend.length).toBeGreaterThanOrEqual(78);
  expect(scenarios.length - toMend.length).toBeGreaterThanOrEqual(12);
  expect(new Set(toMend.map(({ family }) => family)).size).toBeGreaterThan(15);
});

test('every scenario is well-formed', () => {
  for (const { name, family, plan, check, worse, expect: wanted } of scenarios) {
    expect(name.startsWith(`${family}-`), name).toBe(true);
    const parsed = parsePlanFile(plan.replaceAll(/@PORT2?@/g, '8123'), { file: name });
    expect(parsed.ok, `${name}: ${JSON.stringify(parsed)}`).toBe(true);
    if (wanted === 'declined') expect(`${check}${worse}`, name).toMatch(/\[|sum|grep|test |rev-parse/);
  }
  const scripts = scenarios.flatMap(({ setup, check, worse }) => [setup, check, worse ?? 'true']);
  const all = scripts.map((text, at) => `script_${at}() {\n${text}\n}`).join('\n');
  expect(spawnSync('bash', ['-n'], { input: all, encoding: 'utf8' }).stderr).toBe('');
});

describe('a plan that fails is mended', () => {
  const chosen = scenarios.filter(({ name }) => quick.includes(name));
  test('the chosen ones are there', () => expect(chosen.map(({ name }) => name)).toEqual(quick));
  test.each(chosen.map((one) => [one.name, one] as const))('%s', (_name, one) => expectAsSaid(one));
});

describe('a failure that is right stays one', () => {
  // Of those on a page of their family a few: their rules are tried one by one elsewhere.
  const few = ['absent-remover', 'trap-folder-of-a-client', 'trap-recipient', 'trap-sent-twice'];
  const right = scenarios.filter(
    ({ expect: wanted, family, name }) =>
      wanted === 'declined' &&
      (!['absent', 'plan', 'prompt', 'push', 'trap'].includes(family) || few.includes(name)),
  );
  test.each(right.map((one) => [one.name, one] as const))('%s', (_name, one) => expectAsSaid(one));
});

test('what only a person can say is left alone with nobody there, and mended with one', async () => {
  await expectAsSaid(scenarios.find(({ name }) => name === 'behind-subshell-script')!);
});
