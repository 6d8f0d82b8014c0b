import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseTemplate } from '../../src/core/plan/templates/index.ts';
import { loadTemplates } from '../../src/doors/app/templates.ts';
import { type Bench, openBench } from '../support/cli.ts';
import { type Prepared, type Trial, trials } from './catalogue.ts';

const templates = loadTemplates();

/** Runs it as a person would, and approves what waits. */
async function runToEnd(bench: Bench, { name }: Trial, set: Record<string, string>) {
  const flags = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  let approved = 0;
  let ended = await bench.run(['templates', 'run', name, ...flags, '--on-ask', 'park']);
  while (ended.code === 3) {
    const [waiting] = JSON.parse((await bench.run(['waiting', '--json'])).stdout);
    approved += 1;
    ended = await bench.run(['approve', waiting.run, '--id', waiting.approval.id]);
  }
  return { ...ended, approved };
}

describe('every template does what it says, without a model', () => {
  it('and there are at least fifteen, each tried', () => {
    expect(templates.length).toBeGreaterThanOrEqual(15);
    expect(trials.map(({ name }) => name).toSorted()).toEqual(templates.map(({ name }) => name));
  });

  it.concurrent.each(trials)('$name', async (trial) => {
    const bench = openBench({ here: true });
    const prepared = ((await trial.prepare?.(bench)) ?? {}) as Prepared;
    try {
      const { code, stderr, approved } = await runToEnd(bench, trial, { ...trial.set, ...prepared.set });
      expect(code, stderr).toBe(0);
      expect(stderr).not.toContain(' warning[');
      expect(approved).toBe(trial.approves ?? 0);
      await trial.check(bench, stderr);
    } finally {
      await prepared.end?.();
      bench.clean();
    }
  });
});

describe('a first commit that cannot be made is said, and nothing else is changed', () => {
  const inRepository =
    'git init -q . && git -c user.name=A -c user.email=a@example.org -c commit.gpgsign=false commit -q --allow-empty -m one';
  it.each([
    ['git has no user name', 'echo a > a', 'git has not been told who you are', '0'],
    ['there is nothing to commit', 'touch .env', 'there is no file that could be', '0'],
    ['it has commits already', `${inRepository} && echo a > a`, 'it has commits already', '1'],
    ['the folder is part of a repository', `${inRepository} && mkdir d`, 'it has commits already', '1', 'd'],
    ['it has no working tree', 'git init -q --bare .', 'this is a repository without a working tree', '0'],
  ])('%s', async (_why, prepare, said, commits, folder = '.') => {
    const bench = openBench({ here: true });
    try {
      const nobody = { HOME: bench.home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
      const names = ['AUTHOR_NAME', 'AUTHOR_EMAIL', 'COMMITTER_NAME', 'COMMITTER_EMAIL'];
      const env = { ...nobody, ...Object.fromEntries(names.map((name) => [`GIT_${name}`, ''])) };
      execFileSync('bash', ['-ec', prepare], { cwd: bench.workspace });
      const who = said.startsWith('git') ? [] : ['--set', 'author=Ada', '--set', 'email=a@example.org'];
      const set = ['--set', `folder=${folder}`, ...who];
      const { code, stdout, stderr } = await bench.run(['templates', 'run', 'first-commit', ...set], env);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain(`Nothing was committed: ${said}`);
      const git = (...args: string[]) =>
        execFileSync('git', args, { cwd: bench.workspace, encoding: 'utf8' }).trim();
      expect(git('rev-list', '--count', '--all')).toBe(commits);
      expect(existsSync(bench.path(`${folder}/.git`))).toBe(folder === '.' && !prepare.includes('--bare'));
    } finally {
      bench.clean();
    }
  });
});

describe('a goal in words finds its template', () => {
  it.each(trials.flatMap(({ name, goals }) => goals.map((goal) => [goal, name] as const)))(
    '%s',
    (goal, name) => {
      const chosen = chooseTemplate(goal, templates);
      expect(
        chosen.ok ? chosen.template.name : chosen.near.map((near) => `${near.template.name} ${near.score}`),
      ).toBe(name);
    },
  );

  it.each([
    'translate a poem into French',
    'deploy the application to production',
    'delete everything',
    'do it',
    '',
    'bitte mach das Ding an',
    'install docker and start a container with postgres',
  ])('nothing is about: %s', (goal) => {
    expect(chooseTemplate(goal, templates).ok).toBe(false);
  });
});

describe('planwright run "a goal in words"', () => {
  it('runs the template that it is about', async () => {
    const bench = openBench({ here: true });
    try {
      bench.write('a.txt', 'x');
      const { code, stderr } = await bench.run(
        ['run', 'find large files in this folder', '--set', 'size=1k'],
        offline,
      );
      expect(code, stderr).toBe(0);
      expect(stderr).toContain('Using the template find-large-files');
    } finally {
      bench.clean();
    }
  });

  it('gives nobody a template for bash who asked for PowerShell', async () => {
    const bench = openBench({ here: true });
    try {
      const goal = 'find large files in this folder';
      const { code, stderr } = await bench.run(['run', goal, '--shell', 'pwsh'], offline);
      expect(code).toBe(2);
      expect(stderr).toMatch(/templates are for bash.*planwright models/s);
      expect(stderr).not.toContain('Using the template');
      const planned = await bench.run(['plan', goal, '--shell', 'pwsh'], offline);
      expect(planned.stderr).toContain('templates are for bash');
    } finally {
      bench.clean();
    }
  });

  it('takes what the goal says itself, shows it, and lets a flag say otherwise', async () => {
    const bench = openBench({ here: true });
    try {
      const shown = await bench.run(['run', 'back up this folder', '--dry-run'], offline);
      expect(shown.code, shown.stderr).toBe(0);
      expect(shown.stderr).toContain('As the goal says, folder is .');
      expect(shown.stdout).toContain("folder='.'");
      const goal = 'dump the sqlite database app.db';
      expect((await bench.run(['run', goal, '--dry-run'], offline)).stdout).toContain("test -f 'app.db'");
      const other = await bench.run(['run', goal, '--dry-run', '--set', 'database=other.db'], offline);
      expect(other.stdout).toContain("test -f 'other.db'");
      expect((await bench.run(['plan', 'tag release v1.2.0'], offline)).stdout).toContain('default: v1.2.0');
    } finally {
      bench.clean();
    }
  });

  it('says how the nearest one is run, and names none for what would be deleted', async () => {
    const bench = openBench({ here: true });
    try {
      const { stderr } = await bench.run(['run', 'set up a postgres database'], offline);
      expect(stderr).toContain('dump-sqlite (planwright templates run dump-sqlite)');
      const deleted = await bench.run(['run', 'delete all node_modules folders'], offline);
      expect(deleted.code).toBe(2);
      expect(deleted.stderr).toContain('no template is about this');
    } finally {
      bench.clean();
    }
  });

  it('says what to configure where nothing is about it', async () => {
    const bench = openBench({ here: true });
    try {
      const { code, stderr } = await bench.run(['run', 'translate a poem into French'], offline);
      expect(code).toBe(2);
      expect(stderr).toMatch(/no template is about this.*planwright models/s);
      expect((await bench.run(['run', 'no-such-file.yaml'], offline)).stderr).toContain('there is no file');
    } finally {
      bench.clean();
    }
  });
});

/** No provider is found here, whatever the machine that runs the test has. */
const offline = Object.fromEntries(
  [
    'ANTHROPIC_API_KEY',
    'OPENAI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'MOONSHOT_API_KEY',
  ].map((name) => [name, '']),
);
