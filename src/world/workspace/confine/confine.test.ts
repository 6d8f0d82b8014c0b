import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { specialError } from './entry.ts';
import { openFolder } from './folder.ts';
import { type LocateOptions, locate } from './locate.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'pw-confine-')));
const workspace = join(base, 'ws');
const server = createServer();
beforeAll(async () => {
  mkdirSync(join(workspace, 'sub/deep'), { recursive: true });
  mkdirSync(join(base, 'out'));
  writeFileSync(join(workspace, 'file'), '');
  writeFileSync(join(base, 'out/secret'), '');
  const links = {
    in: 'sub',
    'in-absolute': join(workspace, 'sub'),
    out: '../out',
    'out-absolute': join(base, 'out'),
    'out-file': join(base, 'out/secret'),
    dangling: 'sub/none',
    'dangling-out': '../out/none',
    'sub/up': '..',
    'sub/out-and-back': '../../ws/file',
    circle: 'circle',
    root: '/',
    self: '.',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(workspace, name));
  symlinkSync(workspace, join(base, 'alias'));
  execFileSync('mkfifo', [join(workspace, 'pipe')]);
  await new Promise<void>((resolve) => server.listen(join(workspace, 'socket'), resolve));
});
afterAll(() => {
  server.close();
  rmSync(base, { recursive: true, force: true });
});

describe.each([
  ['by descriptor', true],
  ['by looking again', false],
])('folders held %s', (_, hold) => {
  const find = (path: string, options: Partial<LocateOptions> = {}, cwd = workspace) => {
    const place = locate({ workspace, cwd, hold }, path, { follow: true, ...options });
    place.close();
    return place;
  };

  test.each([
    ['file', 'file', 'file'],
    ['./sub/../file', 'file', 'file'],
    ['sub/', 'sub', 'folder'],
    ['new', 'new', 'absent'],
    ['in/new', 'sub/new', 'absent'],
    ['in-absolute/deep/..', 'sub', 'folder'],
    ['sub/up/file', 'file', 'file'],
    ['in/../file', 'file', 'file'],
    ['dangling', 'sub/none', 'absent'],
    ['self/self/file', 'file', 'file'],
    ['.', '', 'folder'],
    ['sub/up', '', 'folder'],
  ])('%s is %s', (path, real, kind) => {
    const place = find(path);
    expect([place.path, place.entry.kind]).toEqual([join(workspace, real), kind]);
  });

  test.each([
    '..',
    '../out/secret',
    'sub/../../out',
    'in/../../out',
    '/etc/passwd',
    '/',
    'out/secret',
    'out-absolute/secret',
    'out-file',
    'dangling-out',
    'sub/out-and-back',
    'root/etc/passwd',
  ])('%s leads out', (path) => {
    expect(() => find(path)).toThrow(expect.objectContaining({ code: 'outside' }));
  });

  test('a link at the end is a thing of its own where it is not followed', () => {
    expect(find('out', { follow: false })).toMatchObject({ name: 'out', entry: { kind: 'link' } });
    expect(() => find('out/secret', { follow: false })).toThrow(expect.objectContaining({ code: 'outside' }));
  });

  test('absolute paths, also through another name of the workspace', () => {
    expect(find(join(workspace, 'file')).path).toBe(join(workspace, 'file'));
    expect(find(join(base, 'alias/sub/../file')).path).toBe(join(workspace, 'file'));
    expect(() => find(`${workspace}-next/file`)).toThrow(expect.objectContaining({ code: 'outside' }));
  });

  test('relative paths begin where the session is', () => {
    expect(find('new', {}, join(workspace, 'sub')).path).toBe(join(workspace, 'sub/new'));
    expect(find('../file', {}, join(workspace, 'sub')).path).toBe(join(workspace, 'file'));
    expect(() => find('file', {}, join(base, 'out'))).toThrow(
      `file is outside the workspace: the session is in ${join(base, 'out')}`,
    );
  });

  test('what is in the way is told', () => {
    expect(() => find('none/at/all')).toThrow(`there is no folder ${workspace}/none`);
    expect(() => find('file/x')).toThrow(`${workspace}/file is no folder`);
    expect(() => find('circle')).toThrow('circle goes through too many links');
    expect(() => find('a\0b')).toThrow('is no path');
    expect(() => find('~/x')).toThrow('which only a shell expands');
    expect(find('none/at/all', { partial: true })).toMatchObject({ name: 'none', rest: ['at', 'all'] });
    expect(() => find('none/../..', { partial: true })).toThrow('there is no folder');
  });

  test('a pipe and a socket are told from files', () => {
    const { entry, path } = find('pipe');
    expect(entry.kind).toBe('special');
    expect(specialError(path, entry.stats).message).toBe(`${path} is a named pipe, not a file`);
    expect(find('socket').entry.kind).toBe('special');
  });

  test('a folder is what it is now, and nothing where it was removed', () => {
    const gone = join(workspace, 'gone');
    mkdirSync(gone);
    const folder = openFolder(gone, hold);
    expect(folder.entry()).toMatchObject({ kind: 'folder', stats: { ino: lstatSync(gone).ino } });
    rmSync(gone, { recursive: true });
    if (hold) expect(folder.entry()).toEqual({ kind: 'absent', stats: null });
    else expect(() => folder.entry()).toThrow();
    folder.close();
  });

  test('nothing stays open', () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const path of ['sub/deep/x', '../x', 'none/x', 'circle', 'in/deep/../..']) {
      try {
        find(path);
      } catch {
        // Refused: what was opened on the way is closed all the same.
      }
    }
    expect(open()).toBe(before);
  });
});
