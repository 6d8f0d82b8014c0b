import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Session, type SingleAction, type StepResult, shellText } from '../../core/contract/index.ts';
import { resolveAndJudge } from './resolve/index.ts';
import { caution, perform, stepOf, testPerformer } from './testing.ts';

const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'pw-definitions-')));
afterAll(() => rmSync(workspace, { recursive: true, force: true }));
const performer = testPerformer();

/** One step after the other, each with the session that the last one left. */
async function shell(...texts: string[]): Promise<StepResult> {
  let session: Session = { cwd: workspace, env: {} };
  let result: StepResult | undefined;
  for (const script of texts) {
    result = await perform({ performer, workspace, session, step: stepOf({ kind: 'run-script', script }) });
    session = result.session ?? session;
  }
  return result!;
}

describe('what a step defines, the next one knows', () => {
  test.each([
    [['BUILD=out', 'echo "would remove $BUILD/*"'], 'would remove out/*\n'],
    [['A="it\'s"\nB=$A', 'echo "$A $B"'], "it's it's\n"],
    [['A=$(printf "a\\nb")', 'echo "$A"'], 'a\nb\n'],
    [['A=1', 'true', 'A=$((A + 1))', 'echo $A'], '2\n'],
    [['A=1', 'unset A', 'echo "[$A]"'], '[]\n'],
    [['A=1', 'export A', 'sh -c "echo $A"'], '1\n'],
    [['A=1', 'sh -c \'echo "[$A]"\''], '[]\n'],
    [['say() {\n  echo "hi $1"\n}', 'say you'], 'hi you\n'],
    [['W=x\nsay() { echo "$W$1"; }\nboth() { say "$@"; }', 'both you'], 'xyou\n'],
    [['f() { echo a; }', 'unset -f f', 'f || echo none'], 'none\n'],
    [['read -r A B <<< "1 2"', 'echo $B'], '2\n'],
    [['A=1', 'echo $LINENO $A'], '1 1\n'],
    [['A=(1 2)', 'echo "[${A[1]}]"'], '[]\n'],
    [['alias ll=ls\ntrap "echo bye" EXIT', 'ls'], ''],
  ])('%j', async (texts, stdoutTail) => {
    expect((await shell(...texts)).stdoutTail).toBe(stdoutTail);
  });

  test('a step that failed defines nothing, and one that defines nothing leaves nothing', async () => {
    expect((await shell('true')).session?.defined).toBeUndefined();
    const failed = await shell('A=1', 'A=2\nfalse');
    expect(failed.why).toBe('exit-code');
  });
});

test('what nobody has seen defines nothing', async () => {
  const session = { cwd: workspace, env: {}, defined: { variables: { A: '1' }, functions: {} } };
  const result = await perform({
    performer,
    workspace,
    session,
    step: stepOf('A=2; B=3; f() { rm -rf x; }'),
    meanwhile: (state) => ({
      ...state,
      steps: state.steps.map((each) => ({ ...each, correction: 'c1' })),
    }),
  });
  expect(result.session?.defined).toEqual(session.defined);
});

describe('it is judged with what it uses', () => {
  const session = (variables: Record<string, string>, functions: Record<string, string> = {}): Session => ({
    cwd: workspace,
    env: {},
    defined: { variables, functions },
  });
  const judging = testPerformer({
    judge: (action, place) =>
      resolveAndJudge(action, { ...place, baseEnv: {}, home: '/home/x', storeDir: '/store' }),
  });
  const judge = (command: string, given: Session) =>
    judging.judge(
      {
        run: 'r',
        revision: 0,
        step: stepOf(command),
        session: given,
        workspace,
        shell: 'bash',
        values: {},
        items: null,
        grants: null,
        unseen: false,
        earlier: [],
      },
      new AbortController().signal,
    );

  test('a variable leads to where it really leads', async () => {
    const { subject } = await judge('mkdir -p $BUILD/x', session({ BUILD: 'out' }));
    expect(subject.paths).toEqual([join(workspace, 'out/x')]);
    expect(subject.action).toEqual({ kind: 'run-command', command: 'mkdir -p $BUILD/x' });
  });

  test('a function is what it does, and is shown', async () => {
    const { verdict } = await judge('tidy', session({}, { tidy: 'tidy() { sudo rm -rf /etc; }' }));
    expect(verdict.level).toMatch(/dangerous|blocked/);
    expect(verdict.reasons.at(-1)?.sentence).toContain('tidy() { sudo rm -rf /etc; }');
    expect((await judge('ls', session({}, { tidy: 'tidy() { sudo rm -rf /etc; }' }))).verdict.level).toBe(
      'safe',
    );
  });

  test('a function in the place of a program is no longer that program', async () => {
    const { verdict } = await judge('ls -l', session({}, { ls: 'ls() { sudo rm -rf /etc; }' }));
    expect(verdict.level).toMatch(/dangerous|blocked/);
  });

  test('an approval is bound to it', async () => {
    const bound = async (given: Session) => (await judge('echo $A', given)).subject.definitions;
    expect(await bound(session({ A: '1' }))).not.toBe(await bound(session({ A: '2' })));
    expect(await bound(session({ B: '1' }))).toBeUndefined();
  });

  test('reasons point into the text of the step, and a value is not told', async () => {
    const { verdict } = await judge('sudo rm -rf $A/etc', session({ A: 'hush-hush' }));
    const spans = verdict.reasons.flatMap(({ span }) => (span === undefined ? [] : [span]));
    expect(spans.length).toBeGreaterThan(0);
    for (const [, end] of spans) expect(end).toBeLessThanOrEqual('sudo rm -rf $A/etc'.length);
    expect(verdict.reasons.at(-1)?.sentence).toBe('Uses what earlier steps defined: A');
  });

  test('what is changed between judgement and attempt is not run', async () => {
    const seen: SingleAction[] = [];
    const performer = testPerformer({
      judge: (action) => {
        seen.push(action);
        return caution;
      },
    });
    const step = stepOf('echo $A');
    const result = await perform({
      performer,
      workspace,
      session: session({ A: '1' }),
      step,
      meanwhile: (state) => ({ ...state, session: session({ A: '2' }) }),
    });
    expect(result).toMatchObject({ why: 'internal', message: expect.stringContaining('permit') });
    expect(seen.map(shellText)).toEqual(['A=1\necho $A', 'A=2\necho $A']);
  });
});
