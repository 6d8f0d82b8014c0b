import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stagePackage } from '../../scripts/stage-package.ts';
import { foldVersion } from '../../src/world/store/index.ts';
import { BIN } from '../support/program.ts';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let home: string;
let installed: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'planwright-package-'));
  installed = join(home, 'planwright');
  await stagePackage(installed, join(BIN, '../../dist'));
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  // That the types are right is checked by `npm run check`.
  const emit = ['--noCheck', '--singleThreaded', '-p', join(root, 'tsconfig.build.json')];
  const args = [tsc, ...emit, '--outDir', join(installed, 'dist')];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function planwright(...args: string[]) {
  const env = { ...process.env, CI: 'true', PLANWRIGHT_HOME: join(home, 'data'), TMPDIR: home };
  return spawnSync(process.execPath, [join(installed, 'bin/planwright.js'), ...args], {
    encoding: 'utf8',
    env,
  });
}

test('the compiled program runs its sample plan', () => {
  const { status, stderr } = planwright('demo');
  expect(status, stderr).toBe(0);
});

test('the library is where package.json says it is', async () => {
  const library = await import(join(installed, manifest.exports['.'].default));
  expect(library.openApp).toBeTypeOf('function');
  expect(globSync(manifest.exports['.'].types, { cwd: installed })).toHaveLength(1);
});

test('the client is where package.json says it is, and needs nothing but the contract', async () => {
  const client = await import(join(installed, manifest.exports['./client'].default));
  expect(client.createClient({ baseUrl: '', fetch }).executePlan).toBeTypeOf('function');
  expect(globSync(manifest.exports['./client'].types, { cwd: installed })).toHaveLength(1);
});

test('the compiled fold has the version of its source', () => {
  const parts = globSync('dist/**/*.js', { cwd: installed }).map((file) =>
    readFileSync(join(installed, file), 'utf8'),
  );
  expect(parts.filter((text) => text.includes(`foldVersion = () => "${foldVersion()}"`))).toHaveLength(1);
});

test('nothing of the tests is in the package', () => {
  expect(globSync('dist/**/{*.test,testing,test-support,conformance}{.*,/**}', { cwd: installed })).toEqual(
    [],
  );
});

test('it holds the pages that its README, its help and these pages lead to; pictures only are left out', () => {
  const pages = globSync('{*.md,docs/**/*.md}', { cwd: installed });
  const dead = pages.flatMap((page) => {
    const links = [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\(([^)\s#:]+)(?:#[^)]*)?\)/g)];
    return links
      .map(([, link]) => relative(installed, resolve(installed, dirname(page), link!)))
      .filter((link) => !existsSync(join(installed, link)));
  });
  // The rules for working on it are of use in a checkout alone.
  expect(new Set(dead.filter((link) => !/^docs\/images\/[\w-]+\.png$/.test(link)))).toEqual(
    new Set(['AGENTS.md']),
  );
  const { stdout } = planwright('help');
  expect(stdout).toContain(`More: ${join(installed, 'docs/commands.md')}`);
});

test('it holds what templates, complaints and completions are made of', () => {
  expect(planwright('templates').stdout).toMatch(/^\S+ {2,}\S/);
  expect(planwright('completion', 'bash').stdout).toContain(
    'complete -o filenames -F _planwright planwright',
  );
  const complaint = planwright('config', 'set', 'mode', 'loud');
  expect(complaint).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/mode takes .*, not "loud"/),
  });
});

/** What a command reads of the package and of others. */
function filesOf(...command: string[]): string[] {
  const read = join(home, 'read.txt');
  const watch = `import fs from 'node:fs';import m from 'node:module';
    const note = (file) => fs.appendFileSync(${JSON.stringify(read)}, file + '\\n');
    const real = fs.readFileSync;
    fs.readFileSync = (file, ...options) => { note(file); return real(file, ...options); };
    m.registerHooks({ load(url, context, next) { note(url); return next(url, context); } });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`];
  writeFileSync(read, '');
  const ran = spawnSync(process.execPath, [...args, join(installed, 'bin/planwright.js'), ...command], {
    cwd: home,
    env: { ...process.env, CI: 'true', PLANWRIGHT_HOME: join(home, 'data') },
    encoding: 'utf8',
  });
  expect(ran.status, ran.stderr).toBe(0);
  const files = readFileSync(read, 'utf8').split('\n');
  return files.flatMap((file) => /(?:\/dist\/doors\/|\/(?=node_modules\/)).*/.exec(file)?.[0] ?? []);
}

const oneStep = () => {
  writeFileSync(
    join(home, 'one.json'),
    JSON.stringify({ goal: 'g', plan: [{ step: 's', action: 'RUN_COMMAND true' }] }),
  );
  return ['run', 'one.json', '--yes'];
};

test('what a command needs is in few files, and none of them in other packages', () => {
  const main = '/dist/doors/cli/main.cjs';
  const [judge, look, run] = ['judge', 'look', 'run'].map((name) => `/dist/doors/cli/${name}.cjs`);
  expect(filesOf('help')).toEqual([main]);
  expect(filesOf('risk', 'ls')).toEqual([main, judge]);
  expect(filesOf('runs').toSorted()).toEqual([judge, look, main]);
  expect(filesOf(...oneStep()).toSorted()).toEqual([judge, look, main, run]);
});

test('what a run has compiled serves the next one: it changes nothing that compiled code depends on', () => {
  const folder = join(home, 'compiled');
  const run = () => {
    const env = { ...process.env, CI: 'true', PLANWRIGHT_HOME: folder };
    const args = [join(installed, 'bin/planwright.js'), ...oneStep()];
    expect(spawnSync(process.execPath, args, { cwd: home, env }).status).toBe(0);
    const kept = globSync('cache/code/cli-*', { cwd: folder }).map((name) => join(folder, name));
    return kept.map((file) => readFileSync(file)[0]);
  };
  expect(run()).toEqual([1, 1, 1, 1]);
  expect(run()).toEqual([2, 2, 2, 2]);
});

test('what the bundle holds of other packages comes with their licences', () => {
  const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
  expect(licences.match(/^\S+ \d+\.\d+\.\d+$/gm)).toHaveLength(4);
});
