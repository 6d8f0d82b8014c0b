import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Carried, GitSource } from '../../../core/contract/index.ts';
import { readAddress } from './address.ts';
import { packWork } from './carry.ts';
import { cleanCache } from './clean.ts';
import { makeFolder } from './folder.ts';
import { type Caching, resolveSource } from './mirror.ts';

let root: string;
let origin: string;
let work: string;
let source: GitSource;
const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd,
    env,
    encoding: 'utf8',
  }).trim();
const machine = (name: string): Caching => ({ env, cache: join(root, name), protocols: ['file'] });
const noParcel = async (): Promise<Uint8Array> => new Uint8Array();

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'planwright-source-'));
  [origin, work] = [join(root, 'app.git'), join(root, 'work')];
  git(root, 'init', '-q', '--bare', '-b', 'main', origin);
  git(root, 'init', '-q', '-b', 'main', work);
  writeFileSync(join(work, 'a.txt'), 'a\r\nb\r\n');
  writeFileSync(join(work, 'gone.txt'), 'gone');
  writeFileSync(join(work, '.gitattributes'), '*.txt text eol=lf\n');
  writeFileSync(join(work, '.gitignore'), '.env\nbuild\n');
  git(work, 'add', '-A');
  git(work, 'commit', '-q', '-m', 'one');
  git(work, 'tag', '-a', 'v1', '-m', 'v1');
  git(work, 'push', '-q', origin, 'main', 'v1');
  source = await resolveSource(`${origin}#main`, machine('one'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('an address is one that any machine can clone, starts no program, and has no password in it', () => {
  expect(readAddress('https://example.org/a/b.git#v1')).toEqual({
    url: 'https://example.org/a/b.git',
    ref: 'v1',
    protocol: 'https',
  });
  expect(readAddress('git@example.org:a/b.git')).toMatchObject({ ref: null, protocol: 'ssh' });
  expect(readAddress('/srv/b.git')).toMatchObject({ url: 'file:///srv/b.git', protocol: 'file' });
  const bad = [
    ...['ext::sh -c id', 'ext::sh', 'file::x', '--upload-pack=id', 'git://example.org/a', 'b.git', ''],
    ...[
      'https://u:p@example.org/a',
      'https://token@example.org/a',
      'ssh://u:p@example.org/a',
      'ssh://-oProxy=x/a',
    ],
    ...[
      'https://example.org/a#-x',
      'https://example.org/a#..',
      'https://example.org/a#a b',
      'https://a\nb/c',
    ],
  ];
  for (const text of bad) expect(() => readAddress(text), text).toThrow();
});

test('a branch, a tag and what is checked out there each stand for one commit; other protocols are refused', async () => {
  const commit = git(work, 'rev-parse', 'main');
  expect(source).toEqual({ url: `file://${origin}`, ref: 'refs/heads/main', commit });
  expect(await resolveSource(origin, machine('one'))).toEqual(source);
  expect(await resolveSource(`${origin}#v1`, machine('one'))).toMatchObject({ ref: 'refs/tags/v1', commit });
  expect(await resolveSource(`${origin}#${commit}`, machine('one'))).toEqual({
    url: `file://${origin}`,
    commit,
  });
  await expect(resolveSource(`${origin}#nothing`, machine('one'))).rejects.toThrow(
    'has no branch, tag or commit nothing',
  );
  const closed = { ...machine('one'), protocols: ['https' as const] };
  await expect(resolveSource(origin, closed)).rejects.toThrow('not allowed here');
  await expect(makeFolder({ run: 'r0', source, carried: null, parcel: noParcel }, closed)).rejects.toThrow(
    'not allowed here',
  );
});

test('what a run left goes with it to another machine, byte by byte, and nothing of it twice', async () => {
  const [one, two] = [machine('one'), machine('two')];
  const folder = await makeFolder({ run: 'r1', source, carried: null, parcel: noParcel }, one);
  expect(git(folder, 'status', '--porcelain', '-b')).toBe('## main');
  const parcels = new Map<string, Uint8Array>();
  let carried: Carried | null = null;
  const carry = async () => {
    const packed = await packWork({ run: 'r1', source, carried, folder }, one);
    if (packed === null) return null;
    const { name, bytes, ...rest } = packed.parcel;
    parcels.set(name, packed.bytes);
    carried = { ...rest, parcels: [...(carried?.parcels ?? []), name], bytes: (carried?.bytes ?? 0) + bytes };
    return bytes;
  };
  expect(await carry()).toBeNull();
  writeFileSync(join(folder, 'a.txt'), 'mixed\r\nends\n');
  writeFileSync(join(folder, '.env'), 'TOKEN=1');
  rmSync(join(folder, 'gone.txt'));
  mkdirSync(join(folder, 'build/empty'), { recursive: true });
  writeFileSync(join(folder, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(folder, 'run.sh'), 0o755);
  expect(await carry()).toBeGreaterThan(0);
  expect(await carry()).toBeNull();
  git(folder, 'checkout', '-q', '-b', 'topic');
  git(folder, 'add', 'run.sh');
  git(folder, 'commit', '-q', '-m', 'two');
  writeFileSync(join(folder, 'later.txt'), 'later');
  expect(await carry()).toBeGreaterThan(0);

  const moved = await makeFolder(
    { run: 'r1', source, carried, parcel: async (name) => parcels.get(name)! },
    two,
  );
  expect(readFileSync(join(moved, 'a.txt'), 'utf8')).toBe('mixed\r\nends\n');
  expect(readFileSync(join(moved, '.env'), 'utf8')).toBe('TOKEN=1');
  expect(readFileSync(join(moved, 'later.txt'), 'utf8')).toBe('later');
  expect(['gone.txt', 'build/empty'].map((path) => existsSync(join(moved, path)))).toEqual([false, true]);
  execFileSync(join(moved, 'run.sh'));
  expect(git(moved, 'log', '--format=%s %D')).toBe(git(folder, 'log', '--format=%s %D'));
  expect(git(moved, 'status', '--porcelain')).toBe(git(folder, 'status', '--porcelain'));
  expect(await packWork({ run: 'r1', source, carried, folder: moved }, two)).toBeNull();
});

test('a repository within is not carried, and that is said', async () => {
  const folder = await makeFolder({ run: 'r2', source, carried: null, parcel: noParcel }, machine('one'));
  git(root, 'clone', '-q', origin, join(folder, 'inner'));
  await expect(packWork({ run: 'r2', source, carried: null, folder }, machine('one'))).rejects.toThrow(
    'inner',
  );
});

test('what was there under the name of a run is put aside, and goes by the table', async () => {
  const at = machine('three');
  const folder = await makeFolder({ run: 'r3', source, carried: null, parcel: noParcel }, at);
  writeFileSync(join(folder, 'half.txt'), 'half');
  await makeFolder({ run: 'r3', source, carried: null, parcel: noParcel }, at);
  const [home, aside] = [join(at.cache, 'runs/r3'), join(at.cache, 'runs/r3.left-1')];
  expect(readFileSync(join(aside, 'app/half.txt'), 'utf8')).toBe('half');
  const clean = (owner: 'gone' | 'ended' | 'here', now: number) =>
    cleanCache({ cache: at.cache, now, mirrorDays: 30, ownerOf: async () => owner });
  const days = (n: number) => Date.now() + n * 24 * 60 * 60 * 1000;
  expect((await clean('here', days(0))).removed).toEqual([]);
  expect((await clean('here', days(2))).removed).toEqual([aside]);
  // A folder that reads it keeps a repository, however old.
  expect((await clean('here', days(100))).removed).toEqual([]);
  expect((await clean('ended', days(0))).removed).toEqual([]);
  // The folder of a run is made before the run is.
  expect((await clean('gone', days(0))).removed).toEqual([]);
  const { removed, bytes } = await clean('gone', days(1));
  expect([removed, bytes > 0]).toEqual([[home], true]);
  const mirror = (await clean('gone', days(31))).removed;
  expect(mirror).toHaveLength(1);
  expect(existsSync(mirror[0]!)).toBe(false);
});

test('nothing that the repository says is run, here or when its work is carried', async () => {
  const marks = join(root, 'marks');
  const folder = await makeFolder({ run: 'r4', source, carried: null, parcel: noParcel }, machine('one'));
  mkdirSync(join(folder, '.git/hooks'), { recursive: true });
  for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout'])
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\necho ${hook} >> ${marks}\n`, { mode: 0o755 });
  git(folder, 'config', 'core.fsmonitor', `sh -c "echo fsmonitor >> ${marks}"`);
  git(folder, 'config', 'filter.x.clean', `sh -c "echo filter >> ${marks}; cat"`);
  rmSync(marks, { force: true });
  writeFileSync(join(folder, '.gitattributes'), '* filter=x\n');
  writeFileSync(join(folder, 'new.txt'), 'new');
  expect(await packWork({ run: 'r4', source, carried: null, folder }, machine('one'))).not.toBeNull();
  expect(existsSync(marks)).toBe(false);
});
