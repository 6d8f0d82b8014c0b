import { execFileSync } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk in memory where there is one: three hundred stories sync some thousand times. */
export function quickFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK);
    return mkdtempSync('/dev/shm/planwright-undo-');
  } catch {
    return mkdtempSync(join(tmpdir(), 'planwright-undo-'));
  }
}

export const kinds = ['no-repository', 'repository', 'subfolder', 'worktree'] as const;
export type Kind = (typeof kinds)[number];

export interface Site {
  workspace: string;
  /** The user's git folder; null where there is none. */
  git: string | null;
  /** Tracked by the user although it is ignored. */
  tracked: string[];
}

const rules = '*.log\nignored/\n';

function git(cwd: string, ...args: string[]): void {
  const who = ['-c', 'user.name=u', '-c', 'user.email=u@example.org', '-c', 'core.autocrlf=true'];
  execFileSync('git', [...who, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  });
}

/** What a person has: history, a dirty index, a stash, attributes that would change bytes, a hook that would tell. */
function fill(top: string, workspace: string): void {
  mkdirSync(join(workspace, 'd/ignored'), { recursive: true });
  writeFileSync(join(top, '.gitattributes'), '* text=auto eol=crlf ident\n*.txt filter=upper\n');
  writeFileSync(join(workspace, '.gitignore'), rules);
  writeFileSync(join(workspace, 'a.txt'), 'tracked\n');
  writeFileSync(join(workspace, 'keep.log'), 'ignored and tracked\n');
  writeFileSync(join(workspace, 'd/b.bin'), '\0\xff');
}

/** One of each kind, made once with git and copied for every story. */
export function makeTemplates(root: string): void {
  for (const kind of kinds) {
    const top = join(root, kind, 'top');
    const workspace = kind === 'subfolder' ? join(top, 'packages/a') : top;
    mkdirSync(workspace, { recursive: true });
    fill(top, workspace);
    if (kind === 'no-repository') continue;
    git(top, 'init', '-q', '-b', 'main', '--template=');
    mkdirSync(join(top, '.git/info'));
    writeFileSync(join(top, '.git/info/exclude'), '*.excluded\n');
    git(top, 'config', 'filter.upper.clean', 'tr a-z A-Z');
    git(top, 'config', 'core.fsmonitor', 'false');
    git(top, 'add', '-A');
    git(top, 'add', '-f', '--', join(workspace, 'keep.log'));
    git(top, 'commit', '-qm', 'one');
    writeFileSync(join(workspace, 'a.txt'), 'stashed\n');
    git(top, 'stash');
    if (kind === 'worktree') git(top, 'worktree', 'add', '-q', join(root, kind, 'linked'));
    const dirty = kind === 'worktree' ? join(root, kind, 'linked') : workspace;
    writeFileSync(join(dirty, 'a.txt'), 'staged\r\n');
    writeFileSync(join(dirty, 'staged.txt'), 'staged\n');
    git(dirty, 'add', 'a.txt', 'staged.txt');
    writeFileSync(join(dirty, 'a.txt'), 'staged and changed\n');
  }
}

/** A copy of a template to tell a story in. */
export function makeSite(templates: string, kind: Kind, folder: string): Site {
  cpSync(join(templates, kind), folder, { recursive: true, verbatimSymlinks: true });
  const top = join(folder, 'top');
  const tracked = kind === 'no-repository' ? [] : ['keep.log'];
  if (kind === 'no-repository') return { workspace: top, git: null, tracked };
  if (kind === 'subfolder') return { workspace: join(top, 'packages/a'), git: join(top, '.git'), tracked };
  if (kind === 'repository') return { workspace: top, git: join(top, '.git'), tracked };
  const linked = join(folder, 'linked');
  writeFileSync(join(linked, '.git'), `gitdir: ${join(top, '.git/worktrees/linked')}\n`);
  return { workspace: linked, git: join(top, '.git'), tracked };
}
