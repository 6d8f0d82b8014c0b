import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/** What somebody adds who wants a new kind of action: `HTTP_GET address AS key`. */

const root = join(import.meta.dirname, '../..');
const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

type Addition = { before: string; add: string };

const schema: Addition = {
  before: "  z.strictObject({ kind: z.literal('call-tool')",
  add: "  z.strictObject({ kind: z.literal('http-get'), url: text.min(1), as: key }),\n",
};

const additions: Record<string, Addition[]> = {
  'src/core/contract/action.ts': [
    schema,
    {
      before: "  'call-tool': {",
      add: `  'http-get': {
    keyword: 'HTTP_GET',
    slots: { url: word('address'), as: as('text') },
    usage: 'HTTP_GET address AS key',
    means: 'makes the text \`key\` of what a server answers',
    title: ({ url }) => \`Fetch \${short(url)}\`,
    says: (action) => \`Fetches \${action.url}, as \${action.as}.\`,
    shown: (action) => ({ verb: \`fetch as \${action.as}\`, text: action.url }),
  },
`,
    },
  ],
  'src/core/risk/action.ts': [
    {
      before: '} as const;\n\n/**\n * How each kind is judged',
      add: "  fetch: info('action-fetch', 'caution', 'Asks a server for something.'),\n",
    },
    {
      before: "  'call-tool': (",
      add: `  'http-get': (_, __, findings) => {
    findings.add(actionRules.fetch);
    return findings.verdict();
  },
`,
    },
  ],
  'src/world/actions/performances.ts': [
    {
      before: "  'call-tool': {\n    heldBy",
      add: `  'http-get': {
    heldBy: 'nothing',
    perform: async (action) => {
      const value = await (await fetch(action.url)).text();
      return { ...nothingToDo('fetched'), captured: { key: action.as, value } };
    },
    recover: async () => ({ finding: 'not-started', detail: 'asking again is no harm' }),
  },
`,
    },
    { before: 'type Recovered }', add: 'nothingToDo, ' },
  ],
  'docs/plan-files.md': [{ before: 'CALL_TOOL search', add: 'HTTP_GET https://example.org/ AS page\n' }],
};

function houseWith(changes: Record<string, Addition[]>): string {
  const copy = mkdtempSync(join(tmpdir(), 'planwright-kind-'));
  copies.push(copy);
  for (const path of [
    'src',
    'docs/plan-files.md',
    'package.json',
    'tsconfig.json',
    'test/support/toy-kind.ts',
    'test/support/someone.ts',
    'web/src',
    'web/tsconfig.json',
  ])
    cpSync(join(root, path), join(copy, path), {
      recursive: true,
      filter: (from) => !/\.test\.tsx?$/.test(from),
    });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  for (const [path, list] of Object.entries(changes)) {
    let text = readFileSync(join(copy, path), 'utf8');
    for (const { before, add } of list) {
      expect(text.split(before), `${path} has this once: ${before}`).toHaveLength(2);
      text = text.replace(before, () => add + before);
    }
    writeFileSync(join(copy, path), text);
  }
  return copy;
}

const node = (cwd: string, ...args: string[]) => {
  // The compiler ends before it needs its memory back.
  const env = { ...process.env, GOGC: 'off' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
};

/** By one checker: several do much of the work several times over, and the other tests want their time. */
const typesOf = (copy: string, project: string) =>
  node(copy, join(root, 'node_modules/typescript-native/bin/tsc'), '--singleThreaded', '-p', project);

test('a schema alone does not compile: the kind has no words, no judgement and no performance', () => {
  const copy = houseWith({ 'src/core/contract/action.ts': [schema] });
  const tables = [
    'src/core/contract/action.ts',
    'src/core/risk/action.ts',
    'src/world/actions/performances.ts',
  ];
  writeFileSync(
    join(copy, 'tables.json'),
    JSON.stringify({ extends: './tsconfig.json', include: [], files: tables }),
  );
  const { status, stdout } = typesOf(copy, 'tables.json');
  expect(status).not.toBe(0);
  const missing = [...stdout.matchAll(/^(.+)\(\d+,\d+\): error TS2741: Property '"http-get"' is missing/gm)];
  expect(missing.map((match) => match[1])).toEqual(tables);
});

const script = `
import { actionText, describeAction } from './src/core/contract/index.ts';
import { parsePlanFile } from './src/core/plan/file/index.ts';
import { parseAction, printAction } from './src/core/plan/index.ts';
import { validatePlan } from './src/core/plan/validate/index.ts';
import { explain } from './src/core/risk/explain/index.ts';
import { judgeAction } from './src/core/risk/index.ts';
import { perform, stepOf, testPerformer } from './src/world/actions/testing.ts';

const line = 'HTTP_GET data:text/plain,hello AS page';
const read = parseAction(line);
if (!read.ok) throw new Error(read.error.message);
const { action } = read;
const file = parsePlanFile('goal: g\\nplan:\\n  - step: get\\n    action: ' + line + '\\n  - step: use\\n    action: RUN_COMMAND echo {page}\\n', { file: 'p.yaml' });
console.log(JSON.stringify({
  line: printAction(action),
  title: describeAction(action),
  explained: explain(action).summary,
  shown: actionText({ kind: 'repeat', times: 2, do: action }),
  level: judgeAction(action).level,
  problems: file.ok ? await validatePlan(file.plan) : file.problems,
  result: await perform({ performer: testPerformer(), step: stepOf(action) }),
}));
`;

test('a new kind is four files, and is read, printed, checked, judged, told and performed', () => {
  expect(Object.keys(additions).length).toBeLessThanOrEqual(4);
  const copy = houseWith(additions);
  for (const project of ['.', 'web']) expect(typesOf(copy, project)).toMatchObject({ status: 0, stdout: '' });
  writeFileSync(join(copy, 'try.ts'), script);
  const { stdout, stderr } = node(copy, 'try.ts');
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({
    line: 'HTTP_GET data:text/plain,hello AS page',
    title: 'Fetch data:text/plain,hello',
    explained: 'Fetches data:text/plain,hello, as page.',
    shown: { verb: '2 times: fetch as page', text: 'data:text/plain,hello' },
    level: 'caution',
    problems: [],
    result: { captured: { key: 'page', value: 'hello' } },
  });
});
