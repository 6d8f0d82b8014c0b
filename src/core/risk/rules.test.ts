import { expect, test } from 'vitest';
import { judgeCommand } from './judge.ts';
import { commandRules } from './rules/index.ts';
import { catalogue, exampleIds } from './testing/catalogue.ts';

/** As if an agent asked the guard by these settings. */
const guarded = ['~/.claude/settings.json'];

for (const { family, shell, rules } of catalogue) {
  if (shell === 'action') continue;
  test(`${family}: every rule speaks for its examples and is silent on the others`, () => {
    const wrong: string[] = [];
    for (const rule of rules) {
      for (const text of rule.hits) {
        const verdict = judgeCommand(text, { shell, guarded });
        const reason = verdict.reasons.find((found) => found.rule === rule.id);
        if (!reason)
          wrong.push(`${rule.id} misses: ${text} (got ${verdict.reasons.map((found) => found.rule)})`);
        if (verdict.level === 'safe') wrong.push(`${rule.id}: called safe: ${text}`);
      }
      for (const text of rule.misses) {
        if (judgeCommand(text, { shell, guarded }).reasons.some((found) => found.rule === rule.id))
          wrong.push(`${rule.id} speaks on: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

test('rules have unique ids, sentences and examples', () => {
  const all = catalogue.flatMap(({ rules, shell }) => rules.map((rule) => ({ ...rule, shell })));
  const ids = new Set(all.map((rule) => rule.id));
  expect(ids.size).toBe(all.length);
  expect(commandRules.filter(({ id }) => !ids.has(id))).toEqual([]);
  expect(exampleIds.filter((id) => !ids.has(id))).toEqual([]);
  for (const rule of all) {
    expect(rule.sentence, rule.id).toMatch(/^[A-Z].*\.$/);
    if (rule.shell !== 'action') expect(rule.hits.length, rule.id).toBeGreaterThan(0);
    if (rule.shell !== 'action') expect(rule.misses.length, rule.id).toBeGreaterThan(0);
  }
});
