import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BIN } from '../support/program.ts';
import { openShop } from './shop.ts';

it('the base is deleted, the repository is moved away: each is said, and put right it goes on where it was', async () => {
  const { git, task, move, repository } = await openShop({ baseBranch: 'release' });
  git('branch', 'release');
  const id = await task({ title: 'Under way' });
  await move(id, 'implementing');
  git('branch', '-D', 'release');
  const without = await move(id, 'reviewing');
  expect(without).toMatchObject({ status: 'stuck', phases: { length: 3 } });
  expect(without.phases.at(-1)?.message).toContain('release');
  git('branch', 'release', 'main');
  renameSync(repository, `${repository}-away`);
  const away = await move(id, 'reviewing');
  expect(away.phases.at(-1)).toMatchObject({
    outcome: 'failed',
    message: expect.stringContaining(repository),
  });
  renameSync(`${repository}-away`, repository);
  expect(await move(id, 'reviewing')).toMatchObject({ status: 'ready' });
});

it('a disk that is full leaves the task stuck and says so; with room it is done, and nothing is left of the first try', async () => {
  const { git, task, move, repository, env, app } = await openShop();
  writeFileSync(join(repository, 'large.bin'), Buffer.alloc(4_000_000, 7));
  git('add', '--all');
  git('commit', '--quiet', '-m', 'large');
  const id = await task({ title: 'No room' });
  const worktrees = join(repository, '.agent-worktrees');
  const { stderr, status } = spawnSync(
    'bwrap',
    [
      ...[
        '--bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--proc',
        '/proc',
        '--size',
        '1000000',
        '--tmpfs',
        worktrees,
        '--',
      ],
      ...[process.execPath, BIN, 'task', 'start', id, '--wait'],
    ],
    { cwd: repository, env, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([3, expect.stringMatching(/large\.bin.*are free on this disk/)]);
  expect((await app.tasks.find(id)).state).toBe('stuck');
  expect(await move(id, 'planning')).toMatchObject({ status: 'plan_ready' });
  expect(existsSync(join(worktrees, id, 'large.bin'))).toBe(true);
  expect(git('status', '--porcelain')).toBe('');
});
