import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { classifyDenial } from './denial.ts';
import type { SandboxGrants } from './policy.ts';
import { pathIn, portIn } from './refusals.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-denial-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const [workspace, home, storeDir] = [join(folder, 'work'), join(folder, 'home'), join(folder, 'store')];
for (const path of [workspace, home, storeDir, join(home, '.config')]) mkdirSync(path);

const classify = (stderrTail: string, grants: SandboxGrants = {}, exitCode: number | null = 1) =>
  classifyDenial({ exitCode, stderrTail, policy: { workspace, grants, home, caches: [], storeDir } });

describe('the path of a refused write is found in', () => {
  test.each([
    ["touch: cannot touch '/etc/new': Read-only file system", '/etc/new'],
    ['mkdir: cannot create directory ‘/opt/x y’: Read-only file system', '/opt/x y'],
    ["mv: cannot move 'a' to '/etc/a': Read-only file system", '/etc/a'],
    ["cp: cannot create regular file '/usr/bin/a': Read-only file system", '/usr/bin/a'],
    ['bash: line 1: /etc/new: Read-only file system', '/etc/new'],
    ['sh: 1: cannot create /etc/new: Read-only file system', '/etc/new'],
    ["Error: EROFS: read-only file system, open '/etc/new'", '/etc/new'],
    ["[Error: EROFS: read-only file system, rename '/a/b' -> '/c/d'] {", '/c/d'],
    ["OSError: [Errno 30] Read-only file system: '/etc/new'", '/etc/new'],
    ['open /etc/new: read-only file system', '/etc/new'],
    ['error: failed to create directory `/x/y`: Read-only file system (os error 30)', '/x/y'],
    ['tar: ./a/b: Cannot open: Read-only file system', './a/b'],
    ["mv: cannot move '.git' to 'old': Device or resource busy", '.git'],
    ['error: could not write config file .git/config: Device or resource busy', '.git/config'],
    ['fatal: cannot create it: Read-only file system', null],
  ])('%s', (line, path) => {
    expect(pathIn(line)).toBe(path);
  });
});

describe('a refused write', () => {
  test('asks for the folder that is there, and no more', () => {
    const said = `touch: cannot touch '${home}/.config/tool/a': Read-only file system`;
    expect(classify(said)).toEqual({
      denied: 'write',
      detail: `It may not write to ${home}/.config/tool/a.`,
      grant: { write: [`${home}/.config`] },
      sure: 'certain',
    });
  });

  test('several ask for all, each once', () => {
    const refused = (path: string) => `touch: cannot touch '${path}': Read-only file system\n`;
    const said =
      refused(`${home}/a`) + refused(`${home}/b`) + refused(`${home}/.config/c`) + refused(`${folder}/d`);
    expect(classify(said)?.grant).toEqual({ write: [folder] });
    expect(classify(refused(`${home}/.config/c`) + refused(`${home}/.config/d`))?.grant).toEqual({
      write: [`${home}/.config`],
    });
  });

  test('of a guard asks for the guard', () => {
    expect(classify('mkdir: cannot create directory ‘.git/hooks’: Read-only file system')?.grant).toEqual({
      write: [`${workspace}/.git`],
    });
  });

  test('of the store is never granted', () => {
    expect(classify(`bash: ${storeDir}/x: Read-only file system`)).toMatchObject({
      denied: 'write',
      grant: null,
    });
  });

  test.runIf(process.getuid?.() !== 0)('where this user cannot write anyway is none', () => {
    expect(classify('bash: /etc/new: Read-only file system')).toBeNull();
  });

  test.runIf(process.getuid?.() === 0)('of the kernel’s files is never granted', () => {
    expect(classify('bash: /proc/sys/vm/swappiness: Read-only file system')?.grant).toBeNull();
  });

  test('of an unknown path is only likely one', () => {
    expect(classify('fatal: Read-only file system')).toMatchObject({ grant: null, sure: 'likely' });
  });

  test.each([
    [
      'in the workspace, where the sandbox refuses nothing',
      `bash: ${workspace}/a: Read-only file system`,
      {},
    ],
    ['where it was granted already', `bash: ${home}/a: Read-only file system`, { write: [home] }],
    ['for lack of rights', `bash: ${home}/a: Permission denied`, {}],
  ])('%s is the command’s own failure', (_, said, grants) => {
    expect(classify(said, grants)).toBeNull();
  });
});

const online = Object.values(networkInterfaces()).some((all) => all?.some(({ internal }) => !internal));

describe('a refused connection', () => {
  test.runIf(online).each([
    ['connect: Network is unreachable', 'certain'],
    ['Error: connect ENETUNREACH 192.0.2.1:80', 'certain'],
    ['curl: (6) Could not resolve host: example.org', 'likely'],
    [
      'npm error request to https://registry.example.org/x failed, reason: getaddrinfo EAI_AGAIN registry.example.org',
      'likely',
    ],
    ['ping: example.org: Temporary failure in name resolution', 'likely'],
    ["Err:1 http://mirror.example.org Temporary failure resolving 'mirror.example.org'", 'likely'],
    ['dial tcp: lookup proxy.example.org: no such host', 'likely'],
  ])('%s', (said, sure) => {
    expect(classify(said)).toMatchObject({ denied: 'network', grant: { network: true }, sure });
    expect(classify(said, { network: true })).toBeNull();
  });

  test('to this machine is a denial only where somebody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    const said = `Error: connect ECONNREFUSED 127.0.0.1:${port}`;
    const curl = `curl: (7) Failed to connect to 127.0.0.1 port ${port} after 0 ms: Couldn't connect to server`;
    for (const line of [said, curl])
      expect(classify(line)).toMatchObject({ denied: 'network', sure: 'certain' });
    await new Promise((resolve) => server.close(resolve));
    for (const line of [said, curl]) expect(classify(line)).toBeNull();
  });

  test('names its port in several ways', () => {
    expect(
      portIn('connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused'),
    ).toBe(5432);
    expect(portIn('bash: connect: Connection refused')).toBeNull();
    expect(portIn('curl: (7) Failed to connect to localhost port 8080: Connection refused')).toBe(8080);
  });
});

describe('a refused privilege', () => {
  test('sudo cannot work inside', () => {
    const said = 'sudo: The "no new privileges" flag is set, which prevents sudo from running as root.';
    expect(classify(said)).toMatchObject({
      denied: 'privilege',
      grant: { privilege: true },
      sure: 'certain',
    });
    expect(classify(said, { privilege: true })).toBeNull();
  });

  test('what a user may not do anyway is no denial; of root it is likely one', () => {
    const denial = classify('mount: /mnt: mount failed: Operation not permitted.');
    if (process.getuid?.() === 0) expect(denial).toMatchObject({ denied: 'privilege', sure: 'likely' });
    else expect(denial).toBeNull();
  });
});

test('a command that succeeded, or was ended, was denied nothing', () => {
  const said = `touch: cannot touch '${home}/a': Read-only file system`;
  expect(classify(said, {}, 0)).toBeNull();
  expect(classify(said, {}, null)).toBeNull();
  expect(classify('it just failed')).toBeNull();
});

test('of several refusals the last one counts', () => {
  const said = `bash: ${home}/a: Read-only file system\nsudo: The "no new privileges" flag is set`;
  expect(classify(said)?.denied).toBe('privilege');
});

describe('what is refused in silence', () => {
  const quiet = (quietly: object, { exitCode = 7, grants = {}, script = '' } = {}) =>
    classifyDenial({
      exitCode,
      stderrTail: '',
      policy: { workspace, grants, home, caches: [], storeDir },
      quietly: { unreachable: 0, unheard: 0, left: [], ...quietly },
      script,
    });

  test('a connection without a way out is known by the sandbox’s own counters', () => {
    const grant = networkInterfaces()['eth0'] === undefined ? null : { network: true };
    if (grant !== null) expect(quiet({ unreachable: 1 })).toMatchObject({ denied: 'network', grant });
    expect(quiet({ unreachable: 1 }, { grants: { network: true } })).toBeNull();
    expect(quiet({})).toBeNull();
  });

  test('a port that somebody outside listens on, and nobody inside', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const script = `curl -sf http://127.0.0.1:${port}/`;
    expect(quiet({ unheard: 1 }, { script })).toMatchObject({ denied: 'network', grant: { network: true } });
    expect(quiet({ unheard: 0 }, { script })).toBeNull();
    server.close();
  });

  test('what was written to a folder that is gone with the sandbox, though all went well', () => {
    const left = ['/tmp/report.txt', workspace];
    expect(quiet({ left }, { exitCode: 0 })).toMatchObject({ denied: 'write', grant: { write: ['/tmp'] } });
    expect(quiet({ left: ['/tmp/tmp.x9y8', folder] }, { exitCode: 0 })).toBeNull();
    expect(quiet({ left }, { exitCode: 0, grants: { write: ['/tmp'] } })).toBeNull();
  });
});
