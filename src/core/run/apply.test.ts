import { describe, expect, it } from 'vitest';
import type { Correction } from '../contract/index.ts';
import { advising, correction, insertOf, modifyTo, play } from './testing/play.ts';

const once = (command: string, at: number) => (command === 'fail' && at === 0 ? 1 : 0);

describe('a correction becomes the next revision, or is refused', () => {
  it('retry: the step is due again, with how many attempts have failed', async () => {
    const { of, state } = await play({
      commands: ['fail'],
      attempt: once,
      consult: advising(correction({ action: 'retry' })),
    });
    expect(of('retry-attempt')).toMatchObject([{ stepId: 's1', attemptIndex: 1, failures: 1, limit: 3 }]);
    expect(state).toMatchObject({ status: 'done', corrections: [{ status: 'succeeded' }] });
  });

  it('retry with a delay: not before its time', async () => {
    const { of, events } = await play({
      commands: ['fail'],
      attempt: once,
      consult: advising(correction({ action: 'retry', delayMs: 5000 })),
    });
    const { notBefore } = of('retry-attempt')[0]!;
    const [, second] = events.filter(({ event }) => event.type === 'step-started');
    expect(second!.event.at).toBe(notBefore);
  });

  it('a delayed retry may be tried again and again; one without a delay may not', async () => {
    const delayed = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(correction({ action: 'retry', delayMs: 1 })),
    });
    expect(delayed.of('retry-attempt')).toHaveLength(3);
    const plain = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(correction({ action: 'retry' }), correction({ action: 'retry' }), null),
    });
    expect(plain.of('correction-refused')).toMatchObject([{ correctionId: 'c2', code: 'no-progress' }]);
  });

  it('the same is no progress however it is spaced, and though it calls itself a modification', async () => {
    const { of } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(correction({ action: 'retry' }), modifyTo(' fail '), modifyTo('fail'), null),
    });
    expect(of('correction-refused').map(({ code }) => code)).toEqual(['no-progress', 'no-progress']);
  });

  it('another failure makes the same correction worth another try', async () => {
    const { of, state } = await play({
      commands: ['fail'],
      attempt: (_, at) => [3, 4, 0][at] ?? 0,
      consult: advising(correction({ action: 'retry' })),
    });
    expect(of('correction-refused')).toEqual([]);
    expect(of('correction-failed')).toMatchObject([{ sameFailure: false }]);
    expect(state.status).toBe('done');
  });

  it('what was refused is refused again without a second look', async () => {
    const { of } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(modifyTo('rm -rf /'), modifyTo('rm -rf /'), null),
    });
    expect(of('correction-refused')).toMatchObject([
      { code: 'blocked' },
      { code: 'no-progress', message: 'the same correction was refused' },
    ]);
  });

  it.each([
    ['a modification', modifyTo('rm -rf /')],
    ['a retry', correction({ action: 'retry', modifiedCommand: 'rm -rf /' })],
    ['a new step', insertOf('true', 'rm -rf /')],
  ])('%s that is blocked changes nothing in the plan', async (_, bad: Correction) => {
    const { of, commandsRun } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(bad, null),
    });
    expect(of('correction-refused')).toMatchObject([{ code: 'blocked' }]);
    expect(of('plan-revised')).toEqual([]);
    expect(commandsRun).toEqual(['fail']);
  });

  it.each([
    ['a stub', modifyTo('echo failed')],
    ['a hidden failure', modifyTo('./deploy.sh prod || true')],
    ['a script that does nothing', insertOf("echo 'exit 0' > deploy.sh")],
  ])('%s is refused, whichever brain it is from', async (_, bad: Correction) => {
    const { of, commandsRun } = await play({
      commands: ['./deploy.sh prod'],
      attempt: () => 1,
      consult: advising(bad, null),
    });
    expect(of('correction-refused')).toMatchObject([{ code: 'purpose' }]);
    expect(commandsRun).toEqual(['./deploy.sh prod']);
  });

  it('a repair that its brain doubts is asked, with the doubt', async () => {
    const doubted = { ...insertOf('chmod +x run.sh'), doubt: 'run.sh is here too' };
    const { of, commandsRun } = await play({
      commands: ['./run.sh'],
      attempt: () => 1,
      consult: advising(doubted, null),
    });
    expect(of('approval-needed')).toMatchObject([
      { verdict: { reasons: [{ rule: 'other-purpose', sentence: 'run.sh is here too' }] } },
    ]);
    expect(commandsRun).toEqual(['./run.sh']);
  });

  it('what is something else than the step was for is asked, however harmless', async () => {
    const { of, commandsRun, state } = await play({
      commands: ['./deploy.sh prod'],
      attempt: () => 1,
      consult: advising(modifyTo('./deploy.sh staging'), null),
    });
    expect(of('approval-needed')).toMatchObject([
      { verdict: { level: 'dangerous', reasons: [{ rule: 'other-purpose' }] } },
    ]);
    expect(commandsRun).toEqual(['./deploy.sh prod']);
    expect(state.status).toBe('waiting');
  });

  it.each([
    ['echo x >> log && fail', 'half-done'],
    ['curl -d x http://h/ && fail', 'half-done'],
    ['mkdir -p a && fail', null],
    ['fail && echo x >> log', null],
  ])('%s, attempted again: %s', async (command, rule) => {
    const { of, state } = await play({
      commands: [command],
      attempt: (_, at) => (at === 0 ? 1 : 0),
      consult: advising(correction({ action: 'retry' })),
    });
    const asked = of('approval-needed').map(({ verdict }) => verdict.reasons[0]?.rule);
    expect(asked).toEqual(rule === null ? [] : [rule]);
    expect(state.status).toBe(rule === null ? 'done' : 'waiting');
  });

  it('what ran of a step, and shows when it is done twice, is not done again', async () => {
    const agreed = 'cd sub && echo x >> log && fail && echo y >> log';
    const halfway = { done: ['cd sub', 'echo x >> log'], failed: 'fail' };
    const { of, state, commandsRun } = await play({
      commands: [agreed],
      attempt: (command) => (command === agreed ? { exitCode: 1, why: 'exit-code', halfway } : 0),
      consult: advising(insertOf('mkdir -p a')),
    });
    expect(commandsRun).toEqual([agreed, 'mkdir -p a', 'cd sub && fail && echo y >> log']);
    expect(of('approval-needed')).toEqual([]);
    expect(of('plan-revised')[0]!.reason).toContain('It goes on where it stopped');
    expect(state.status).toBe('done');
  });

  it('nor is a script of which nobody knows whether it shows', async () => {
    const agreed = './record.sh && fail';
    const halfway = { done: ['./record.sh'], failed: 'fail' };
    const { commandsRun } = await play({
      commands: [agreed],
      attempt: (command) => (command === agreed ? { exitCode: 1, why: 'exit-code', halfway } : 0),
      consult: advising(insertOf('mkdir -p a')),
    });
    expect(commandsRun).toEqual([agreed, 'mkdir -p a', 'fail']);
  });

  it('where going on is not surely the same, a person sees what would be done twice', async () => {
    const halfway = { done: ['x=$(date)', 'echo $x >> log'], failed: 'fail $x' };
    const { of } = await play({
      commands: ['x=$(date) && echo $x >> log && fail $x'],
      attempt: () => ({ exitCode: 1, why: 'exit-code', halfway }),
      consult: advising(correction({ action: 'retry' })),
    });
    const [asked] = of('approval-needed').map(({ verdict }) => verdict.reasons[0]);
    expect(asked).toMatchObject({ rule: 'half-done', sentence: expect.stringContaining('has run') });
  });

  it('modify: the step keeps its place, its id and its count of failures', async () => {
    const { of, state, commandsRun } = await play({
      commands: ['one', 'fail', 'three'],
      attempt: once,
      consult: advising(modifyTo('fail better')),
    });
    expect(commandsRun).toEqual(['one', 'fail', 'fail better', 'three']);
    expect(of('plan-revised')).toMatchObject([{ revision: 1, source: 'program:test', correctionId: 'c1' }]);
    expect(state.steps.at(1)).toMatchObject({ id: 's2', revision: 1, attempts: 2, correction: 'c1' });
    expect(state.steps.at(0)!.revision).toBe(0);
  });

  it('modify of what runs no command is invalid', async () => {
    const { of } = await play({
      commands: ['fail'],
      attempt: () => 1,
      consult: advising(correction({ action: 'modify', modifiedCommand: '  ' }), null),
    });
    expect(of('correction-refused')).toMatchObject([{ code: 'invalid' }]);
  });

  it('insert_steps: repairs before the step, marked as such, with the reason', async () => {
    const { state, commandsRun } = await play({
      commands: ['one', 'fail', 'three'],
      attempt: once,
      consult: advising(insertOf('a', 'b')),
    });
    expect(commandsRun).toEqual(['one', 'fail', 'a', 'b', 'fail', 'three']);
    expect(state.plan!.steps.map(({ id }) => id)).toEqual(['s1', 's2-r1-1', 's2-r1-2', 's2', 's3']);
    expect(state.plan!.steps[1]).toMatchObject({ repairs: 's2', why: 'because' });
    expect(state.addedSteps).toBe(2);
  });

  it('insert_steps of what is no action is invalid, the whole of it', async () => {
    const bad = correction({
      action: 'insert_steps',
      newSteps: [
        { step: 'ok', action: 'RUN_COMMAND true' },
        { step: 'no', action: 'FLY away' },
      ],
    });
    const { of } = await play({ commands: ['fail'], attempt: () => 1, consult: advising(bad, null) });
    expect(of('correction-refused')).toMatchObject([{ code: 'invalid' }]);
    expect(of('plan-revised')).toEqual([]);
  });

  it('a repair that the plan has no room for is refused whole, and the run is stuck with that name', async () => {
    const { of, state, commandsRun } = await play({
      commands: ['fail'],
      attempt: (command) => (command === 'fail' ? 1 : 0),
      limits: { addedSteps: 4, retriesPerStep: 9 },
      consult: advising(insertOf('a', 'b', 'c'), insertOf('d', 'e', 'f'), null),
    });
    expect(commandsRun).toEqual(['fail', 'a', 'b', 'c', 'fail']);
    expect(of('correction-refused')).toMatchObject([{ correctionId: 'c2', code: 'added-steps' }]);
    expect(of('agent-stuck')).toMatchObject([{ stepId: 's1', limit: 'added-steps', used: 3, max: 4 }]);
    expect(state.stopReason).toBe('agent-stuck');
  });

  it('a modification may bring steps of its own, and change more than the command', async () => {
    const { state, commandsRun } = await play({
      commands: ['fail'],
      attempt: once,
      consult: advising(
        correction({
          action: 'modify',
          modifiedCommand: 'fail --slowly',
          modifiedStep: { expects: 'exit 0', timeoutMs: 5000, cwd: 'sub' },
          newSteps: [{ step: 'first', action: 'RUN_COMMAND first' }],
        }),
      ),
    });
    expect(commandsRun).toEqual(['fail', 'first', 'fail --slowly']);
    expect(state.plan!.steps[1]).toMatchObject({ id: 's1', expects: 'exit 0', timeoutMs: 5000, cwd: 'sub' });
    expect(state.status).toBe('done');
  });

  it('a file action is modified as a whole line', async () => {
    const { state, of } = await play({
      commands: ['fail'],
      attempt: once,
      consult: advising(
        correction({ action: 'modify', modifiedStep: { action: 'WRITE_FILE a.txt "some text"' } }),
      ),
    });
    expect(state.plan!.steps[0]!.action).toMatchObject({ kind: 'write-file', path: 'a.txt' });
    expect(of('plan-revised')).toHaveLength(1);
  });

  it('skip: the step is left out, the run goes on', async () => {
    const { of, state } = await play({
      commands: ['fail', 'two'],
      attempt: once,
      consult: advising(correction({ action: 'skip' })),
    });
    expect(of('step-skipped')).toMatchObject([{ stepId: 's1', reason: 'corrected', detail: 'because' }]);
    expect(state).toMatchObject({ status: 'done', corrections: [{ status: 'applied' }] });
  });

  it('abort: the plan is cancelled and the run is over', async () => {
    const { of, state, commandsRun } = await play({
      commands: ['fail', 'two'],
      attempt: once,
      consult: advising(correction({ action: 'abort' })),
    });
    expect(of('plan-cancelled')).toMatchObject([{ correctionId: 'c1', reason: 'because' }]);
    expect(state).toMatchObject({ ended: true, status: 'failed', stopReason: 'agent-aborted' });
    expect(commandsRun).toEqual(['fail']);
  });
});
