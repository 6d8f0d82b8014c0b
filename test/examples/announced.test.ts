import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Action, Plan } from '../../src/core/contract/index.ts';
import { parsePlanFile } from '../../src/core/plan/file/index.ts';
import { parseRunbook } from '../../src/core/plan/runbook/index.ts';
import { substitute } from '../../src/core/plan/substitute/index.ts';
import { judgeAction } from '../../src/core/risk/index.ts';
import { examples } from './catalogue.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root));

/** Of each plan in docs/examples.md, what it says that it asks before. */
const announced = new Map(
  [
    ...read('docs/examples.md')
      .toString()
      .matchAll(/^\| (template )?`([\w-]+)` \| (.*) \|$/gm),
  ].map(([, template = '', name, asks]) => [
    `${template}${name}`,
    [...asks!.matchAll(/`([^`]+)`/g)].map(([, text]) => text!),
  ]),
);

const plans: [name: string, path: string][] = [
  ...examples.map(({ folder, file }): [string, string] => [folder, `examples/${folder}/${file}`]),
  ...readdirSync(new URL('templates', root)).map((file): [string, string] => [
    `template ${file.replace('.yaml', '')}`,
    `templates/${file}`,
  ]),
];

function planAt(path: string): Plan {
  const parsed = (path.endsWith('.md') ? parseRunbook : parsePlanFile)(read(path), { file: path });
  if (!parsed.ok) throw new Error(`${path} cannot be read`);
  return parsed.plan;
}

/** With the values that it has by itself. */
function filled(action: Action, { inputs = [], shell }: Plan): Action {
  const values = Object.fromEntries(inputs.map((input) => [input.name, input.default ?? 'x']));
  const made = substitute(action, values, { shell });
  return made.ok ? made.action : action;
}

test.each(plans)('%s asks for nothing that its page does not announce', (name, path) => {
  const plan = planAt(path);
  const context = { workspace: '/home/me/app', cwd: '/home/me/app', home: '/home/me', trusted: true };
  const asked = plan.steps
    .map(({ action }) => filled(action, plan))
    .filter((action) => ['dangerous', 'blocked'].includes(judgeAction(action, context).level))
    .map((action) => JSON.stringify(action));
  const texts = announced.get(name) ?? [];
  expect(asked.filter((action) => !texts.some((text) => action.includes(text)))).toEqual([]);
  expect(texts.filter((text) => !asked.some((action) => action.includes(text)))).toEqual([]);
});

test('the page names plans that there are', () => {
  const names = plans.map(([name]) => name);
  expect([...announced.keys()].filter((name) => !names.includes(name))).toEqual([]);
});
