import { describe, expect, it } from 'vitest';
import { abort, insert, modify, openStage, retry, skip, steps } from './stage.ts';

describe('each correction, applied', () => {
  it('retry: the same again', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: `touch '${stage.workspace}/ready'; echo '${JSON.stringify(retry())}'` });
    const told = await stage.mend(steps('sh need ready', 'echo after >> log'));
    expect(told.code, told.stderr).toBe(0);
    expect(told.types.filter((type) => /agent|correction|retry|revised/.test(type))).toEqual([
      'agent-thinking',
      'correction-attempt',
      'retry-attempt',
      'correction-success',
    ]);
    expect(told.of('correction-attempt')[0]).toMatchObject({
      correctionId: 'c1',
      correction: { action: 'retry', source: { brain: 'program' }, confidence: 1 },
    });
    expect(told.of('retry-attempt')[0]).toMatchObject({ attemptIndex: 1, failures: 1, limit: 3 });
    expect(told.last).toMatchObject({ type: 'run-finished', reason: 'completed' });
    expect(stage.read('log')).toBe('after\n');
    expect(stage.asked()).toMatchObject([
      {
        step: { title: 'Step 1', action: 'RUN_COMMAND sh need ready' },
        result: { exitCode: 7, stderrTail: 'need: no ready today\n', why: 'exit-code' },
        earlier: [],
        shell: 'bash',
        goal: 'a goal',
        context: { later: ['RUN_COMMAND echo after >> log'], refused: [] },
      },
    ]);
  });

  it.for(['retry', 'modify'])(
    '%s with another command: a new revision, the step in its place',
    async (action, test) => {
      const stage = openStage(test);
      stage.answers({ ...modify('sh need plan.yaml'), action });
      const told = await stage.mend(steps('echo one >> log', 'sh need plan.yml', 'echo three >> log'));
      expect(told.code, told.stderr).toBe(0);
      expect(told.of('plan-revised')).toMatchObject([
        {
          revision: 1,
          correctionId: 'c1',
          source: expect.stringMatching(/^program:/),
          reason: 'Another way.',
        },
      ]);
      expect(told.of('step-started').map(({ stepId, attemptIndex }) => `${stepId} ${attemptIndex}`)).toEqual([
        's1 0',
        's2 0',
        's2 1',
        's3 0',
      ]);
      expect(stage.read('log')).toBe('one\nthree\n');
    },
  );

  it('insert_steps: repairs go before the failed step, which is then attempted again', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('echo r1 >> log', 'touch ready'));
    const told = await stage.mend(steps('echo one >> log', 'sh need ready', 'echo three >> log'));
    expect(told.code, told.stderr).toBe(0);
    const [revised] = told.of('plan-revised');
    expect(revised!.patch[0]).toMatchObject({
      op: 'insert',
      before: 's2',
      steps: [{ repairs: 's2', title: 'First echo r1 >> log' }, { repairs: 's2' }],
    });
    expect(told.of('step-started').map(({ stepId }) => stepId)).toEqual([
      's1',
      's2',
      's2-r1-1',
      's2-r1-2',
      's2',
      's3',
    ]);
    expect(told.of('correction-success')).toMatchObject([{ correctionId: 'c1', stepId: 's2' }]);
    expect(stage.read('log')).toBe('one\nr1\nthree\n');
    const shown = JSON.parse((await stage.run(['show', '--json'])).stdout);
    expect(shown.steps.map((step: { status: string }) => step.status)).toEqual(Array(5).fill('done'));
    const whole = (await stage.run(['show', '--events', '--expand', 'plan'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === 'plan-revised').plan;
    expect(whole.steps.map((step: { id: string; status: string }) => `${step.id} ${step.status}`)).toEqual([
      's1 done',
      's2-r1-1 pending',
      's2-r1-2 pending',
      's2 failed',
      's3 pending',
    ]);
  });

  it('skip: the step is left out with the reason, those that need it too', async (test) => {
    const stage = openStage(test);
    stage.answers(skip);
    const told = await stage.mend(
      steps('sh need ready', { action: 'RUN_COMMAND echo two >> log', after: [1] }, 'echo three >> log'),
    );
    expect(told.code, told.stderr).toBe(6);
    expect(told.of('step-skipped')).toMatchObject([
      { stepId: 's1', reason: 'corrected', detail: 'It is not needed.' },
      { stepId: 's2', reason: 'dependency' },
    ]);
    expect(stage.read('log')).toBe('three\n');
  });

  it('abort: the plan is cancelled, the run is over, and what it started has ended', async (test) => {
    const stage = openStage(test);
    stage.answers(abort);
    const told = await stage.mend(steps('sh need ready', 'echo after >> log'));
    expect(told.code).toBe(1);
    expect(told.of('plan-cancelled')).toMatchObject([{ correctionId: 'c1', reason: 'It cannot be done.' }]);
    expect(told.last).toMatchObject({ type: 'run-finished', outcome: 'failed', reason: 'agent-aborted' });
    expect(stage.has('log')).toBe(false);
    expect((await stage.run(['resume'])).code).toBe(2);
  });
});
