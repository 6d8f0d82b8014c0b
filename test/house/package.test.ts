import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
let home: string;
let installed: string;

/** What the package holds, compiled, beside its dependencies: as npm would install it, without its sources. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'planwright-package-'));
  installed = join(home, 'planwright');
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
  const project = join(root, 'tsconfig.build.json');
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(installed, 'dist')], {
    stdio: 'inherit',
  });
  for (const file of ['package.json', ...manifest.files.filter((name: string) => name !== 'dist')]) {
    cpSync(join(root, file), join(installed, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
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

test('the compiled fold has a version, as its source has', async () => {
  const { foldVersion } = await import(join(installed, 'dist/world/store/fold-version.js'));
  expect(foldVersion()).toMatch(/^[0-9a-f]{16}$/);
});

test('nothing of the tests is in the package', () => {
  expect(globSync('dist/**/{*.test,testing,test-support,conformance}{.*,/**}', { cwd: installed })).toEqual(
    [],
  );
});
