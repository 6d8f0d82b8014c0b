import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defaultPipeline, Guard } from '../../src/core/contract/tasks/index.ts';
import { planFileSchema } from '../../src/core/plan/file/index.ts';
import { pipelineSchema } from '../../src/core/tasks/index.ts';

test('the published schema is the one that the program uses', () => {
  const published = readFileSync(new URL('../../docs/plan.schema.json', import.meta.url), 'utf8');
  // To bring it up to date: planwright plan schema > docs/plan.schema.json
  expect(JSON.parse(published)).toEqual(planFileSchema());
});

test('the published schema of pipelines is the one that the program uses, and fits the pipeline that is there', () => {
  const published = JSON.parse(
    readFileSync(new URL('../../docs/pipeline.schema.json', import.meta.url), 'utf8'),
  );
  // To bring it up to date: planwright project schema > docs/pipeline.schema.json
  expect(published).toEqual(pipelineSchema());
  const page = readFileSync(new URL('../../docs/tasks.md', import.meta.url), 'utf8');
  for (const guard of Guard.options) expect(page).toContain(`\`${guard}\``);
  const schema = z.fromJSONSchema(published);
  expect(schema.safeParse({ $schema: './pipeline.schema.json', ...defaultPipeline }).error).toBeUndefined();
  expect(schema.safeParse({ ...defaultPipeline, statuses: [{ name: 'Open' }] }).success).toBe(false);
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
