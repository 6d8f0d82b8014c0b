import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planFileSchema } from '../../src/core/plan/file/index.ts';

test('the published schema is the one that the program uses', () => {
  const published = readFileSync(new URL('../../docs/plan.schema.json', import.meta.url), 'utf8');
  // To bring it up to date: planwright plan schema > docs/plan.schema.json
  expect(JSON.parse(published)).toEqual(planFileSchema());
});

test('the documents say every key of the schema', () => {
  const page = readFileSync(new URL('../../docs/plan-files.md', import.meta.url), 'utf8');
  const schema = planFileSchema() as {
    properties: Record<string, unknown> & { plan: { items: { properties: Record<string, unknown> } } };
  };
  for (const key of [
    ...Object.keys(schema.properties),
    ...Object.keys(schema.properties.plan.items.properties),
  ]) {
    expect(page, key).toContain(`\`${key}\``);
  }
});
