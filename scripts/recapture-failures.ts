// Usage: node scripts/recapture-failures.ts [FAMILY…]
//
// Runs the failing commands of test/brain/failures/ again, each in a folder of its own, and writes down what the tools
// say today. A tool that is not installed keeps the words that were captured before. Nothing outside that folder is
// touched: HOME is the folder, and commands that could do more have no `setup` and are not run.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createProbe } from '../src/mind/brain/probe/index.ts';
import { type FailedExample, readFailures, writeFailures } from '../test/brain/failures.ts';
import type { World } from '../test/brain/world.ts';

const MAX_TEXT = 2_000;
const MAX_OUTPUT = 6_000;
const only = process.argv.slice(2);

const env = (home: string) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  NO_COLOR: '1',
  RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
  CARGO_NET_OFFLINE: 'true',
  npm_config_update_notifier: 'false',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
});

/** The first line that the tool says about itself; null where it is not installed. */
function versionOf(command: string): string | null {
  const program = /^(?:\w+=\S+ )*(\S+)/.exec(command)?.[1] ?? '';
  const found = spawnSync('bash', ['-c', `command -v -- "$1"`, 'bash', program], { encoding: 'utf8' });
  if (found.status !== 0 || !found.stdout.startsWith('/'))
    return `bash ${process.env['BASH_VERSION'] ?? '5'}`;
  const said = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return (
    (said.stdout || said.stderr)
      .replace(/\u001b\[[\d;]*m/g, '')
      .split('\n')[0]
      ?.slice(0, 80) || program
  );
}

function filesIn(folder: string, root = folder): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder).sort()) {
    if (['.gitconfig', '.npm', '.cache', '.home', '.cargo'].includes(name)) continue;
    const path = join(folder, name);
    const inner = relative(root, path);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (!stat.isDirectory()) found[inner] = readFileSync(path, 'utf8').slice(0, MAX_TEXT);
    else {
      found[`${inner}/`] = '';
      if (name !== '.git') Object.assign(found, filesIn(path, root));
      else found[`${inner}/config`] = readFileSync(join(path, 'config'), 'utf8').slice(0, MAX_TEXT);
    }
  }
  return found;
}

async function worldOf(folder: string, before: World | undefined): Promise<World> {
  const files = filesIn(folder);
  const executable = Object.keys(files).filter(
    (path) => !path.endsWith('/') && (statSync(join(folder, path)).mode & 0o111) !== 0,
  );
  const links = Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => [name, readlinkSync(join(folder, name))]),
  );
  const git = await createProbe({ cwd: folder, env: env(folder) }).git();
  return {
    ...before,
    files,
    ...(executable.length > 0 ? { executable } : {}),
    ...(Object.keys(links).length > 0 ? { links } : {}),
    ...(git === null ? {} : { git }),
  };
}

async function recapture(example: FailedExample): Promise<FailedExample> {
  if (example.setup === undefined) return example;
  const folder = mkdtempSync(join(tmpdir(), 'pw-failure-'));
  try {
    const work = join(folder, 'work');
    mkdirSync(work);
    execFileSync('bash', ['-c', example.setup], {
      cwd: work,
      env: env(work),
      stdio: 'ignore',
      timeout: 60_000,
    });
    const world = example.looks === true ? await worldOf(work, example.world) : example.world;
    const run = spawnSync('bash', ['-c', example.command], {
      cwd: work,
      env: env(work),
      encoding: 'utf8',
      timeout: 60_000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const captured = versionOf(example.command);
    if (run.status === 127 && example.output !== '' && !/not found/.test(example.output)) return example;
    if (run.status === 0) console.error(`did not fail: ${example.command}`);
    const output = [run.stderr, run.stdout]
      .filter((part) => part !== '')
      .join('\n')
      .replaceAll(work, '/work')
      .slice(0, MAX_OUTPUT);
    return {
      ...example,
      output,
      exitCode: run.status ?? 1,
      ...(world === undefined ? {} : { world }),
      ...(captured === null ? {} : { captured }),
    };
  } catch (error) {
    console.error(
      `could not set up ${example.command}: ${error instanceof Error ? error.message : String(error)}`,
    );
    return example;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const [family, examples] of readFailures()) {
  if (only.length > 0 && !only.includes(family)) continue;
  const renewed: FailedExample[] = [];
  for (const example of examples) renewed.push(await recapture(example));
  writeFailures(family, renewed);
  const changed = renewed.filter((example, at) => example.output !== examples[at]?.output).length;
  console.log(`${family}: ${renewed.length} examples, ${changed} changed`);
}
