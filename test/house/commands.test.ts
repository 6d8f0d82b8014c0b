import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { countTests } from '../../scripts/tally.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function node(args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } } as const;
  return spawnSync(process.execPath, args, options);
}

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planwright-house-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Run before the script: this Node says that it is another. */
const pretend = (version: string) =>
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '${version}' } })`;

describe('planwright', () => {
  test('--version says the version and loads nothing else', () => {
    const loaded =
      "import m from 'node:module';m.registerHooks({load(u,c,n){console.error(u);return n(u,c)}})";
    const ran = node(['--import', `data:text/javascript,${loaded}`, 'bin/planwright.js', '--version']);
    expect(ran.stdout).toBe(`${version}\n`);
    const urls = ran.stderr.trim().split('\n');
    expect(urls.filter((url) => url.startsWith('file:')).map((url) => url.replace(/.*\//, ''))).toEqual([
      'planwright.js',
    ]);
  });

  test('on an old Node says in one sentence how to run it', () => {
    const ran = node(['--import', pretend('20.1.0'), 'bin/planwright.js', 'run', 'plan.yaml']);
    expect(ran.status).toBe(2);
    expect(ran.stdout).toBe('');
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    // By its own path: a name on the registry may be anybody's.
    expect(ran.stderr).toMatch(/npx -y -p node@24 node \/\S+\/bin\/planwright\.js run plan\.yaml/);
  });

  test('keeps its compiled code in a folder of its own', () => {
    const home = temporary();
    const alone = { PLANWRIGHT_HOME: home, NODE_COMPILE_CACHE: undefined };
    expect(node(['bin/planwright.js', 'help'], alone).status).toBe(0);
    expect(readdirSync(join(home, 'cache/code')).length).toBeGreaterThan(0);
  });
});

describe('the system packages of the tests', () => {
  const bare = { PATH: '/nowhere' };
  test('that are missing are named, with what to type', () => {
    const ran = node(['scripts/setup-system.js'], { ...bare, CI: '' });
    expect(ran.stderr).toContain(
      'sudo apt-get install bubblewrap tmux chromium-headless-shell git perl make curl openssl python3-venv',
    );
    expect(ran.status).toBe(0);
  });
  test('that have a substitute are not missed where it is there', () => {
    const folder = temporary();
    writeFileSync(join(folder, 'chromium'), '', { mode: 0o755 });
    const ran = node(['scripts/setup-system.js'], { PATH: folder, CI: '' });
    expect(ran.stderr).toContain('sudo apt-get install bubblewrap tmux git');
  });
  test('must all be there in CI', () => {
    const ran = node(['scripts/setup-system.js'], { ...bare, CI: 'true' });
    expect(ran.stderr).toContain('python3-venv wget zip cmake python3-pytest openssh-client util-linux');
    expect(ran.status).toBe(1);
  });
});

describe('the count of the tests', () => {
  const count = (report: unknown, exitCode: number | null) => {
    const file = join(temporary(), 'report.json');
    writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
    return countTests(file, exitCode);
  };
  const files = (...results: [status: string, tests: string[]][]) => ({
    numPassedTests: results.flatMap(([, tests]) => tests.filter((test) => test === 'passed')).length,
    numFailedTests: results.flatMap(([, tests]) => tests.filter((test) => test === 'failed')).length,
    testResults: results.map(([status, tests]) => ({
      status,
      assertionResults: tests.map((test) => ({ status: test })),
    })),
  });

  test('is that of the report', () => {
    expect(count(files(['passed', ['passed', 'passed']]), 0)).toEqual({ passed: 2, failed: 0 });
    expect(count(files(['failed', ['passed', 'failed']]), 1)).toEqual({ passed: 1, failed: 1 });
  });
  test('takes a file that could not be loaded for a failure', () => {
    expect(count(files(['failed', []], ['passed', ['passed']]), 1)).toEqual({ passed: 1, failed: 1 });
  });
  test('takes a runner that broke for a failure', () => {
    expect(count('{"numPass', null)).toEqual({ passed: 0, failed: 1 });
    expect(count(files(['passed', ['passed']]), 1)).toEqual({ passed: 1, failed: 1 });
    expect(count(files(['passed', ['passed']]), null)).toEqual({ passed: 1, failed: 1 });
    expect(countTests('/nowhere/report.json', 0)).toEqual({ passed: 0, failed: 1 });
  });
  test('takes no tests at all for a failure', () => {
    expect(count(files(), 0)).toEqual({ passed: 0, failed: 1 });
  });
});
