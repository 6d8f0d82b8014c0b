import { expect, test } from 'vitest';
import {
  type AgentEvent,
  type AgentMode,
  type AgentRunRow,
  type AgentRunState,
  evolveAgent,
  initialAgentState,
  projectAgent,
} from '../contract/tasks/index.ts';
import { agentAttend, agentNext, endOf } from './agent-next.ts';
import { createAgentMachine } from './machines.ts';
import type { AgentPorts } from './ports.ts';

/** A run whose agent has begun, and is not at it any more. */
function after(mode: AgentMode, status: 'finished' | 'interrupted', exitCode = 1): AgentRunState {
  const given = { validationCommands: [], setupCommands: [], maxValidationRetries: 0 };
  const end = { exitCode, outcome: 'failed', why: null };
  return {
    ...initialAgentState,
    begun: { mode, given, run: 't1a1' },
    worktree: { path: '/w', branch: 'b', isNew: false },
    ...{ isAdmitted: true, wantsWorktree: true, prompt: { text: '' } },
    attempts: [{ n: 1, status, end: status === 'finished' ? end : null, validation: null }],
  } as unknown as AgentRunState;
}

test('what an agent moved is looked at before its worktree is let go of, in every mode and however it ended', () => {
  for (const mode of ['plan', 'investigate', 'implement', 'review'] as const)
    for (const status of ['finished', 'interrupted'] as const)
      expect(agentNext(after(mode, status), 0), `${mode}, ${status}`).toMatchObject({
        kind: 'perform',
        work: { kind: 'changes' },
      });
  const seen = {
    ...after('plan', 'interrupted'),
    changes: { commits: 0, files: 0, foreign: [], head: null },
  };
  expect(agentNext(seen, 0)).toMatchObject({ work: { kind: 'release' } });
});

test('what nobody could look at is not called ready: the run fails with the reason, and lets go of its worktree', () => {
  const machine = createAgentMachine({ pid: 1, host: 'h', boot: 'b' }, {} as AgentPorts);
  const state = after('implement', 'finished', 0);
  const [fact] = machine.crashed({ kind: 'changes', state }, new Error('git is gone'));
  expect(fact).toMatchObject({ type: 'worktree-failed', message: 'git is gone' });
  const failed = { ...state, worktreeFailure: { code: 'internal', message: 'git is gone' } };
  expect(agentNext(failed, 0)).toMatchObject({ work: { kind: 'release' } });
  expect(endOf({ ...failed, isReleased: true })).toMatchObject({ outcome: 'failed', message: 'git is gone' });
});

test('a row says how long agents have worked, those that were interrupted too, and not how long people took', () => {
  const end = {
    exitCode: 0,
    outcome: 'o',
    payload: {},
    why: null,
    message: null,
    turns: 0,
    costUsd: 0,
    tokens: 0,
  };
  const subject = { action: { kind: 'run-command', command: 'true' } };
  const asked = [
    {
      v: 1,
      at: 110,
      type: 'approval-needed',
      attempt: 1,
      approvalId: 'a',
      subject,
      verdict: { level: 'dangerous' },
    },
    { v: 1, at: 125, type: 'approval-granted', approvalId: 'a', answers: 1 },
  ] as unknown as AgentEvent[];
  const events: AgentEvent[] = [
    { v: 1, at: 100, type: 'agent-started', attempt: 1, errors: null },
    ...asked,
    { v: 1, at: 130, type: 'agent-finished', attempt: 1, ...end },
    { v: 1, at: 200, type: 'agent-started', attempt: 2, errors: null },
    { v: 1, at: 205, type: 'agent-interrupted', attempt: 2, detail: '' },
  ];
  const begun = { costUsd: 0 } as AgentRunRow;
  const row = events.reduce<AgentRunRow | null>(
    (before, event, at) => projectAgent(before, { stream: 'r', seq: at + 1, event }),
    begun,
  );
  expect(row).toMatchObject({ workedMs: 20, workingSince: null });
});

test('the time that a person takes to decide is not the agent’s', () => {
  const begun = {
    ...after('implement', 'finished'),
    begun: { mode: 'implement', given: { limits: { timeMs: 1000 } } },
    attempts: [],
  } as unknown as AgentRunState;
  const attempt = 1;
  const asks = (approvalId: string, at: number) => ({ type: 'approval-needed', approvalId, attempt, at });
  const events = [
    { type: 'agent-started', attempt, errors: null, at: 100 },
    asks('a', 600),
    asks('b', 700),
    { type: 'approval-granted', approvalId: 'a', answers: 1, at: 5000 },
    { type: 'approval-denied', approvalId: 'b', at: 9000 },
  ].map((event) => ({ v: 1, ...event }) as unknown as AgentEvent);
  const upTo = (n: number) =>
    events.slice(0, n).reduce((state, event, at) => evolveAgent(state, { seq: at + 1, event }), begun);
  const attend = (n: number, now: number) => {
    const state = upTo(n);
    return agentAttend(state, { kind: 'agent', state, attempt, errors: null }, now);
  };
  expect(attend(1, 600)).toEqual({ kind: 'await', until: 1100 });
  for (const n of [2, 3, 4]) expect(attend(n, 1_000_000)).toEqual({ kind: 'await', until: null });
  expect(attend(5, 9100)).toEqual({ kind: 'await', until: 9500 });
  expect(attend(5, 9500)).toEqual({ kind: 'abort', why: 'timeout' });
});
