import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { readScenarios, type Scenario } from '../../bench/repair/scenario.ts';
import { tryScenario } from '../../bench/repair/trial.ts';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';

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
  'script-windows-lines',
  'transient-reset-once',
];

/** Two at a time: more would only be slower. */
const free = [0, 0];
let queue: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free.length === 0) await new Promise<void>((resolve) => queue.push(resolve));
  else free.pop();
  try {
    return await work();
  } finally {
    const [next, ...rest] = queue;
    queue = rest;
    if (next === undefined) free.push(0);
    else next();
  }
}

async function expectAsSaid(scenario: Scenario): Promise<void> {
  const { outcome, story } = await inTurn(() => tryScenario(scenario));
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
    if (wanted === 'declined') expect(`${check}${worse}`, name).toMatch(/\[|sum|grep|test /);
  }
  const scripts = scenarios.flatMap(({ setup, check, worse }) => [setup, check, worse ?? 'true']);
  const all = scripts.map((text, at) => `script_${at}() {\n${text}\n}`).join('\n');
  expect(spawnSync('bash', ['-n'], { input: all, encoding: 'utf8' }).stderr).toBe('');
});

describe.concurrent('a plan that fails is mended', () => {
  const chosen = scenarios.filter(({ name }) => quick.includes(name));
  test('the chosen ones are there', () => expect(chosen.map(({ name }) => name)).toEqual(quick));
  test.each(chosen.map((one) => [one.name, one] as const))('%s', (_name, one) => expectAsSaid(one));
});

describe.concurrent('a failure that is right stays one', () => {
  // Of traps and absent tools a few: their rules are tried one by one elsewhere.
  const few = ['absent-remover', 'trap-recipient', 'trap-sent-twice'];
  const right = scenarios.filter(
    ({ expect: wanted, family, name }) =>
      wanted === 'declined' && (!['absent', 'trap'].includes(family) || few.includes(name)),
  );
  test.each(right.map((one) => [one.name, one] as const))('%s', (_name, one) => expectAsSaid(one));
});
