import { describe, expect, test } from 'vitest';
import {
  type AgentEventOf,
  type AgentPayload,
  defaultPipeline,
  foldTask,
  Pipeline,
  type StoredTaskEvent,
  type TaskEvent,
  type TaskFact,
  type TaskState,
  type TaskText,
} from '../contract/tasks/index.ts';
import { agentEvents } from './brief.ts';
import { taskNext } from './task-next.ts';
import { tryOutcomeTransition, waysOn } from './ways.ts';

const by = { person: 'ana', door: 'terminal' as const };
const place = { host: 'here', boot: 'b', workspace: '/repo' };
const given = {
  repository: { path: '/repo', remote: null, branch: null },
  limits: { turns: 10, timeMs: 1000, money: 1, tokens: 1000 },
  setupCommands: [],
  validationCommands: [],
  maxValidationRetries: 3,
  related: null,
  onAsk: 'wait' as const,
};

type Body =
  | TaskFact
  | (Omit<Extract<TaskEvent, { key: string }>, 'v' | 'at' | 'key' | 'by'> & { type: string });

/** A task after these events, with times and names filled in. */
function taskOf(bodies: readonly Body[], text: Partial<TaskText> = {}): TaskState {
  const created: TaskFact = {
    type: 'task-created',
    task: 't1',
    project: 'p1',
    place,
    text: {
      title: 'Add a flag',
      description: 'It should be quiet',
      kind: 'feature',
      priority: 'normal',
      dependencies: [],
      ...text,
    },
    pipeline: defaultPipeline,
    maxReviewRounds: 2,
    money: 5,
  };
  const claimed: TaskFact = { type: 'driver-claimed', epoch: 1, driver: { pid: 1, host: 'here', boot: 'b' } };
  const events = [created, claimed, ...bodies].map(
    (body, index) =>
      ({
        stream: 't1',
        seq: index + 1,
        event: { key: `k${index}`, by, ...body, v: 1, at: index + 1 },
      }) as unknown as StoredTaskEvent,
  );
  return foldTask(events);
}

const moved = (from: string, to: string): TaskFact => ({
  type: 'moved',
  from,
  to,
  why: { type: 'manual', by },
});
const phase = (n: number, mode: 'plan' | 'plan_revision' | 'implement' | 'review'): TaskFact[] => [
  { type: 'phase-begun', phase: n, mode, agent: 'scripted', run: `t1a${n}`, given },
  { type: 'child-started', child: `t1a${n}`, kind: 'agent-run' },
  { type: 'child-begun', child: `t1a${n}` },
];
const ended = (n: number, outcome: string, payload: AgentPayload = {}): TaskFact[] => [
  { type: 'child-ended', child: `t1a${n}`, state: 'done', spending: null },
  {
    ...{ type: 'phase-ended', phase: n, run: `t1a${n}`, status: 'done', outcome, payload, message: null },
    ...{
      branch: 'task/t1/plan',
      worktree: '/repo/.agent-worktrees/t1',
      session: null,
      rescued: [],
      costUsd: 0.5,
    },
  },
];

describe('the default pipeline', () => {
  test('fits together', () => {
    expect(Pipeline.safeParse(defaultPipeline).error?.message).toBeUndefined();
  });
  test('has a way for every outcome of every mode, and a way on from everywhere', () => {
    const outcomes: Record<string, string[]> = {
      planning: ['plan_complete', 'needs_info', 'failed', 'interrupted', 'stopped'],
      revising: ['plan_complete', 'needs_info', 'failed', 'interrupted', 'stopped'],
      investigating: ['investigation_complete', 'needs_info', 'failed', 'interrupted', 'stopped'],
      implementing: ['pr_ready', 'no_changes', 'validation_failed', 'needs_info', 'failed', 'interrupted'],
      changing: ['pr_ready', 'no_changes', 'validation_failed', 'needs_info', 'failed', 'interrupted'],
      reviewing: ['approved', 'changes_requested', 'needs_info', 'failed', 'interrupted', 'stopped'],
    };
    const task = taskOf([]);
    for (const [status, each] of Object.entries(outcomes))
      for (const outcome of each)
        expect(tryOutcomeTransition({ ...task, status }, outcome), `${status} ${outcome}`).not.toBeNull();
  });
  test('is refused where something in it leads nowhere', () => {
    const broken = { ...defaultPipeline, initial: 'nowhere' };
    expect(Pipeline.safeParse(broken).success).toBe(false);
    const deaf = {
      ...defaultPipeline,
      transitions: defaultPipeline.transitions.filter(
        ({ trigger }) => trigger.type !== 'agent' || trigger.outcome !== 'interrupted',
      ),
    };
    expect(Pipeline.safeParse(deaf).error?.message).toContain(
      'says nothing about an agent that is interrupted',
    );
  });
});

describe('a task', () => {
  test('is moved by a person only where a way leads', () => {
    expect(waysOn(taskOf([])).map(({ to, against }) => [to, against])).toEqual([
      ['planning', null],
      ['investigating', 'it is a feature'],
      ['implementing', null],
      ['closed', null],
    ]);
    const refused = taskNext(taskOf([{ type: 'move-requested', to: 'merged' } as Body]));
    expect(refused).toMatchObject({
      kind: 'record',
      facts: [{ type: 'request-refused', code: 'no-such-way' }],
    });
  });
  test('asks whether what it depends on is through before it is begun', () => {
    const asked = taskOf([{ type: 'move-requested', to: 'planning' } as Body], { dependencies: ['t0'] });
    expect(taskNext(asked)).toMatchObject({ kind: 'perform', work: { kind: 'move', to: 'planning' } });
    const free = taskOf([{ type: 'move-requested', to: 'planning' } as Body]);
    expect(taskNext(free)).toMatchObject({ kind: 'record', facts: [{ type: 'moved', to: 'planning' }] });
  });
  test('starts an agent where one works, and waits for it', () => {
    const entered = taskOf([moved('open', 'planning')]);
    expect(taskNext(entered)).toMatchObject({ kind: 'perform', work: { kind: 'begin', mode: 'plan' } });
    const at = taskOf([moved('open', 'planning'), ...phase(1, 'plan')]);
    expect(taskNext(at)).toEqual({ kind: 'rest', why: 'waiting', wakeAt: null });
  });
  test('goes where the outcome of its agent leads, and reports one that leads nowhere', () => {
    const planned = taskOf([
      moved('open', 'planning'),
      ...phase(1, 'plan'),
      ...ended(1, 'plan_complete', { plan: '# The plan', planSummary: 'Short', subtasks: ['a', 'b'] }),
    ]);
    expect(planned).toMatchObject({
      plan: '# The plan',
      subtasks: [{ title: 'a', done: false }, { title: 'b' }],
    });
    expect(taskNext(planned)).toMatchObject({
      kind: 'record',
      facts: [{ type: 'moved', to: 'plan_ready' }],
    });
    const odd = taskOf([moved('open', 'planning'), ...phase(1, 'plan'), ...ended(1, 'danced')]);
    expect(taskNext(odd)).toMatchObject({
      kind: 'record',
      facts: [{ type: 'outcome-unknown', outcome: 'danced' }],
    });
  });
  test('is not moved while an agent is at it, and is closed after the agent has ended', () => {
    const at = [moved('open', 'planning'), ...phase(1, 'plan')];
    expect(taskNext(taskOf([...at, { type: 'move-requested', to: 'closed' } as Body]))).toMatchObject({
      facts: [{ type: 'request-refused', code: 'agent-at-work' }],
    });
    const closing = taskOf([...at, { type: 'close-requested' } as Body]);
    expect(taskNext(closing)).toMatchObject({ facts: [{ type: 'stop-noted' }] });
    const stopping = taskOf([...at, { type: 'close-requested' } as Body, { type: 'stop-noted', by }]);
    expect(taskNext(stopping)).toMatchObject({ kind: 'perform', work: { kind: 'cancel-child' } });
  });
  test('goes back to where it asked once it was answered', () => {
    const asked = [
      moved('open', 'planning'),
      ...phase(1, 'plan'),
      ...ended(1, 'needs_info', { question: 'Which flag?' }),
      moved('planning', 'needs_info'),
    ];
    const answered = taskNext(taskOf([...asked, { type: 'answer-given', text: '--quiet' } as Body]));
    expect(answered).toMatchObject({
      facts: [{ type: 'question-answered' }, { type: 'moved', to: 'planning' }],
    });
  });
  test('is handed to a person when reviews have asked for changes too often', () => {
    const reviewed = (rounds: number): TaskState => ({
      ...taskOf([moved('open', 'implementing'), moved('implementing', 'reviewing')]),
      reviewRounds: rounds,
    });
    expect(tryOutcomeTransition(reviewed(2), 'changes_requested')).toBe('changing');
    expect(tryOutcomeTransition(reviewed(3), 'changes_requested')).toBe('stuck');
  });
  test('tells its agent what was said before, the same each time', () => {
    const state = taskOf([
      moved('open', 'planning'),
      ...phase(1, 'plan'),
      ...ended(1, 'plan_complete', { plan: 'P', planSummary: 'S', subtasks: ['one'] }),
      moved('planning', 'plan_ready'),
      { type: 'commented', comment: 1, on: 'plan', line: 3, text: 'Not so', by, answers: 1 },
      moved('plan_ready', 'implementing'),
      ...phase(2, 'implement'),
    ]);
    const [begun] = agentEvents(state, state.phases[1]!);
    expect(begun).toMatchObject({
      type: 'agent-run-begun',
      brief: { plan: 'P', planComments: ['line 3: Not so'], subtasks: [{ title: 'one', done: false }] },
    });
    expect(agentEvents(state, state.phases[1]!)).toEqual([begun]);
  });

  test('tells its agent what nobody has acted on yet, and again where that came to nothing', () => {
    const said = (comment: number, text: string): TaskFact => ({
      ...{ type: 'commented', comment, on: 'plan', text, by, answers: comment },
    });
    const state = taskOf([
      said(1, 'first'),
      ...phase(1, 'plan_revision'),
      ...ended(1, 'failed'),
      ...phase(2, 'plan_revision'),
      ...ended(2, 'plan_complete', { plan: 'P' }),
      said(2, 'second'),
      ...phase(3, 'plan_revision'),
    ]);
    const told = state.phases
      .map((one) => agentEvents(state, one)[0])
      .map((event) => event as AgentEventOf<'agent-run-begun'>);
    expect(told.map(({ brief }) => brief.planComments).slice(1)).toEqual([['first', 'second'], ['second']]);
  });
});

test('an outcome that the pipeline does not know is for a person to place', () => {
  const state = taskOf([
    moved('open', 'reviewing'),
    { type: 'outcome-unknown', status: 'reviewing', outcome: 'puzzled', run: 't1a1' },
  ]);
  expect(waysOn(state).map(({ to }) => to)).toEqual([
    'reviewing',
    'ready',
    'changing',
    'stuck',
    'needs_info',
  ]);
  expect(waysOn(taskOf([moved('open', 'reviewing')]))).toEqual([]);
});

test('what is closed is not called merged, whatever ends a pipeline has', () => {
  const close = { type: 'close-requested' } as Body;
  const without = (name: string) => ({
    ...defaultPipeline,
    statuses: defaultPipeline.statuses.filter((status) => status.name !== name),
  });
  const closing = (pipeline: typeof defaultPipeline) => taskNext({ ...taskOf([close]), pipeline });
  expect(closing(defaultPipeline)).toMatchObject({ facts: [{ type: 'moved', to: 'closed' }] });
  expect(closing(without('closed'))).toMatchObject({ facts: [{ type: 'request-refused', code: 'no-end' }] });
});
