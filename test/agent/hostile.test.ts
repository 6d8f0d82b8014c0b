import { describe, expect, it } from 'vitest';
import { insert, modify, openStage, retry, skip, steps } from './stage.ts';

const needy = steps('sh need ready', 'echo after >> log');

describe('a brain that means harm, or none at all', () => {
  it('loops: it is stopped by the attempts of the step', async (test) => {
    const stage = openStage(test);
    stage.answers(retry({ delayMs: 0 }));
    const told = await stage.mend(needy);
    expect(told.code).toBe(4);
    expect(told.of('step-started')).toHaveLength(4);
    expect(told.last).toMatchObject({ reason: 'agent-stuck' });
  });

  it.for([
    ['modify', modify('rm -rf /')],
    ['retry', retry({ modifiedCommand: 'rm -rf /' })],
    ['insert_steps', insert('touch ready', 'rm -rf /')],
  ] as const)(
    'proposes rm -rf / (%s): blocked, counted, told; a better answer is taken',
    async ([, bad], test) => {
      const stage = openStage(test);
      stage.answers(bad, insert('touch ready'));
      const told = await stage.mend(needy);
      expect(told.code, told.stderr).toBe(0);
      expect(told.of('correction-refused')).toMatchObject([{ correctionId: 'c1', code: 'blocked' }]);
      expect(told.of('approval-needed')).toEqual([]);
      expect(told.of('plan-revised')).toHaveLength(1);
      const [, second] = stage.asked();
      expect(second!.context.refused).toMatchObject([{ correction: { action: bad.action } }]);
      expect(second!.context.refused[0]!.reason.length).toBeGreaterThan(10);
    },
  );

  it('proposes rm -rf / for ever: three are refused for the step, and it is stuck', async (test) => {
    const stage = openStage(test);
    stage.answers(...Array.from({ length: 12 }, (_, n) => modify(`rm -rf / # ${n}`)));
    const told = await stage.mend(needy);
    expect(told.code).toBe(4);
    expect(told.of('correction-refused')).toHaveLength(3);
    expect(told.of('agent-stuck')).toMatchObject([{ limit: 'refused-corrections', used: 3, max: 3 }]);
    expect(told.of('step-started')).toHaveLength(1);
  });

  it('proposes the same again, however it is spaced: it gives way, and nobody else is sure', async (test) => {
    const stage = openStage(test);
    stage.answers(
      modify('sh need ready 2'),
      modify('sh need  ready 2'),
      modify('sh need ready 2'),
      insert('touch ready'),
    );
    const told = await stage.mend(needy);
    expect(told).toMatchObject({ code: 1, last: { type: 'run-paused', reason: 'agent-error' } });
    expect(told.of('correction-attempt')).toHaveLength(2);
    expect(stage.asked()).toHaveLength(3);
  });

  it('retries without end where nothing changes: the second retry is no answer', async (test) => {
    const stage = openStage(test);
    stage.answers(retry());
    const told = await stage.mend(needy);
    expect(told).toMatchObject({ code: 1, last: { type: 'run-paused', reason: 'agent-error' } });
    expect(told.of('step-started')).toHaveLength(2);
    expect(told.of('correction-attempt')).toHaveLength(1);
  });

  it.for([
    ['hides the failure', modify('sh need ready || true')],
    ['hides what is said', modify('sh need ready 2>/dev/null')],
    ['hides it in a new step', insert('sh need ready || :')],
    ['drops the check', modify('echo fine'), 'test -f ready'],
    ['drops one of two', modify('echo one'), 'echo one && sh need ready'],
    ['skips a check', skip, 'test -f ready'],
    ['skips the tests', skip, 'sh -c "exit 3" && npm test'],
    ['switches a check off', modify('sh need ready --no-verify')],
  ] as [string, object, string?][])(
    '%s: refused for what the step was for',
    async ([, bad, command], test) => {
      const stage = openStage(test);
      stage.answers(bad, null);
      const told = await stage.mend(steps(command ?? 'sh need ready', 'echo after >> log'));
      expect(told.of('correction-refused'), told.stderr).toMatchObject([{ code: 'purpose' }]);
      expect(told.of('plan-revised')).toEqual([]);
      expect(told.of('step-started')).toHaveLength(1);
      expect(told).toMatchObject({ code: 1, last: { type: 'run-paused', reason: 'agent-error' } });
      expect(stage.has('log')).toBe(false);
    },
  );

  it.for([
    ['null', null],
    ['garbage', 'I would try turning it off and on again.'],
    ['nothing', { sh: 'exit 0' }],
    ['an array', '[1, 2]'],
    ['another action', { action: 'sudo', reasoning: 'x' }],
    ['a modification of nothing', { action: 'modify', reasoning: 'x' }],
    ['no steps', { action: 'insert_steps', reasoning: 'x', newSteps: [] }],
    ['a guess', retry({ confidence: 0.2 })],
    ['and crashes', { sh: `echo '${JSON.stringify(retry())}'; kill -SEGV $$` }],
    ['and fails', { sh: `echo '${JSON.stringify(retry())}'; exit 1` }],
    ['5 MB', { sh: 'head -c 5000000 /dev/zero | tr "\\0" "{"' }],
    ['5 MB and never ends', { sh: 'head -c 5000000 /dev/zero | tr "\\0" "{"; sleep 300' }],
  ] as [string, object | string | null][])('answers %s: no answer, agent-error', async ([, answer], test) => {
    const stage = openStage(test);
    stage.answers(answer);
    const told = await stage.mend(needy);
    expect(told.code, told.stderr).toBe(1);
    expect(told.of('correction-attempt')).toEqual([]);
    expect(told.of('agent-error')).toHaveLength(1);
    expect(told.last).toMatchObject({ type: 'run-paused', reason: 'agent-error' });
    expect(await stage.row()).toMatchObject({ state: 'paused', stopReason: 'agent-error' });
  });

  it('hangs, and all that it started: ended when its time is up', async (test) => {
    const stage = openStage(test);
    stage.answers({ sh: 'sleep 300 & sleep 300' });
    const told = await stage.mend(needy, [], { PLANWRIGHT_BRAIN_TIMEOUT: '0.5' });
    expect(told.code).toBe(1);
    expect(told.last).toMatchObject({ reason: 'agent-error' });
  });

  it('proposes steps that are no actions: invalid, told, and a better answer is taken', async (test) => {
    const stage = openStage(test);
    const nonsense = {
      action: 'insert_steps',
      reasoning: 'x',
      newSteps: [{ step: 'x', action: 'DANCE now' }],
    };
    stage.answers(nonsense, insert('touch ready'));
    const told = await stage.mend(needy);
    expect(told.code, told.stderr).toBe(0);
    expect(told.of('correction-refused')).toMatchObject([{ code: 'invalid' }]);
  });
});
