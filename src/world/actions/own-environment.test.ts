import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Session, Step, Value, Verdict } from '../../core/contract/index.ts';
import { judgeCommand } from '../../core/risk/index.ts';
import { resolveAndJudge } from './resolve/index.ts';
import { caution, perform, performAll, stepOf, testPerformer } from './testing.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-env-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));

const at = (session: Session = { cwd: workspace, env: {} }) => ({
  session,
  baseEnv: { PATH: '/usr/bin:/bin' },
  workspace,
  home: '/home/u',
  storeDir: '/home/u/.planwright',
  shell: 'bash' as const,
});
const judge = (command: string, env: Record<string, string>): Promise<Verdict> =>
  resolveAndJudge({ kind: 'run-command', command }, { ...at(), env });

describe('variables of a step are judged as its command would be with them', () => {
  test.each([
    ['NODE_ENV', 'test', 'npm test', 'caution'],
    ['LD_PRELOAD', './x.so', 'ls', 'caution'],
    ['LD_PRELOAD', '/tmp/x.so', 'ls', 'dangerous'],
    ['PATH', '/tmp/bin:/bin', 'ls', 'dangerous'],
    ['GIT_PAGER', 'rm -rf ~', 'git log', 'blocked'],
    ['GIT_TRACE', '/etc/passwd', 'git log', 'dangerous'],
    ['DOCKER_HOST', 'tcp://elsewhere:1', 'docker ps', 'dangerous'],
    ['TAR_OPTIONS', '--to-command=sh', 'tar xf a.tar', 'dangerous'],
    ['X', '$(rm -rf ~)', 'ls', 'blocked'],
  ])('%s=%s %s', async (name, value, command, level) => {
    const verdict = await judge(command, { [name]: value });
    expect(verdict.level).toBe(level);
    expect(judgeCommand(`${name}='${value}' ${command}`).level).toBe(level);
    expect(verdict.reasons).toContainEqual(expect.objectContaining({ rule: 'own-environment', level }));
  });

  test('what they make of a path is found out, and places in the text are its own', async () => {
    const verdict = await judge('rm -rf "$OUT"', { OUT: '/home/u' });
    expect(verdict.level).toBe('blocked');
    expect(verdict.paths).toContain('/home/u');
    const spans = verdict.reasons.flatMap(({ span }) => (span ? [span[1]] : []));
    expect(Math.max(...spans)).toBeLessThanOrEqual('rm -rf "$OUT"'.length);
  });
});

describe('a step with variables of its own', () => {
  const session: Session = { cwd: workspace, env: { A: 'before', B: 'kept' } };
  const run = (command: string, env: NonNullable<Step['env']>, values: Record<string, Value> = {}) =>
    perform({ performer: testPerformer(), workspace, session, values, step: stepOf(command, { env }) });

  test('has them, with values in place that no shell reads', async () => {
    const result = await run(
      'printf "%s|%s|%s" "$A" "$B" "$C"',
      { A: 'own', C: '{who}' },
      { who: '$(id) "x"' },
    );
    expect(result.stdoutTail).toBe('own|kept|$(id) "x"');
  });

  test('leaves none of them, and what the session had is there again', async () => {
    const result = await run('export B=new C=again', { A: 'own', C: 'mine' });
    expect(result.session?.env).toMatchObject({ A: 'before', B: 'new' });
    expect(result.session?.env).not.toHaveProperty('C');
  });

  test('is given nothing that makes bash run something', async () => {
    const result = await run('echo "[$BASH_ENV$PS4]"', { BASH_ENV: '/tmp/x.sh', PS4: '$(id)' });
    expect(result.stdoutTail).toBe('[+ ]\n');
  });

  test('of a loop has those of its item', async () => {
    const step = stepOf(
      { kind: 'for-each', list: 'all', do: { kind: 'run-command', command: 'echo "$F"' } },
      { env: { F: '<{item}>' } },
    );
    const values = { all: ['a', 'b c'] };
    const results = await performAll({ performer: testPerformer(), workspace, values, step });
    expect(results.map(({ stdoutTail }) => stdoutTail)).toEqual(['<a>\n', '<b c>\n']);
  });

  test('is not begun where they are no longer what was judged', async () => {
    const performer = testPerformer({ judge: () => ({ ...caution }) });
    const result = await perform({
      performer,
      workspace,
      step: stepOf('true', { env: { A: '1' } }),
      meanwhile: (state) => ({
        ...state,
        plan: { ...state.plan!, steps: [stepOf('true', { env: { A: '2' } })] },
      }),
    });
    expect(result).toMatchObject({ why: 'internal' });
    expect(result.message).toContain('its permit is not for what would be run');
  });
});
