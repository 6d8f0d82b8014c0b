import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorktrees } from '../../src/world/worktrees/index.ts';
import { begunRun } from '../../src/world/worktrees/testing.ts';
import type { Row } from '../row.ts';
import { git, makeRepository, timed } from './repository.ts';

const ROUNDS = 7;

/** A worktree as an agent run gets it, and as `git worktree add` makes it, in turns on the same repository. */
export async function benchWorktrees(): Promise<Row[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'planwright-bench-')));
  const path = join(folder, 'repository');
  try {
    makeRepository(path);
    const worktrees = createWorktrees({
      dir: join(folder, 'store'),
      env: process.env,
      commandEnv: {},
      sandbox: () => null,
      isAtWork: async () => false,
      isTrusted: async () => true,
    });
    const signal = new AbortController().signal;
    const prepare = async (task: string, run: string, branch: string | null) => {
      const prepared = await worktrees.prepare(begunRun({ path, task, run, repository: { branch } }), signal);
      if (!prepared.ok) throw new Error(prepared.message);
    };
    const times = { bare: [] as number[], ours: [] as number[], again: [] as number[] };
    for (let round = -1; round < ROUNDS; round += 1) {
      const bare = join(folder, `bare${round}`);
      const taken = {
        bare: await timed(() => git(path, 'worktree', 'add', '--quiet', '-b', `bare${round}`, bare)),
        ours: await timed(() => prepare(`t${round + 1}`, 'r1', null)),
        again: await timed(() => prepare(`t${round + 1}`, 'r2', `task/t${round + 1}/implement`)),
      };
      git(path, 'worktree', 'remove', '--force', bare);
      rmSync(join(path, '.agent-worktrees', `t${round + 1}`), { recursive: true });
      if (round < 0) continue;
      for (const key of ['bare', 'ours', 'again'] as const) times[key].push(taken[key]);
    }
    // The shortest of each: what a busy machine adds belongs to neither.
    const [bare, ours] = [Math.min(...times.bare), Math.min(...times.ours)];
    return [
      { name: '10,000 files, a worktree for an agent run', value: ours, unit: 'ms' },
      { name: '  git worktree add', value: bare, unit: 'ms' },
      { name: '  as many times as long', value: ours / bare, unit: '×', target: 1.5 },
      { name: '10,000 files, a worktree that is there', value: Math.min(...times.again), unit: 'ms' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
