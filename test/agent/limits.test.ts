import { describe, expect, it } from 'vitest';
import { insert, modify, openStage, retry, steps } from './stage.ts';

const needy = steps('sh need ready', 'echo after >> log');

describe('every limit holds, and says so', () => {
  it('attempts of a step: three after the first, then stuck', async (test) => {
    const stage = openStage(test);
    stage.answers(...[1, 2, 3, 4, 5].map((n) => modify(`sh need ready ${n}`)));
    const told = await stage.mend(needy);
    expect(told.code, told.stderr).toBe(4);
    expect(told.of('step-started')).toHaveLength(4);
    expect(told.of('retry-attempt').map(({ failures }) => failures)).toEqual([1, 2, 3]);
    expect(told.of('correction-failed')).toMatchObject([
      { correctionId: 'c1', sameFailure: true },
      { correctionId: 'c2', sameFailure: true },
      { correctionId: 'c3', sameFailure: true },
    ]);
    expect(told.of('agent-stuck')).toMatchObject([
      { stepId: 's1', limit: 'retries-per-step', used: 3, max: 3 },
    ]);
    expect(told.last).toMatchObject({ type: 'run-paused', reason: 'agent-stuck' });
    expect(stage.asked()).toHaveLength(3);
    expect(stage.asked()[2]!.earlier).toMatchObject([
      { action: 'RUN_COMMAND sh need ready', correction: { action: 'modify' } },
      { action: 'RUN_COMMAND sh need ready 1' },
    ]);
    expect(await stage.row()).toMatchObject({ state: 'paused', stopReason: 'agent-stuck', endedAt: null });
    expect(stage.has('log')).toBe(false);
  });

  it('failures of repair steps count towards the step that they repair', async (test) => {
    const stage = openStage(test);
    stage.answers(
      insert('sh need one'),
      modify('sh need one 2'),
      modify('sh need one 2 3'),
      modify('sh need one 2 3 4'),
    );
    const told = await stage.mend(needy);
    expect(told.code).toBe(4);
    // One of the step itself, three of its repair: no fifth attempt, and the step is not attempted again.
    expect(told.of('step-started').map(({ stepId }) => stepId)).toEqual([
      's1',
      's1-r1-1',
      's1-r1-1',
      's1-r1-1',
    ]);
    expect(told.of('agent-stuck')).toMatchObject([{ limit: 'retries-per-step', used: 3, max: 3 }]);
    expect(stage.asked()).toHaveLength(3);
  });

  it('none at all: with no retries the brain is not asked', async (test) => {
    const stage = openStage(test);
    stage.answers(retry());
    const told = await stage.mend(needy, [], { PLANWRIGHT_LIMITS_RETRIES: '0' });
    expect(told.code).toBe(4);
    expect(told.of('agent-stuck')).toMatchObject([{ limit: 'retries-per-step', used: 0, max: 0 }]);
    expect(stage.asked()).toEqual([]);
  });

  it('corrections of a run, with a warning when no more than 30 % are left', async (test) => {
    const stage = openStage(test);
    const fix = (name: string) => insert(`touch ${name}`);
    stage.answers(...['a', 'b', 'c', 'd', 'e', 'f'].map(fix));
    const told = await stage.mend(
      steps('sh need a', 'sh need b', 'sh need c', 'sh need d', 'sh need e', 'sh need f'),
      [],
      {
        PLANWRIGHT_LIMITS_CORRECTIONS: '5',
      },
    );
    expect(told.code).toBe(4);
    expect(told.of('correction-success')).toHaveLength(5);
    expect(told.of('budget-warning')).toMatchObject([
      { limit: 'corrections', used: 4, max: 5, message: '1 of 5 corrections is left' },
    ]);
    expect(told.types.indexOf('budget-warning')).toBeLessThan(told.types.lastIndexOf('agent-thinking'));
    expect(told.of('agent-stuck')).toMatchObject([{ stepId: 's6', limit: 'corrections', used: 5, max: 5 }]);
    expect(stage.asked()).toHaveLength(5);
  });

  it('steps added in one correction: three; more is refused whole, and told', async (test) => {
    const stage = openStage(test);
    stage.answers(
      insert('echo 1 >> log', 'echo 2 >> log', 'touch ready', 'echo 4 >> log'),
      insert('touch ready'),
    );
    const told = await stage.mend(steps('sh need ready'));
    expect(told.code, told.stderr).toBe(0);
    expect(stage.has('log')).toBe(false);
    expect(told.of('correction-refused')).toMatchObject([
      { code: 'added-steps', message: 'One correction adds at most 3 steps, not 4.' },
    ]);
    expect(stage.asked()[1]!.context.refused).toHaveLength(1);
  });

  it('steps added in all: a repair that does not fit is refused whole, and the run is stuck', async (test) => {
    const stage = openStage(test);
    stage.answers(
      insert('echo 1 >> log', 'echo 2 >> log'),
      insert('echo 3 >> log', 'echo 4 >> log', 'touch ready'),
    );
    const told = await stage.mend(needy, [], { PLANWRIGHT_LIMITS_ADDED_STEPS: '3' });
    expect(stage.read('log')).toBe('1\n2\n');
    expect(told.of('correction-refused')).toMatchObject([{ correctionId: 'c2', code: 'added-steps' }]);
    expect(told.of('agent-stuck')).toMatchObject([{ limit: 'added-steps', used: 2, max: 3 }]);
    expect(told).toMatchObject({ code: 4, last: { type: 'run-paused', reason: 'agent-stuck' } });
  });

  it('wall time, with the brain still at it: it is stopped, and the run pauses', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: 'sleep 300' });
    const told = await stage.mend(needy, [], { PLANWRIGHT_LIMITS_WALL_TIME: '8' });
    expect(told.code).toBe(4);
    expect(told.of('agent-thinking')).toHaveLength(1);
    expect(told.last).toMatchObject({ type: 'run-paused', reason: 'limit-time' });
    expect(told.of('correction-attempt')).toEqual([]);
  });
});
