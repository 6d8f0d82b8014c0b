import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProbe } from './create.ts';
import { packagesProviding } from './machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'pw-probe-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    stdio: 'ignore',
  });
const env = { PATH: process.env['PATH'], HOME: folder };
const probe = createProbe({ cwd: folder, env, limits: { maxBytes: 4 } });

beforeAll(() => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/a.txt'), 'a long text');
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n');
  symlinkSync('nowhere', join(folder, 'dangling'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  git('init', '-q', '-b', 'main');
  git('add', 'run.sh');
  git('commit', '-qm', 'one');
  git('branch', 'topic');
  git('remote', 'add', 'origin', 'https://example.com/a.git');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it tells what is there, what is not, and what it does not know', async () => {
  expect(await probe.kind('src')).toBe('dir');
  expect(await probe.kind('src/a.txt')).toBe('file');
  expect(await probe.kind('src/a.txt/b')).toBe('absent');
  expect(await probe.kind('dangling')).toBe('other');
  expect(await probe.kind('nothing')).toBe('absent');
  expect(await probe.entries('src')).toEqual(['a.txt']);
  expect(await probe.entries('nothing')).toBeNull();
});

test('it reads no more than its limit, and never from a pipe', async () => {
  expect(await probe.readText('src/a.txt')).toBe('a lo');
  expect(await probe.readText('pipe')).toBeNull();
});

test('the execute bit decides, whoever asks', async () => {
  expect(await probe.isExecutable('run.sh')).toBe(false);
  chmodSync(join(folder, 'run.sh'), 0o755);
  expect(await probe.isExecutable('run.sh')).toBe(true);
});

test('it finds programs where the step would', async () => {
  expect(await probe.which('bash')).toMatch(/\/bash$/);
  expect(await probe.which('no-such-program-here')).toBe(false);
  expect(await probe.programs()).toContain('bash');
});

test('it reads branches and remotes, and runs no program that the repository names', async () => {
  git('config', 'core.fsmonitor', `touch ${join(folder, 'ran')}; false`);
  const fresh = createProbe({ cwd: folder, env });
  expect(await fresh.git()).toEqual({
    branch: 'main',
    branches: ['main', 'topic'],
    remoteBranches: [],
    remotes: ['origin'],
    tags: [],
  });
  expect(await fresh.kind('ran')).toBe('absent');
  expect(await createProbe({ cwd: '/', env }).git()).toBeNull();
});

test('it sees who listens on a port without knocking', async () => {
  let knocks = 0;
  const server = createServer(() => knocks++).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  expect(await probe.listener(port)).toMatchObject({ pid: process.pid });
  await new Promise((resolve) => server.close(resolve));
  expect(await probe.listener(port)).toBe('free');
  expect(knocks).toBe(0);
});

test('a port at the near end of a connection is not free', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const client = connect((server.address() as { port: number }).port, '127.0.0.1');
  await new Promise((resolve) => client.once('connect', resolve));
  expect(await probe.listener(client.localPort!)).toMatchObject({ pid: process.pid });
  client.destroy();
  server.close();
});

test('it asks the index of command-not-found, where there is one', async () => {
  const file = join(folder, 'commands.db');
  const database = new DatabaseSync(file);
  database.exec(
    "CREATE TABLE packages (pkgID INTEGER PRIMARY KEY, name TEXT, version TEXT, component TEXT, priority INT); CREATE TABLE commands (pkgID INTEGER, command TEXT); INSERT INTO packages VALUES (1, 'jq', '1', 'main', 0); INSERT INTO commands VALUES (1, 'jq')",
  );
  database.close();
  expect(await packagesProviding('jq', file)).toEqual(['jq']);
  expect(await packagesProviding('nope', file)).toEqual([]);
  expect(await packagesProviding('jq', join(folder, 'none.db'))).toBeNull();
});
