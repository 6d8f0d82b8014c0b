import { describe, expect, it } from 'vitest';
import type { RequestBody, RunState, StepResult } from '../contract/index.ts';
import { nameFailure } from './mend.ts';
import { advising, correction, failedWith, insertOf, modifyTo, play } from './testing/play.ts';

const deny = (state: RunState): RequestBody | null => {
  const open = state.approvals.find(({ status }) => status === 'needed');
  return open === undefined
    ? null
    : { type: 'approval-decided', approvalId: open.id, decision: 'deny', reason: 'no!' };
};
const approve = (state: RunState): RequestBody | null => {
  const open = state.approvals.find(({ status }) => status === 'needed');
  return open === undefined ? null : { type: 'approval-decided', approvalId: open.id, decision: 'approve' };
};
const level = (command: string) => (command.startsWith('risky') ? 'dangerous' : 'safe');
const once = (command: string, at: number) => (command === 'fail' && at === 0 ? 1 : 0);

describe('the brain has no business with', () => {
  it.each([
    'denied',
    'blocked',
    'aborted',
    'no-terminal',
    'sandbox-denied',
    'unsupported',
    'internal',
  ] as const)('a step that is %s', async (why) => {
    const consult = advising(insertOf('a'));
    const { state } = await play({ commands: ['fail'], attempt: () => ({ why }), consult });
    expect(consult.told).toEqual([]);
    expect(state.stopReason).toBe(why === 'denied' ? 'approval-denied' : 'step-failed');
  });

  it.each(['planner', 'teacher'] as const)('a run in %s mode', async (mode) => {
    const consult = advising(insertOf('a'));
    const people = (state: RunState): RequestBody | null =>
      state.steps.at(0)!.offered ? { type: 'step-decided', stepId: 's1', decision: 'run' } : null;
    const { state } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult,
      options: { mode },
      people,
    });
    expect(consult.told).toEqual([]);
    expect(state.stopReason).toBe('step-failed');
  });
});

describe('the brain is asked about', () => {
  it.each(['exit-code', 'signal', 'timeout', 'expectation', 'not-started'] as const)('%s', async (why) => {
    const consult = advising(correction({ action: 'skip' }));
    const { state } = await play({ commands: ['fail'], attempt: () => ({ why }), consult });
    expect(consult.told).toHaveLength(1);
    expect(state.stopReason).toBe('completed-with-skips');
  });

  it('with onFailure continue, every failed step, and the run goes on past what is given up', async () => {
    const consult = advising(null);
    const { state, of } = await play({
      commands: ['fail', 'two', 'fail'],
      attempt: (command) => (command === 'fail' ? 1 : 0),
      consult,
      options: { onFailure: 'continue' },
    });
    expect(consult.told).toHaveLength(2);
    expect(of('agent-error').map(({ stepId }) => stepId)).toEqual(['s1', 's3']);
    expect(state).toMatchObject({ ended: true, status: 'failed', stopReason: 'step-failed' });
  });
});

describe('no answer', () => {
  it('for a step of the person: agent-error, the run pauses', async () => {
    const { of, state } = await play({ commands: ['fail'], attempt: () => 1, consult: advising(null) });
    expect(of('agent-error')).toMatchObject([{ stepId: 's1', message: 'no brain is sure how to mend it' }]);
    expect(state).toMatchObject({ status: 'paused', stopReason: 'agent-error', thinking: null });
  });

  it('for a repair: its correction has failed, its steps are skipped, and the brain is asked about the step again', async () => {
    const consult = advising(insertOf('bad', 'unused'), null, insertOf('good'));
    const { of, state, commandsRun } = await play({
      commands: ['fail'],
      attempt: (command, at) => (command === 'bad' ? 9 : once(command, at)),
      consult,
    });
    expect(commandsRun).toEqual(['fail', 'bad', 'good', 'fail']);
    expect(of('correction-failed')).toMatchObject([
      {
        correctionId: 'c1',
        stepId: 's1',
        sameFailure: false,
        message: expect.stringContaining('"bad" failed'),
      },
    ]);
    expect(of('step-skipped').map(({ stepId, reason }) => [stepId, reason])).toEqual([
      ['s1-r1-1', 'corrected'],
      ['s1-r1-2', 'corrected'],
    ]);
    expect(consult.told[2]!.step.id).toBe('s1');
    expect(state.status).toBe('done');
  });
});

describe('a repair that is itself mended', () => {
  it('and fails all the same: the first correction has failed, and the brain is asked about the step again', async () => {
    const consult = advising(insertOf('bad'), modifyTo('bad too'), null, insertOf('good'));
    const { of, state, commandsRun } = await play({
      commands: ['fail'],
      attempt: (command, at) => (command.startsWith('bad') ? 9 : once(command, at)),
      consult,
      limits: { retriesPerStep: 5 },
    });
    expect(commandsRun).toEqual(['fail', 'bad', 'bad too', 'good', 'fail']);
    expect(of('correction-failed').map(({ correctionId }) => correctionId)).toEqual(['c2', 'c1']);
    expect(of('agent-error')).toEqual([]);
    expect(state).toMatchObject({
      status: 'done',
      corrections: [{ status: 'failed' }, { status: 'failed' }, {}],
    });
  });

  it('by repairs of its own: all of them are skipped with it', async () => {
    const consult = advising(insertOf('bad'), insertOf('worse'), null, null, insertOf('good'));
    const { of, state, commandsRun } = await play({
      commands: ['fail'],
      attempt: (command, at) => (command === 'bad' || command === 'worse' ? 9 : once(command, at)),
      consult,
      limits: { retriesPerStep: 5 },
    });
    expect(commandsRun).toEqual(['fail', 'bad', 'worse', 'good', 'fail']);
    expect(of('correction-failed').map(({ correctionId }) => correctionId)).toEqual(['c2', 'c1']);
    expect(state.status).toBe('done');
  });
});

describe('a correction that a person denies', () => {
  it('is refused; a repair is skipped, the step has failed as before, and the brain is asked again', async () => {
    const consult = advising(insertOf('risky a', 'b'), insertOf('c'));
    const { of, state, commandsRun } = await play({
      commands: ['fail'],
      attempt: once,
      consult,
      level,
      people: deny,
    });
    expect(of('correction-refused')).toMatchObject([{ correctionId: 'c1', code: 'denied', message: 'no!' }]);
    expect(commandsRun).toEqual(['fail', 'c', 'fail']);
    expect(consult.told[1]!.result).toMatchObject({ exitCode: 1, why: 'exit-code' });
    expect(state).toMatchObject({ status: 'done' });
    expect(state.corrections.map(({ status }) => status)).toEqual(['refused', 'succeeded']);
  });

  it('it is judged whole before any of it runs: its harmless half has not run when a person says no', async () => {
    const consult = advising(insertOf('harmless', 'risky b'), insertOf('c'));
    const { of, commandsRun } = await play({
      commands: ['fail'],
      attempt: once,
      consult,
      level,
      people: deny,
    });
    expect(commandsRun).toEqual(['fail', 'c', 'fail']);
    expect(of('approval-needed')).toMatchObject([
      { warningMessage: expect.stringContaining('The whole of it: harmless, then risky b.') },
    ]);
    expect(of('correction-refused')).toMatchObject([{ correctionId: 'c1', code: 'denied' }]);
  });

  it('approved, it runs in its order, and what stayed as it was shown is not asked about twice', async () => {
    const consult = advising(insertOf('harmless', 'risky b'));
    const { of, commandsRun, state } = await play({
      commands: ['fail'],
      attempt: once,
      consult,
      level,
      people: approve,
    });
    expect(commandsRun).toEqual(['fail', 'harmless', 'risky b', 'fail']);
    expect(of('approval-needed')).toHaveLength(1);
    expect(state.status).toBe('done');
  });

  it('a modification is taken back: the plan has the step as it was', async () => {
    const consult = advising(modifyTo('risky other'), null);
    const { state, of } = await play({ commands: ['fail'], attempt: () => 1, consult, level, people: deny });
    expect(state.plan!.steps[0]!.action).toEqual({ kind: 'run-command', command: 'fail' });
    expect(state.steps.at(0)).toMatchObject({ status: 'failed', correction: null, result: { exitCode: 1 } });
    expect(of('plan-revised').map(({ source }) => source)).toEqual(['program:test', 'planwright']);
    expect(state.stopReason).toBe('agent-error');
  });

  it('is no strike against the step, and does count as a correction', async () => {
    const consult = advising(insertOf('risky a'), insertOf('risky b'), null);
    const { state } = await play({ commands: ['fail'], attempt: () => 1, consult, level, people: deny });
    expect(state.steps.reduce((sum, step) => sum + step.strikes, 0)).toBe(1);
    expect(state.corrections).toHaveLength(2);
  });

  it('approved, it runs as it was shown', async () => {
    const { commandsRun, state } = await play({
      commands: ['fail'],
      attempt: once,
      consult: advising(insertOf('risky a')),
      level,
      people: approve,
    });
    expect(commandsRun).toEqual(['fail', 'risky a', 'fail']);
    expect(state.status).toBe('done');
    expect(state.approvals).toMatchObject([
      { status: 'granted', warning: 'Proposed by program test: because' },
    ]);
  });
});

describe('a person steps in', () => {
  it('and has done it by hand: the step is done, and the run goes on', async () => {
    const { state, commandsRun } = await play({
      commands: ['fail', 'two'],
      attempt: (command) => (command === 'fail' ? 1 : 0),
      consult: advising(null),
      people: ({ stopReason }) =>
        stopReason === 'agent-error' ? { type: 'step-decided', stepId: 's1', decision: 'did-it' } : null,
    });
    expect(commandsRun).toEqual(['fail', 'two']);
    expect(state).toMatchObject({ status: 'done', stopReason: 'completed' });
  });

  it.each(['retry-requested', 'skip-requested'] as const)('%s sets a stuck run going', async (type) => {
    const { of } = await play({
      commands: ['fail', 'two'],
      attempt: (command, at) => (command === 'fail' && at === 0 ? 1 : 0),
      consult: advising(null),
      people: ({ stopReason }) => (stopReason === 'agent-error' ? { type, stepId: 's1' } : null),
    });
    const reason = type === 'skip-requested' ? 'completed-with-skips' : 'completed';
    expect(of('run-finished')).toMatchObject([{ reason }]);
  });
});

describe('what a sandbox refuses', () => {
  const missing = { write: ['/out'] };
  const attempt = (command: string, at: number): number | Partial<StepResult> =>
    command === 'write' && at === 0 ? { why: 'sandbox-denied', missing } : once(command, at);

  it('is asked for: just that, and the step goes on when a person grants it', async () => {
    const consult = advising(insertOf('write'));
    const { of, state, commandsRun } = await play({ commands: ['fail'], attempt, consult, people: approve });
    expect(of('grant-wanted')).toMatchObject([{ stepId: 's1-r1-1', grants: missing }]);
    expect(of('approval-needed')[0]!.warningMessage).toContain('It wants to write /out beyond its sandbox.');
    expect(commandsRun).toEqual(['fail', 'write', 'write', 'fail']);
    expect(consult.told).toHaveLength(1);
    expect(state.status).toBe('done');
  });

  it('and is known before it is tried, is asked for first: nothing is tried in vain', async () => {
    const network = { network: true };
    const lacks = (command: string) => (command === 'fetch' ? network : null);
    const scene = { commands: ['fail'], attempt: once, lacks };
    const consult = advising(insertOf('prepare', 'fetch'));
    const { of, commandsRun, types } = await play({ ...scene, consult, people: approve });
    expect(of('grant-wanted')).toMatchObject([{ stepId: 's1-r1-2', grants: network }]);
    expect(commandsRun).toEqual(['fail', 'prepare', 'fetch', 'fail']);
    // Its harmless half waits for the answer too.
    const asked = types.indexOf('approval-needed');
    expect(types.slice(0, asked).filter((type) => type === 'step-started')).toHaveLength(1);

    const alone = await play({
      ...scene,
      consult: advising(insertOf('prepare', 'fetch')),
      options: { onAsk: 'fail' },
    });
    expect(alone.commandsRun).toEqual(['fail']);
    expect(alone.state).toMatchObject({
      stopReason: 'approval-needed',
      message: 'a step that wants the network needs an approval, and nobody was there',
    });
  });

  it('denied, the correction is refused', async () => {
    const { of } = await play({
      commands: ['fail'],
      attempt,
      consult: advising(insertOf('write'), null),
      people: deny,
    });
    expect(of('correction-refused')).toMatchObject([{ code: 'denied' }]);
  });

  it('granted, and refused for the very same: it is not asked for twice', async () => {
    const { of, state } = await play({
      commands: ['fail'],
      attempt: (command) => (command === 'write' ? { why: 'sandbox-denied', missing } : 1),
      consult: advising(insertOf('write'), null),
      people: approve,
    });
    expect(of('grant-wanted')).toHaveLength(1);
    expect(of('correction-refused')).toMatchObject([{ code: 'denied' }]);
    expect(state.stopReason).toBe('agent-error');
  });
});

describe('the name of a failure', () => {
  const named = (said: string, more: Partial<StepResult> = {}) => nameFailure(failedWith(said, more));

  it('leaves out what differs from one time to the next', () => {
    expect(named('port 8080 busy, pid 17 at 12:01')).toBe(named('port 8080 busy, pid 4242  at 13:59'));
    expect(named('object deadbeefcafe1 missing')).toBe(named('object 0123456789abc missing'));
  });

  it('is another for another failure', () => {
    const names = [named('a'), named('b'), named('a', { exitCode: 2 }), named('a', { why: 'timeout' })];
    expect(new Set(names).size).toBe(names.length);
  });

  it('hears what is said on stdout where stderr is silent', () => {
    expect(named('', { stdoutTail: 'x' })).not.toBe(named('', { stdoutTail: 'y' }));
  });
});

describe('what a look has against a step', () => {
  const warns = (command: string) => (command === 'gti x' ? 'there is no gti' : null);

  it('is put to the brain before the step is tried, and is no attempt', async () => {
    const consult = advising(modifyTo('git x'));
    const { commandsRun, of, state } = await play({ commands: ['gti x'], warns, consult });
    expect(commandsRun).toEqual(['git x']);
    expect(of('step-failed').map(({ result }) => result.why)).toEqual(['precheck']);
    expect(state.context.entries.map(({ outcome }) => outcome)).toEqual(['succeeded']);
    expect(state.stopReason).toBe('completed');
  });

  it.each([
    ['no brain is sure', null],
    ['its correction is refused', correction({ action: 'skip' })],
  ])('does not stop it where %s: it is tried all the same', async (_, advice) => {
    const consult = advising(advice);
    const { commandsRun, of, state } = await play({ commands: ['gti x'], warns, consult });
    expect(of('precheck-overruled')).toHaveLength(1);
    expect(commandsRun).toEqual(['gti x']);
    expect(consult.told).toHaveLength(1);
    expect(state.stopReason).toBe('completed');
  });

  it('is only said in planner mode', async () => {
    const { commandsRun, of } = await play({ commands: ['gti x'], warns, options: { mode: 'planner' } });
    expect(commandsRun).toEqual(['gti x']);
    expect(of('step-judged')[0]?.warnings).toMatchObject([{ message: 'there is no gti' }]);
  });
});
