import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { begunRun, makeDesk, prepared, taskOf } from './testing.ts';

const bin = mkdtempSync(join(tmpdir(), 'planwright-gh-'));
afterAll(() => rmSync(bin, { recursive: true, force: true }));
const home = { PATH: `${bin}:${process.env['PATH']}`, HOME: bin, GIT_CONFIG_NOSYSTEM: '1' };
const desk = makeDesk({ env: home });
const { repository, worktrees, git, gitIn, commit, write, read } = desk;
const signal = new AbortController().signal;
const log = join(bin, 'log');
const remote = join(desk.folder, 'remote.git');

/** What `gh` is on the PATH: it writes down what it was asked and told, and answers with this. */
function gh(answers: { list?: string; create?: string; view?: string }): void {
  write(
    join(bin, 'gh'),
    `#!/bin/sh
printf '%s\\n' "$*" >> '${log}'
case "$1 $2" in
  'pr list') printf '%s' '${answers.list ?? '[]'}' ;;
  'pr create') cat >> '${log}'; ${answers.create ?? 'echo no such thing >&2; exit 1'} ;;
  'pr view') printf '%s' '${answers.view ?? '{}'}' ;;
esac
`,
  );
  chmodSync(join(bin, 'gh'), 0o755);
}
const told = (): string => {
  const text = read(log) ?? '';
  rmSync(log, { force: true });
  return text;
};

const agreed = (to: string) => ({ how: 'pull-request' as const, to, epoch: 1 });

async function made(task: string, name: string | null = 'origin') {
  const run = begunRun({ path: repository, task, repository: { remote: name } });
  const { state, path, branch } = await prepared(worktrees, run);
  const seen = commit(path, { [`${task}.txt`]: `${task}\n` }, `work of ${task}`);
  await worktrees.release(state);
  return { task: { ...taskOf(state, seen), merging: agreed(remote) }, state, path, branch, seen };
}

test('what was reviewed is pushed as the task’s branch, and gh asks for it to be merged; done twice it is done once', async () => {
  git('init', '--quiet', '--bare', '-b', 'main', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', 'origin', 'main');
  const { task, branch, seen, path, state } = await made('g1');
  gh({ create: 'echo https://example.org/pull/7' });
  const main = git('rev-parse', 'main');
  const opened = await worktrees.merge(task, 'pull-request', signal);
  const pullRequest = { url: 'https://example.org/pull/7', commit: seen };
  expect(opened).toMatchObject({ ok: true, commit: null, pullRequest });
  expect(gitIn(remote, 'rev-parse', branch)).toBe(seen);
  expect(git('rev-parse', 'main')).toBe(main);
  expect(told()).toContain(
    `pr create --repo ${remote} --head ${branch} --base main --title Do g1 --body-file -\nPlanwright-Task: g1 ${seen}\n`,
  );
  gh({ list: '[{"url":"https://example.org/pull/7"}]' });
  expect(await worktrees.merge({ ...task, pullRequest }, 'pull-request', signal)).toMatchObject({
    pullRequest,
  });
  expect(told()).not.toContain('pr create');
  // Changed and reviewed once more, the same one has it.
  gitIn(path, 'commit', '--quiet', '--amend', '-m', 'better');
  const better = git('rev-parse', branch);
  const next = { ...taskOf(state, better), pullRequest, merging: agreed(remote) };
  expect(await worktrees.merge(next, 'pull-request', signal)).toMatchObject({
    pullRequest: { commit: better },
  });
  expect(gitIn(remote, 'rev-parse', branch)).toBe(better);
});

test('a branch that somebody else has moved there, or that nobody has reviewed, is not pushed', async () => {
  const { task, branch, path } = await made('g2');
  gh({ create: 'echo https://example.org/pull/8' });
  git('push', '--quiet', 'origin', `main:${branch}`);
  const theirs = gitIn(remote, 'rev-parse', branch);
  expect(await worktrees.merge(task, 'pull-request', signal)).toMatchObject({
    ok: false,
    code: 'not-pushed',
  });
  expect(gitIn(remote, 'rev-parse', branch)).toBe(theirs);
  commit(path, { 'g2.txt': 'since\n' });
  expect(await worktrees.merge(task, 'pull-request', signal)).toMatchObject({ code: 'moved-since' });
});

test('it is pushed to the address that was agreed on, which is shown without what logs in there, or nowhere', async () => {
  const { task, branch } = await made('g9');
  gh({ create: 'echo https://example.org/pull/9' });
  const elsewhere = join(desk.folder, 'elsewhere.git');
  git('init', '--quiet', '--bare', elsewhere);
  expect((await worktrees.diff(task))?.pushesTo).toBe(remote);
  git('remote', 'set-url', '--push', 'origin', elsewhere);
  const refused = await worktrees.merge(task, 'pull-request', signal);
  expect(refused).toMatchObject({ ok: false, code: 'another-address' });
  expect(gitIn(elsewhere, 'branch', '--list')).toBe('');
  expect(gitIn(remote, 'branch', '--list', branch)).toBe('');
  git('remote', 'set-url', '--push', 'origin', 'https://ana:s3cret@git.example/a.git');
  expect((await worktrees.diff(task))?.pushesTo).toBe('https://git.example/a.git');
  git('remote', 'set-url', '--push', 'origin', remote);
});

test('without a remote, without gh, or with one that fails, it says so, and the task stays as it is', async () => {
  const none = await made('g3', null);
  expect(await worktrees.merge(none.task, 'pull-request', signal)).toMatchObject({ code: 'no-remote' });
  const { task } = await made('g4');
  gh({});
  const failed = await worktrees.merge(task, 'pull-request', signal);
  expect(failed).toMatchObject({
    ok: false,
    code: 'gh-failed',
    message: expect.stringContaining('no such thing'),
  });
  rmSync(join(bin, 'gh'));
  const other = await made('g5');
  const without = await worktrees.merge(other.task, 'pull-request', signal);
  expect(without).toMatchObject({ ok: false, code: 'no-gh' });
  expect(gitIn(remote, 'branch', '--list', other.branch), 'nothing is pushed in vain').toBe('');
});

test('what was merged there is merged here, too, whatever was made of its commits', async () => {
  const { task, seen } = await made('g6');
  const pullRequest = { url: 'https://example.org/pull/9', commit: seen };
  gh({ view: '{"state":"OPEN","mergeCommit":null}' });
  const asked = { ...task, pullRequest };
  const oid = git('rev-parse', 'main');
  gh({ view: `{"state":"MERGED","mergeCommit":{"oid":"${oid}"}}` });
  expect(await worktrees.merge(asked, 'merge', signal)).toMatchObject({ ok: true, commit: oid });
  expect(git('rev-parse', 'main')).toBe(oid);
  gh({ view: '{"state":"OPEN","mergeCommit":null}' });
  expect(await worktrees.merge(asked, 'merge', signal)).toMatchObject({ ok: true });
  expect(git('rev-parse', 'main^2')).toBe(seen);
});
