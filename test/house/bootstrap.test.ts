import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const lockFile = (version: string) =>
  JSON.stringify({
    packages: { '': {}, 'node_modules/a': { version }, 'node_modules/b': { optional: true } },
  });

/** Notes that it was called, takes its time, and leaves what npm ci leaves: its record last. */
const fakeNpm = `
  import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
  appendFileSync('installs', process.argv.slice(2).join(' ') + '\\n');
  if (process.env.BREAK === 'yes') process.exit(7);
  rmSync('node_modules', { recursive: true, force: true });
  mkdirSync('node_modules/.bin', { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, 300));
  symlinkSync(process.execPath, 'node_modules/.bin/node');
  cpSync('package-lock.json', 'node_modules/.package-lock.json');
`;

function freshClone(): string {
  const clone = mkdtempSync(join(tmpdir(), 'planwright-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  mkdirSync(join(clone, 'scripts'));
  for (const file of ['bootstrap.js', 'lock.js'])
    cpSync(join(root, 'scripts', file), join(clone, 'scripts', file));
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(clone, 'package-lock.json'), lockFile('1.0.0'));
  writeFileSync(join(clone, 'npm.js'), fakeNpm);
  writeFileSync(
    join(clone, 'wanted.js'),
    'console.log(process.execPath, process.argv.slice(2).join()); process.exitCode = 6;',
  );
  return clone;
}

function bootstrap(
  clone: string,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['scripts/bootstrap.js', 'wanted.js', 'x', 'y'], {
    cwd: clone,
    env: { ...process.env, npm_execpath: join(clone, 'npm.js'), ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const installs = (clone: string): number =>
  existsSync(join(clone, 'installs'))
    ? readFileSync(join(clone, 'installs'), 'utf8').split('\n').length - 1
    : 0;

test('a fresh clone is installed once, and then its script runs with its arguments and its exit code', async () => {
  const clone = freshClone();
  for (let time = 0; time < 2; time += 1) {
    const { code, output } = await bootstrap(clone);
    expect(output).toContain(' x,y');
    expect(code).toBe(6);
  }
  expect(installs(clone)).toBe(1);
});

test('three that start at once install once', async () => {
  const clone = freshClone();
  const ended = await Promise.all([bootstrap(clone), bootstrap(clone), bootstrap(clone)]);
  expect(ended.map(({ code }) => code)).toEqual([6, 6, 6]);
  expect(installs(clone)).toBe(1);
  expect(existsSync(join(clone, '.bootstrap-lock'))).toBe(false);
});

test('an install that was cut short, and a lock that its owner left behind, are started over', async () => {
  const clone = freshClone();
  mkdirSync(join(clone, 'node_modules/.bin'), { recursive: true });
  mkdirSync(join(clone, '.bootstrap-lock'));
  // No process has the highest number there can be.
  writeFileSync(join(clone, '.bootstrap-lock/pid'), String(2 ** 22));
  expect(await bootstrap(clone)).toMatchObject({ code: 6 });
  expect(installs(clone)).toBe(1);
});

test('a lock file that asks for something else is installed anew', async () => {
  const clone = freshClone();
  await bootstrap(clone);
  writeFileSync(join(clone, 'package-lock.json'), lockFile('2.0.0'));
  await bootstrap(clone);
  expect(installs(clone)).toBe(2);
});

test('a failed install is said and ends it, and leaves no lock', async () => {
  const clone = freshClone();
  const { code, output } = await bootstrap(clone, { BREAK: 'yes' });
  expect(output).toContain('npm ci failed with exit code 7');
  expect(code).toBe(1);
  expect(existsSync(join(clone, '.bootstrap-lock'))).toBe(false);
});

test("a linked node_modules is somebody else's: it is used, never installed into", async () => {
  const clone = freshClone();
  mkdirSync(join(clone, 'elsewhere'));
  symlinkSync(join(clone, 'elsewhere'), join(clone, 'node_modules'));
  const { code, output } = await bootstrap(clone);
  expect(output).toContain('is a link and out of date');
  expect(code).toBe(6);
  expect(installs(clone)).toBe(0);
});
