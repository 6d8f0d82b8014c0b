import { describe, expect, it } from 'vitest';
import { advising, correction, play } from './testing/play.ts';

const planner = { mode: 'planner' } as const;
const thrice = { 1: { times: 3, delayMs: 5000 } };

describe('a step whose plan has it attempted again', () => {
  it('is, so often, each after its delay, as attempts of its own; then the run stops', async () => {
    const { of, events, state } = await play({
      commands: ['fail'],
      retry: thrice,
      options: planner,
      attempt: () => 1,
    });
    expect(of('step-started').map(({ attemptIndex }) => attemptIndex)).toEqual([0, 1, 2, 3]);
    expect(of('step-retried')).toMatchObject(
      [1, 2, 3].map((retry) => ({ stepId: 's1', attemptIndex: retry, retry, times: 3 })),
    );
    const starts = events.flatMap(({ event }) => (event.type === 'step-started' ? [event.at] : []));
    expect(starts.slice(1)).toEqual(of('step-retried').map(({ notBefore }) => notBefore));
    expect(state).toMatchObject({ status: 'failed', stopReason: 'step-failed' });
    expect([...state.steps]).toMatchObject([{ attempts: 4, failures: 4 }]);
  });

  it('goes on as soon as it succeeds', async () => {
    const { of, state } = await play({
      commands: ['fail', 'b'],
      retry: thrice,
      options: planner,
      attempt: (c, n) => (c === 'fail' && n < 2 ? 1 : 0),
    });
    expect(of('step-retried')).toHaveLength(2);
    expect(state.status).toBe('done');
  });

  it.each(['denied', 'blocked', 'aborted', 'not-started', 'no-terminal', 'internal'] as const)(
    'is not where it was %s',
    async (why) => {
      const { of } = await play({
        commands: ['fail'],
        retry: thrice,
        options: planner,
        attempt: () => ({ why }),
      });
      expect(of('step-retried')).toEqual([]);
    },
  );

  it('is not where a part of it would be done twice, and says so', async () => {
    const command = 'git commit -m x && git push';
    const whole = await play({ commands: [command], retry: thrice, options: planner, attempt: () => 1 });
    expect(whole.commandsRun).toHaveLength(1);
    expect(whole.state.message).toContain('not attempted again: `git commit -m x` would be done twice');
    const halfway = { done: [], failed: 'git commit -m x' };
    const begun = await play({
      commands: [command],
      retry: thrice,
      options: planner,
      attempt: () => ({ halfway }),
    });
    expect(begun.commandsRun).toHaveLength(4);
  });

  it('is not by itself in teacher mode', async () => {
    const { of } = await play({
      commands: ['fail'],
      retry: thrice,
      options: { mode: 'teacher' },
      attempt: () => 1,
      people: ({ steps }) =>
        steps.at(0)!.offered ? { type: 'step-decided', stepId: 's1', decision: 'run' } : null,
    });
    expect(of('step-failed')).toHaveLength(1);
    expect(of('step-retried')).toEqual([]);
  });

  it('is before the brain is asked, and takes nothing from the limits of the brain', async () => {
    const consult = advising(correction({ action: 'retry', delayMs: 1 }), null);
    const { of, types } = await play({
      commands: ['fail'],
      retry: thrice,
      attempt: () => 1,
      consult,
      limits: { retriesPerStep: 1 },
    });
    expect(types.indexOf('agent-thinking')).toBeGreaterThan(types.lastIndexOf('step-retried'));
    expect(of('retry-attempt')).toMatchObject([{ failures: 1, limit: 1 }]);
    // What the brain has attempted again is not begun anew by the plan.
    expect(of('step-started')).toHaveLength(5);
  });

  it('begins its count anew when a person has it attempted again', async () => {
    let asked = false;
    const { of } = await play({
      commands: ['fail'],
      retry: { 1: { times: 1 } },
      options: planner,
      attempt: () => 1,
      people: () => {
        if (asked) return null;
        asked = true;
        return { type: 'retry-requested', stepId: 's1' };
      },
    });
    expect(of('step-retried').map(({ retry }) => retry)).toEqual([1, 1]);
  });

  it('keeps its approval: what is attempted again is what was approved', async () => {
    const { of, commandsRun } = await play({
      commands: ['fail'],
      retry: { 1: { times: 2 } },
      options: planner,
      level: () => 'dangerous',
      attempt: () => 1,
      people: ({ approvals }) =>
        approvals[0]?.status === 'needed'
          ? {
              type: 'approval-decided',
              approvalId: approvals[0].id,
              decision: 'approve',
              fingerprint: approvals[0].fingerprint,
            }
          : null,
    });
    expect(commandsRun).toHaveLength(3);
    expect(of('approval-needed')).toHaveLength(1);
  });

  it('stops at the wall time of the run', async () => {
    const { state } = await play({
      commands: ['fail'],
      retry: thrice,
      options: planner,
      limits: { wallMs: 6000 },
      attempt: () => 1,
    });
    expect(state.stopReason).toBe('limit-time');
    expect([...state.steps]).toMatchObject([{ attempts: 2 }]);
  });
});
