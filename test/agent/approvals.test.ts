import { describe, expect, it } from 'vitest';
import { insert, modify, openStage, type Stage, steps } from './stage.ts';

const dangerous = insert('rm -r old', 'touch ready');
const needy = steps('mkdir -p old/deep', 'sh need ready', 'echo after >> log');

const approvalId = async (stage: Stage): Promise<string> =>
  JSON.parse((await stage.run(['show', '--json'])).stdout).approvals.at(-1).id;

describe('a correction that is dangerous', () => {
  it('is asked for, with who proposed it and why; approved, it goes on', async (test) => {
    const stage = openStage(test);
    stage.answers(dangerous);
    const told = await stage.mend(needy, ['--on-ask', 'park']);
    expect(told.code, told.stderr).toBe(3);
    const [asked] = told.of('approval-needed');
    expect(asked).toMatchObject({
      verdict: { level: 'dangerous' },
      subject: { stepId: 's2-r1-1', action: { command: 'rm -r old' } },
    });
    expect(asked!.warningMessage).toMatch(
      /^Proposed by program .*: This first\. The whole of it: .*, then .*\.$/,
    );
    expect(stage.has('old')).toBe(true);
    expect(await stage.row()).toMatchObject({ state: 'waiting', waitingFor: 'approval', stopReason: null });
    const approved = await stage.told(['approve'], stage.env);
    expect(approved.code, approved.stderr).toBe(0);
    expect(stage.has('old')).toBe(false);
    expect(stage.read('log')).toBe('after\n');
    expect(stage.asked()).toHaveLength(1);
  });

  it('denied by a person: refused, the brain is told why, and a safe one is applied', async (test) => {
    const stage = openStage(test);
    stage.answers(dangerous, insert('touch ready'));
    expect((await stage.mend(needy, ['--on-ask', 'park'])).code).toBe(3);
    const denied = await stage.told(['deny', '--reason', 'I need old'], stage.env);
    expect(denied.code, denied.stderr).toBe(0);
    expect(stage.has('old/deep')).toBe(true);
    expect(stage.read('log')).toBe('after\n');
    expect(stage.asked()[1]!.context.refused).toMatchObject([
      { reason: 'I need old', correction: { action: 'insert_steps' } },
    ]);
    const shown = JSON.parse((await stage.run(['show', '--json'])).stdout);
    expect(shown.steps.map((step: { id: string; status: string }) => `${step.id} ${step.status}`)).toEqual([
      's1 done',
      's2-r1-1 skipped',
      's2-r1-2 skipped',
      's2-r2-1 done',
      's2 done',
      's3 done',
    ]);
  });

  it('--on-ask deny: silence is a no, and the brain finds another way', async (test) => {
    const stage = openStage(test);
    stage.answers(dangerous, insert('touch ready'));
    const told = await stage.mend(needy, ['--on-ask', 'deny']);
    expect(told.code, told.stderr).toBe(0);
    expect(told.of('approval-denied')).toHaveLength(1);
    expect(told.of('correction-refused')).toMatchObject([{ correctionId: 'c1', code: 'denied' }]);
    expect(told.of('correction-success')).toMatchObject([{ correctionId: 'c2', stepId: 's2' }]);
    expect(stage.has('old')).toBe(true);
  });

  it('--on-ask fail: the run stops there and can be resumed where somebody is', async (test) => {
    const stage = openStage(test);
    stage.answers(dangerous);
    const told = await stage.mend(needy, ['--on-ask', 'fail']);
    expect(told).toMatchObject({ code: 3, last: { type: 'run-paused', reason: 'approval-needed' } });
    expect((await stage.told(['resume', '--on-ask', 'park', '--json'])).code).toBe(3);
    expect((await stage.told(['approve', await approvalId(stage)])).code).toBe(2);
    expect((await stage.told(['approve'])).code).toBe(0);
    expect(stage.has('old')).toBe(false);
    expect(stage.asked(), 'the correction stands: nobody is asked again').toHaveLength(1);
  });

  it('a denial does not count as a failure of the step', async (test) => {
    const stage = openStage(test);
    stage.answers(dangerous, insert('rm -r old/deep'), insert('rm -rf old'), insert('touch ready'));
    const told = await stage.mend(needy, ['--on-ask', 'deny'], { PLANWRIGHT_LIMITS_RETRIES: '1' });
    expect(told.code, told.stderr).toBe(0);
    expect(told.of('correction-refused').map(({ code }) => code)).toEqual(['denied', 'denied', 'denied']);
  });

  it('a modified step that is denied is taken back in the plan', async (test) => {
    const stage = openStage(test);
    stage.answers(modify('rm -r old'), null);
    const told = await stage.mend(needy, ['--on-ask', 'deny']);
    expect(told).toMatchObject({ code: 1, last: { type: 'run-paused', reason: 'agent-error' } });
    expect(told.of('plan-revised')).toMatchObject([
      { revision: 1, correctionId: 'c1' },
      { revision: 2, correctionId: 'c1', source: 'planwright' },
    ]);
    const shown = JSON.parse((await stage.run(['show', '--json'])).stdout);
    expect(shown.plan.steps[1].action).toEqual({ kind: 'run-command', command: 'sh need ready' });
    expect(shown.steps[1]).toMatchObject({ status: 'failed', result: { exitCode: 7 } });
    expect(stage.has('old')).toBe(true);
    // What is resumed is the step as the person agreed to it.
    stage.write('ready', '');
    expect((await stage.told(['resume', '--json'])).code).toBe(0);
  });
});

describe('the brain is never consulted', () => {
  it('about what a person denied', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'));
    const told = await stage.mend(steps('mkdir -p old', 'rm -r old'), ['--on-ask', 'deny']);
    expect(told).toMatchObject({ code: 1, last: { type: 'run-paused', reason: 'approval-denied' } });
    expect(stage.asked()).toEqual([]);
  });

  it('about what is blocked', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'));
    const told = await stage.mend(steps('rm -rf /'));
    expect(told.code).toBe(1);
    expect(told.last).toMatchObject({ type: 'run-paused', reason: 'step-failed' });
    expect(told.of('step-failed')).toMatchObject([{ result: { why: 'blocked' } }]);
    expect(stage.asked()).toEqual([]);
  });

  it('about a step that a person stopped by cancelling', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'));
    stage.write('plan.yaml', steps('touch started; sleep 300'));
    const running = stage.start(['run', 'plan.yaml', '--mode', 'agentic', '--yes', '--json'], stage.env);
    await running.says('process-spawned');
    expect((await stage.run(['cancel'])).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    expect(stage.asked()).toEqual([]);
    expect(await stage.row()).toMatchObject({ state: 'cancelled' });
  });

  it('in planner mode', async (test) => {
    const stage = openStage(test);
    stage.answers(insert('touch ready'));
    stage.write('plan.yaml', steps('sh need ready'));
    expect((await stage.run(['run', 'plan.yaml', '--yes'], stage.env)).code).toBe(1);
    expect(stage.asked()).toEqual([]);
  });
});
