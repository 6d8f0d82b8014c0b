import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
let folder: string;

/** Run before the program: writes down which modules it loads. */
const watching = `import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
const urls = [];
registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
process.on('exit', () => writeFileSync(process.env.LOADED, urls.join('\\n')));
`;

/** The source files that a command loads, from `src/` on. */
function loadedBy(...args: string[]): string[] {
  const LOADED = join(folder, 'loaded.txt');
  const env = { ...process.env, CI: 'true', PLANWRIGHT_HOME: join(folder, 'home'), LOADED };
  const node = ['--import', join(folder, 'watching.mjs'), join(root, 'bin/planwright.js'), ...args];
  const { status, stderr } = spawnSync(process.execPath, node, { cwd: folder, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const urls = readFileSync(LOADED, 'utf8').split('\n');
  return urls.flatMap((url) => /\/(src\/(?:core|world|mind|doors)\/.*)/.exec(url)?.[1] ?? []);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'planwright-loads-'));
  writeFileSync(join(folder, 'watching.mjs'), watching);
  writeFileSync(join(folder, 'plan.yaml'), 'goal: g\nplan:\n  - step: s\n    action: RUN_COMMAND true\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Of what drives a run, those that only look have no use; those that open no app, of nothing below it. */
const driving =
  'core/run/next.ts core/run/machine.ts world/actions world/workspace world/models world/queue mind doors/server';
const opening = `${driving} world core/stream doors/app/app.ts`;

/** Whoever may have to make a folder has it, be it for settings or for the store. */
const shared = 'src/world/store/folder.ts';

/**
 * What a command loads when it does its work, at most, and the parts of the house that it has no use for. The numbers are
 * what is loaded now and a little more: raise one only for what the command needs. The run comes first: others show it.
 */
const commands: [args: string[], atMost: number, without: string][] = [
  [
    ['run', 'plan.yaml', '--yes'],
    638,
    'world/models mind/planner mind/brain/rules doors/server core/plan/runbook world/workspace/checkpoint/open.ts',
  ],
  [['help'], 20, `${opening} core/contract`],
  [['help', 'run'], 20, `${opening} core/contract`],
  [['completion', 'bash'], 20, `${opening} core/contract`],
  [['trust', '--list'], 25, `${opening} core/contract`],
  [
    ['risk', 'rm -rf build'],
    316,
    `${driving.replace('world/actions world/workspace', 'world/store')} core/risk/explain core/stream doors/cli/render/questions.ts`,
  ],
  [['config', 'list'], 115, `${opening} core/risk`],
  [['rules'], 236, opening],
  [['runs'], 253, `${driving} core/risk/judge.ts`],
  [['show'], 258, `${driving} core/risk/judge.ts`],
  [['cost'], 247, `${driving} core/risk/judge.ts`],
  [['why', '--no-model'], 310, `${driving} core/risk/judge.ts`],
  [['logs'], 279, `${driving} core/risk/judge.ts`],
  [['waiting'], 311, `${driving} core/risk/judge.ts`],
  [['memory'], 225, `${driving.replace('mind', 'mind/planner mind/brain/rules')} core/risk/judge.ts`],
];

test.each(commands)('%j loads at most %i files', (args, atMost, without) => {
  const files = loadedBy(...args);
  const useless = without.split(' ').map((part) => `src/${part}`);
  expect(
    files.filter(
      (file) => file !== shared && useless.some((part) => file === part || file.startsWith(`${part}/`)),
    ),
  ).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(atMost);
});
