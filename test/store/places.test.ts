import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { initialRunState } from '../../src/core/contract/index.ts';
import { createRunMachine, type RunWork } from '../../src/core/run/index.ts';
import type { HoldResult } from '../../src/core/stream/index.ts';
import { type Folder, kindsOf, type Store } from '../../src/core/stream/index.ts';
import { hostHere, thisDriver } from '../../src/world/process/identity.ts';
import { openStore } from '../../src/world/store/index.ts';
import { placeOf } from '../../src/world/workspace/index.ts';
import { toyKind } from '../support/toy-kind.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-places-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd,
      env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    },
  );

function repositoryWithWorktree(): { repository: string; worktree: string } {
  const repository = join(folder, 'repository');
  const worktree = join(repository, '.trees/a');
  mkdirSync(repository);
  git(repository, 'init');
  git(repository, 'commit', '--allow-empty', '-m', 'first');
  git(repository, 'submodule', 'add', repository, 'part');
  git(repository, 'commit', '-m', 'second');
  git(repository, 'worktree', 'add', worktree);
  git(worktree, 'submodule', 'update', '--init');
  mkdirSync(join(worktree, 'src'));
  mkdirSync(join(worktree, 'vendored'));
  git(join(worktree, 'vendored'), 'init');
  return { repository, worktree };
}

const { repository, worktree } = repositoryWithWorktree();

/** What becomes of a run that is about to look at a step of its own in this folder. */
async function holdAs(store: Store, run: string, workspace: string): Promise<HoldResult> {
  const machine = createRunMachine(run, thisDriver(), { performer: null! });
  const state = { ...initialRunState, place: placeOf(workspace), workspace };
  await store.begin(run, {
    kind: 'toy',
    id: 'begin',
    events: [{ v: 1, at: 1, type: 'toy-begun', target: 1 } as never],
  });
  const claimed = await store.claim(run);
  if (!claimed.ok) throw new Error('it is nobody else’s');
  return claimed.claim.hold(machine.holds(state, { kind: 'judge' } as RunWork) as Folder);
}

test.each([
  ['a repository', repository, undefined],
  ['a submodule of it', join(repository, 'part'), undefined],
  ['a linked worktree', worktree, worktree],
  ['a folder in it', join(worktree, 'src'), worktree],
  ['a submodule in it', join(worktree, 'part'), worktree],
  ['another repository in it', join(worktree, 'vendored'), worktree],
  ['no repository', folder, undefined],
])('%s: the place says which linked worktree it is in', (_, workspace, expected) => {
  expect(placeOf(workspace)).toEqual({
    host: hostHere(),
    boot: thisDriver().boot,
    workspace,
    ...(expected === undefined ? {} : { worktree: expected }),
  });
});

test('a run in a repository and one in a worktree nested in it do not lock each other; two in that worktree do', async () => {
  const store = await openStore({ dir: join(folder, 'data'), driver: thisDriver(), kinds: kindsOf(toyKind) });
  try {
    expect(await holdAs(store, 'a', repository)).toEqual({ ok: true });
    expect(await holdAs(store, 'b', worktree)).toEqual({ ok: true });
    expect(await holdAs(store, 'c', join(worktree, 'src'))).toMatchObject({ ok: false, stream: 'b' });
    expect(await holdAs(store, 'd', join(repository, 'part'))).toMatchObject({ ok: false, stream: 'a' });
  } finally {
    await store.close();
  }
});
