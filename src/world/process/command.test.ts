import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startCommand } from './command.ts';
import { groupExists } from './group.ts';
import { runScript, testEnvironment } from './testing.ts';
import { tellingTheWay } from './wrapper.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pw-command-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the exit is the script’s own', () => {
  test.each([
    ['true', 0],
    ['false', 1],
    ['exit 3', 3],
    ['(exit 200)', 200],
    ['set -e; false; echo no', 1],
    ['set -e; ! true', 1],
    ['set -u; echo $nope', 127],
    ['set -o posix; f() { exit 9; }; f', 9],
    ['nosuchcommand', 127],
    ['echo )', 2],
    ['sh -c "kill -9 \\$\\$"', 137],
    ['exec sh -c "exit 4"', 4],
    ['trap "exit 5" EXIT', 5],
    ['trap : EXIT; (exit 6)', 6],
    ['exec 47>&-; exit 7', 7],
    ['IFS=0123456789; (exit 11)', 11],
    ['set -a; (exit 12)', 12],
    ['exit() { :; }; return() { :; }; sh -c "exit 13"', 13],
  ])('%s', async (script, exitCode) => {
    expect(await runScript(script)).toMatchObject({ exitCode, signal: null, leftover: false });
  });

  test('a shell that is killed keeps the signal', async () => {
    expect(await runScript('kill -TERM $$')).toMatchObject({ exitCode: null, signal: 'SIGTERM' });
    expect(await runScript('kill -KILL $$')).toMatchObject({
      exitCode: null,
      signal: 'SIGKILL',
      session: null,
    });
  });
});

describe('which command was begun last', () => {
  test.each([
    ['cd / && false && echo no', 1, 'false'],
    ['true; echo a |  grep -q b', 1, 'grep -q b'],
    ['false; true; set -u; echo $nope', 127, null],
    ['set -e\ntrue\nsh -c "exit 4"\necho no', 4, 'sh -c "exit 4"'],
    ['IFS=0123456789; sh -c "exit 11"', 11, 'sh -c "exit 11"'],
    ['set -a; set -u; true', 0, 'true'],
    ['true \\', 0, 'true'],
    ['true # and "that', 0, 'true'],
  ])('%s', async (script, exitCode, last) => {
    expect(await runScript(tellingTheWay(script))).toMatchObject({ exitCode, last });
  });

  test('is told behind the back of the script', async () => {
    expect((await runScript(tellingTheWay('set -x; echo a'))).stderr).toBe('++ echo a\n');
    expect((await runScript(tellingTheWay('set -ex\nfalse'))).stderr).toBe('++ false\n');
    const left = await runScript(tellingTheWay('set -a; cd /usr; export A=1'));
    expect(left.session).toMatchObject({ cwd: '/usr', env: { A: '1' } });
    expect(Object.keys(left.session!.env).filter((name) => name.includes('planwright'))).toEqual([]);
  });

  test('is not told of a script that replaces its shell', async () => {
    expect((await runScript(tellingTheWay('true; exec true'))).last).toBeNull();
  });
});

describe('the wrapper is not seen', () => {
  test('line numbers are the script’s', async () => {
    const { stdout, stderr } = await runScript('echo $LINENO\n\nnosuch\necho "$0 $#"');
    expect(stdout).toBe('1\nbash 0\n');
    expect(stderr).toBe('bash: line 3: nosuch: command not found\n');
  });

  test('set -x traces the script and nothing else', async () => {
    expect((await runScript('set -x; echo a')).stderr).toBe('++ echo a\n');
    expect((await runScript('set -ex; exit 3')).stderr).toBe('++ exit 3\n');
  });

  test('an ERR trap fires once, an EXIT trap with the script’s status', async () => {
    expect((await runScript('trap "echo E" ERR; false')).stdout).toBe('E\n');
    expect((await runScript('trap "echo X\\$? >&2" EXIT; (exit 4)')).stderr).toBe('X4\n');
  });

  test('standard input is empty, descriptors 3 and 4 are free', async () => {
    expect(await runScript('cat; read x <&3')).toMatchObject({ exitCode: 1, stdout: '' });
    const { stdout, session } = await runScript(
      'exec 3</etc/hostname 4>/dev/null; read -u 3 x; echo ok; cd /usr',
    );
    expect([stdout, session?.cwd]).toEqual(['ok\n', '/usr']);
  });

  test('output of both streams is told apart', async () => {
    expect(await runScript('echo out; echo err >&2')).toMatchObject({ stdout: 'out\n', stderr: 'err\n' });
  });
});

describe('directory and exported variables are reported', () => {
  test('cd, export, unset', async () => {
    const { session } = await runScript('cd /usr; export A=1 B=; unset HOME; C=no');
    expect(session).toEqual({ cwd: '/usr', env: { A: '1', B: '', HOME: null, OLDPWD: '/' } });
  });

  test.each([
    [
      'functions named like builtins',
      'builtin() { :; }; declare() { :; }; unset() { :; }; pwd() { :; }; printf() { :; }; set() { :; }; trap() { :; }; eval() { :; }',
    ],
    ['aliases', 'shopt -s expand_aliases; alias builtin=: declare=: pwd=: "{"=:'],
    ['POSIX mode', 'set -o posix'],
    ['strict modes', 'set -euo pipefail'],
    ['tracing to a descriptor', 'exec 5>/dev/null; BASH_XTRACEFD=5; set -x'],
    ['its own EXIT trap', 'trap "true" EXIT'],
    ['redirected output', 'exec >/dev/null 2>&1'],
  ])('in spite of %s', async (_, before) => {
    const { session, exitCode } = await runScript(`${before}\nexport A=1\ncd /usr`);
    expect({ session, exitCode }).toMatchObject({ session: { cwd: '/usr', env: { A: '1' } }, exitCode: 0 });
  });

  test('a script that replaces its shell, or exits past its own EXIT trap, reports nothing', async () => {
    expect((await runScript('cd /usr; exec true')).session).toBeNull();
    expect((await runScript('trap true EXIT; cd /usr; exit 0')).session).toBeNull();
  });

  test('POSIX mode is carried only where the script chose it', async () => {
    expect((await runScript('true')).session?.env).toEqual({});
    expect((await runScript('export POSIXLY_CORRECT=yes')).session?.env).toEqual({ POSIXLY_CORRECT: 'yes' });
  });

  test('a directory reached through a link keeps the link’s name', async () => {
    const link = join(folder, 'link');
    symlinkSync('/usr', link);
    const { session } = await runScript(`cd ${link}`);
    expect(session?.cwd).toBe(link);
    expect((await runScript('pwd', { session: session! })).stdout).toBe(`${link}\n`);
  });
});

describe('the gate', () => {
  test('nothing runs before it is opened, and nothing after it is abandoned', async () => {
    const file = join(folder, 'ran');
    const started = await startCommand({
      script: `touch ${file}`,
      shell: 'bash',
      baseEnv: testEnvironment,
      session: { cwd: folder, env: {} },
      marker: { run: 'r', step: 's', epoch: 1 },
      onOutput: () => {},
    });
    if (!started.ok) throw new Error(started.message);
    started.command.abandon();
    started.command.open();
    const end = await started.command.done;
    expect(end).toMatchObject({ signal: 'SIGKILL', session: null, leftover: false });
    expect(groupExists(started.command.group.pgid)).toBe(false);
    expect((await runScript(`test -e ${file}`)).exitCode).toBe(1);
  });

  test('a variable that a session carries cannot run anything before it opens', async () => {
    const file = join(folder, 'env');
    writeFileSync(file, 'echo early');
    const { session } = await runScript(`export BASH_ENV=${file} TMOUT=1 PS4='$(echo early >&2)'`);
    expect(await runScript('true', { session: session! })).toMatchObject({
      stdout: '',
      stderr: '',
      exitCode: 0,
    });
  });

  test('a session without PATH still has its shell', async () => {
    const session = { cwd: '/', env: { PATH: '/nowhere' } };
    expect((await runScript('echo $PATH', { session })).stdout).toBe('/nowhere\n');
  });
});

describe('what cannot be started is said', () => {
  const attempt = (change: object) =>
    startCommand({
      script: 'true',
      shell: 'bash',
      baseEnv: testEnvironment,
      session: { cwd: '/', env: {} },
      marker: { run: 'r', step: 's', epoch: 1 },
      onOutput: () => {},
      ...change,
    });

  test.each([
    ['no-directory', { session: { cwd: join(folder, 'missing'), env: {} } }, 'does not exist'],
    ['no-directory', { session: { cwd: '/etc/passwd', env: {} } }, 'is not a directory'],
    ['no-shell', { baseEnv: { PATH: '/nowhere' } }, 'bash was not found'],
    ['bad-script', { script: 'a\0b' }, 'NUL'],
    [
      'no-room',
      { session: { cwd: '/', env: { A: 'x'.repeat(3_000_000) } } },
      'larger than the system allows',
    ],
    ['other', { session: { cwd: '/', env: { A: 'x\0y' } } }, 'null bytes'],
  ])('%s', async (code, change, words) => {
    const started = await attempt(change);
    expect(started).toMatchObject({ ok: false, code, message: expect.stringContaining(words) });
  });
});
