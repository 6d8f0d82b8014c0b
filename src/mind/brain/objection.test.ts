import { describe, expect, it } from 'vitest';
import type { Correction, RunState, Step } from '../../core/contract/index.ts';
import type { Failure } from './brain.ts';
import { objectionTo } from './objection.ts';

const source = { brain: 'model', name: 'm' } as const;

/** What stands against a correction of a step that runs this. */
function object(
  command: string,
  body: Omit<Correction, 'reasoning' | 'confidence' | 'source'>,
  stderrTail = '',
) {
  const step: Step = { id: 's1', title: 'A', action: { kind: 'run-command', command } };
  const plan = { goal: 'g', shell: 'bash', revision: 0, steps: [step] } as const;
  const failure: Failure = {
    step: { title: step.title, action: step.action },
    result: { exitCode: 1, stdoutTail: '', stderrTail },
    earlier: [],
    shell: 'bash',
    goal: 'g',
  };
  const correction = { reasoning: 'r', confidence: 1, source, ...body };
  return objectionTo(correction, failure, { state: { plan } as unknown as RunState, step });
}
const modify = (from: string, to: string, said?: string) =>
  object(from, { action: 'modify', modifiedCommand: to }, said);
const insert = (...actions: string[]) =>
  object('npm test', { action: 'insert_steps', newSteps: actions.map((action) => ({ step: 'x', action })) });

describe('what a correction would do to the purpose of the step', () => {
  it.each([
    ['make', 'make || true'],
    ['make', 'make || :'],
    ['make', 'make || /bin/true'],
    ['make', 'make; true'],
    ['make', 'make; exit 0'],
    ['make', 'set +e; make'],
    ['make', 'make || echo failed'],
    ['make', 'make 2>/dev/null'],
    ['npm test', 'echo fine'],
    ['npm run lint', 'npm run build'],
    ['cargo test --all', 'cargo build'],
    ['python3 -m pytest', 'python3 --version'],
    ['sha256sum -c SUMS', 'cat SUMS'],
    ['git commit -m x', 'git commit -m x --no-verify'],
    ['curl https://a.example', 'curl --insecure https://a.example'],
    ['git push', 'git push --force'],
    ['make && make install', 'make'],
  ])('%s → %s: refused', async (from, to) => {
    expect(await modify(from, to)).toMatchObject({ code: 'purpose' });
  });

  it.each([
    ['npm tset', 'npm test'],
    ['npm test', 'npx vitest run'],
    ['make', 'make -j1'],
    ['git push', 'git push --set-upstream origin main'],
    ['make || true', 'make -j1 || true'],
  ])('%s → %s: nothing against it', async (from, to) => {
    expect(await modify(from, to)).toBeNull();
  });

  it('a flag that pushes past a check, where the tool itself names it', async () => {
    expect(await modify('npm ci', 'npm ci --legacy-peer-deps', 'retry with --legacy-peer-deps')).toBeNull();
    expect(await modify('npm ci', 'npm ci --legacy-peer-deps', 'conflict')).toMatchObject({
      code: 'purpose',
    });
  });

  it.each([
    'npm test',
    'test -f a',
    '[ -s a ]',
    'grep -q a b',
    'make check',
    'go test ./...',
    'python -m unittest',
  ])('skipping %s: refused', async (command) => {
    expect(await object(command, { action: 'skip' })).toMatchObject({ code: 'purpose' });
  });

  it.each(['cp a b', 'npm install', 'make docs'])('skipping %s: nothing against it', async (command) => {
    expect(await object(command, { action: 'skip' })).toBeNull();
  });

  it.each(['retry', 'abort'] as const)('a plain %s is always in order', async (action) => {
    expect(await object('npm test', { action })).toBeNull();
  });
});

describe('what makes no valid plan', () => {
  it('a step that is no action, or hides its failure', async () => {
    expect(await insert('SING a song')).toMatchObject({ code: 'invalid' });
    expect(await insert('RUN_COMMAND make || true')).toMatchObject({ code: 'purpose' });
  });

  it('a loop over a list that nobody makes', async () => {
    expect(await insert('FOR_EACH nothing DO RUN_COMMAND wc -l {item}')).toMatchObject({ code: 'invalid' });
  });

  it('a step that would wait for a terminal', async () => {
    expect(await insert('RUN_COMMAND vim a.txt')).toMatchObject({ code: 'invalid' });
    expect(await modify('cat a', 'less a')).toMatchObject({ code: 'invalid' });
  });

  it('a command for a step that runs none', async () => {
    const step: Step = { id: 's1', title: 'A', action: { kind: 'create-dir', path: 'a' } };
    const plan = { goal: 'g', shell: 'bash', revision: 0, steps: [step] };
    const { title, action } = step;
    const result = { exitCode: null, stdoutTail: '', stderrTail: '' };
    const failure: Failure = { step: { title, action }, result, earlier: [], shell: 'bash', goal: '' };
    const correction: Correction = {
      action: 'modify',
      modifiedCommand: 'mkdir a',
      reasoning: '',
      confidence: 1,
      source,
    };
    const state = { plan } as unknown as RunState;
    expect(await objectionTo(correction, failure, { state, step })).toMatchObject({ code: 'invalid' });
  });

  it('steps that are in order', async () => {
    expect(await insert('CREATE_DIR out', 'RUN_COMMAND npm ci')).toBeNull();
  });
});
