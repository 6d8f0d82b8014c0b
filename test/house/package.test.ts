import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('it holds what templates, complaints and completions are made of', () => {
  expect(planwright('templates').stdout).toMatch(/^\S+ {2,}\S/);
  expect(planwright('completion', 'bash').stdout).toContain(
    'complete -o filenames -F _planwright planwright',
  );
  const complaint = planwright('config', 'set', 'mode', 'loud');
  expect(complaint).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/Invalid option: expected one of/),
  });
});

test('a command loads few files, and help none of the packages', () => {
  const loaded = join(home, 'loaded.txt');
  const watch = `import m from 'node:module';import fs from 'node:fs';m.registerHooks({load(u,c,n){fs.appendFileSync(${JSON.stringify(loaded)},u+'\\n');return n(u,c)}})`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(watch)}`,
    join(installed, 'bin/planwright.js'),
  ];
  const filesOf = (...command: string[]) => {
    writeFileSync(loaded, '');
    const ran = spawnSync(process.execPath, [...args, ...command], {
      env: { ...process.env, PLANWRIGHT_HOME: join(home, 'data') },
    });
    expect(ran.status).toBe(0);
    return readFileSync(loaded, 'utf8')
      .split('\n')
      .filter((url) => url.startsWith('file:'));
  };
  expect(filesOf('help').length).toBeLessThanOrEqual(12);
  expect(filesOf('risk', 'ls').length).toBeLessThanOrEqual(43);
  expect(filesOf('runs').filter((url) => url.includes('/node_modules/'))).toEqual([]);
});

test('what the bundle holds of other packages comes with their licences', () => {
  const licences = readFileSync(join(installed, 'dist/LICENSES.txt'), 'utf8');
  expect(licences.match(/^\S+ \d+\.\d+\.\d+$/gm)).toHaveLength(4);
});
