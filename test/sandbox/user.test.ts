import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findPrograms } from '../../src/world/process/sandbox/programs.ts';
import { describeSandbox } from './testing.ts';

/** Somebody who is not root, and has no rights at all. */
const NOBODY = 65534;

/** Where that user can go: not the home of root, and not /tmp, which is private to every sandbox. */
const base = '/var/lib';

const worker = join(import.meta.dirname, 'worker.ts');
const asNobody = {
  uid: NOBODY,
  gid: NOBODY,
  cwd: '/',
  encoding: 'utf8',
  env: { PATH: '/usr/bin:/bin' },
} as const;

/** Some systems let only root have namespaces, and a checkout in root's home is not for everybody to read. */
function canTry(): boolean {
  const programs = findPrograms();
  if (typeof programs === 'string') return false;
  const args = ['--unshare-user', '--ro-bind', '/', '/', process.execPath, '--check', worker];
  return spawnSync(programs.bwrap, args, asNobody).status === 0;
}

// Run by a user, every test goes through the user namespace; run by root, it needs somebody else.
if (process.getuid?.() !== 0) test.skip('not root: every other test is about this already');
else if (!canTry()) test.skip('users may not make sandboxes here, or cannot read this checkout');
else
  describeSandbox('a sandbox that a user makes', () => {
    const folder = mkdtempSync(join(base, 'planwright-test-'));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    for (const name of ['work', 'home', 'home/.npm', 'home/.ssh', 'store', 'outside']) {
      mkdirSync(join(folder, name));
      chownSync(join(folder, name), NOBODY, NOBODY);
    }
    const policy = {
      workspace: join(folder, 'work'),
      grants: {},
      home: join(folder, 'home'),
      caches: [join(folder, 'home/.npm')],
      storeDir: join(folder, 'store'),
    };
    for (const name of ['home/.npm/cached', 'home/.ssh/id', 'outside/file']) {
      writeFileSync(join(folder, name), 'theirs\n');
      chownSync(join(folder, name), NOBODY, NOBODY);
    }

    const run = (script: string, grants: object = {}) => {
      const args = [worker, JSON.stringify({ ...policy, grants }), script];
      const { stdout, stderr } = spawnSync(process.execPath, args, asNobody);
      return stdout === '' ? { stderr } : JSON.parse(stdout);
    };

    test('has the same walls, and the same user inside', () => {
      const script = `id -u; echo x > made; ls -A ../home/.ssh; echo new >> ../home/.npm/cached; cat ../home/.npm/cached
      touch ../outside/new; echo x > ../outside/file; mkdir .git/hooks; grep CapEff /proc/self/status; exit 3`;
      const { exitCode, stdout, stderr } = run(script);
      expect({ exitCode, stdout }).toEqual({
        exitCode: 3,
        stdout: `${NOBODY}\ntheirs\nnew\nCapEff:\t0000000000000000\n`,
      });
      expect(stderr.match(/Read-only file system/g)).toHaveLength(3);
      expect(readFileSync(join(folder, 'home/.npm/cached'), 'utf8')).toBe('theirs\n');
      expect(readFileSync(join(folder, 'outside/file'), 'utf8')).toBe('theirs\n');
      expect(readdirSync(join(folder, 'work'))).toEqual(['made']);
    });

    test('holds no privilege: with that grant the command runs outside', () => {
      expect(run('cat ../home/.ssh/id', { privilege: true })).toMatchObject({
        exitCode: 0,
        stdout: 'theirs\n',
      });
      expect(run('cat ../home/.ssh/id')).toMatchObject({ exitCode: 1, stdout: '' });
    });
  });
