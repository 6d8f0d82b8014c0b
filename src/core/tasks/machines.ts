import type { Driver } from '../contract/index.ts';
import { hostId } from '../contract/index.ts';
import type {
  AgentEvent,
  AgentFact,
  AgentRunState,
  ProjectEvent,
  ProjectFact,
  ProjectState,
  TaskEvent,
  TaskFact,
  TaskState,
} from '../contract/tasks/index.ts';
import { createLedger, type Machine, type PerformContext, performChild, wantChild } from '../stream/index.ts';
import type { AgentWorkKind } from './agent-next.ts';
import { bounded } from './bounds.ts';
import { agentRunKind, projectKind, taskKind } from './kinds.ts';
import { type AgentPorts, BUILT_IN, type TaskPorts } from './ports.ts';
import { promptOf, withErrors } from './prompts.ts';
import { movedBy, nextRun, phaseFacts, type TaskWork } from './task-next.ts';

const claimedBy =
  (driver: Driver, takes = false) =>
  (epoch: number) => [
    { type: 'driver-claimed' as const, epoch, driver, ...(takes ? { takes: true as const } : {}) },
  ];
const stamp = <B, E>(body: B, at: number): E => ({ ...body, v: 1, at }) as E;

/** Projects do nothing by themselves: what is asked of them is so. */
export const createProjectMachine = (
  driver: Driver,
): Machine<ProjectState, ProjectEvent, ProjectFact, never> => ({
  ...projectKind,
  holds: () => 'as-is',
  perform: async () => [],
  crashed: () => [],
  claimed: claimedBy(driver),
  stamp,
});

/** The machine of tasks, over the ports that touch the world. */
export const createTaskMachine = (
  driver: Driver,
  ports: TaskPorts,
  now: () => number,
  takes = false,
): Machine<TaskState, TaskEvent, TaskFact, TaskWork> => ({
  ...taskKind,
  // Merging changes the repository itself; agents work in worktrees of their own.
  holds: ({ place }, work) =>
    work.kind === 'merge'
      ? { host: hostId(place.host), path: place.workspace, worktree: place.worktree }
      : 'as-is',
  perform: (work, context) => performTask(ports, work, context, now),
  crashed(work, error) {
    if (work.kind === 'merge') {
      const message = error instanceof Error ? error.message : String(error);
      return [{ type: 'merge-finished', ok: false, commit: null, code: 'internal', message, conflicts: [] }];
    }
    throw error;
  },
  claimed: claimedBy(driver, takes),
  stamp,
});

async function performTask(
  ports: TaskPorts,
  work: TaskWork,
  { signal }: PerformContext<TaskFact>,
  now: () => number,
): Promise<TaskFact[]> {
  switch (work.kind) {
    case 'move': {
      const { state, to, answers, request } = work;
      const open = await ports.openDependencies(state.text.dependencies);
      if (open.length === 0) return [movedBy(state, request, to, answers)];
      const message = `it depends on ${open.join(', ')}`;
      return [{ type: 'request-refused', answers, code: 'guarded', message }];
    }
    case 'begin': {
      const { state, mode } = work;
      const { agent, given } = await ports.given(state, mode);
      const { phase, run } = nextRun(state);
      const before = state.phases.findLast((one) => one.mode === mode && one.agent === agent);
      const session = before?.outcome === 'interrupted' ? before.session : null;
      const begun = { phase, mode, agent, run, given, ...(session === null ? {} : { session }) };
      const wanted = wantChild(run, 'agent-run');
      return [{ type: 'phase-begun', ...begun }, ...(wanted.kind === 'record' ? wanted.facts : [])];
    }
    case 'results': {
      const { state, run } = work;
      const { phase, ended } = {
        phase: state.phases.find((one) => one.run === run),
        ended: await ports.agentRun(run),
      };
      if (phase === undefined) return [];
      return phaseFacts(state, { ...phaseEnd(ended), phase: phase.n, run }, now());
    }
    case 'merge':
      return [{ type: 'merge-finished', ...(await ports.merge(work.state, work.how, signal)) }];
    case 'take': {
      const taken = await ports.take(work.state, signal);
      if (taken.ok) return [{ type: 'place-taken', place: taken.place }];
      // Another machine may fare better: nothing is written, and it is tried again.
      throw new Error(taken.message);
    }
    case 'begin-child':
    case 'cancel-child':
      return performChild(ports.children, work, work.by);
  }
}

function phaseEnd({ begun, ended, worktree, changes, session, costUsd }: AgentRunState) {
  const { status = 'failed', outcome = 'failed', payload = {}, message = 'it was removed' } = ended ?? {};
  return {
    type: 'phase-ended' as const,
    ...{ status, outcome, payload, message, session, costUsd },
    branch: worktree?.branch ?? null,
    worktree: worktree?.path ?? null,
    // What a review adds to the branch has not been reviewed.
    head: (begun?.mode === 'review' ? worktree?.head : changes?.head) ?? null,
    rescued: worktree?.rescued == null ? [] : [worktree.rescued],
  };
}

type AgentContext = PerformContext<AgentFact>;

/** The machine of agent runs. */
export const createAgentMachine = (
  driver: Driver,
  ports: AgentPorts,
  takes = false,
): Machine<AgentRunState, AgentEvent, AgentFact, AgentWorkKind> => ({
  ...agentRunKind,
  holds({ begun, place, worktree }, work) {
    if (
      work.kind === 'admit' ||
      work.kind === 'prompt' ||
      work.kind === 'changes' ||
      work.kind === 'take' ||
      worktree === null
    )
      return 'as-is';
    // A conversation in the worktree holds it whenever it changes something: it is not locked out of it.
    if (work.kind === 'agent' && begun?.agent === BUILT_IN) return 'as-is';
    return { host: hostId(place.host), path: worktree.path, worktree: worktree.path };
  },
  perform: (work, context) => performAgent(ports, work, context),
  crashed: crashedAgent,
  claimed: claimedBy(driver, takes),
  stamp,
});

async function performAgent(
  ports: AgentPorts,
  work: AgentWorkKind,
  context: AgentContext,
): Promise<AgentFact[]> {
  const { state } = work;
  const { signal } = context;
  const { given } = state.begun!;
  switch (work.kind) {
    case 'admit': {
      const admission = await ports.admit(state);
      if (admission.ok) return [{ type: 'agent-admitted' }];
      const { until, why } = admission;
      return [
        until === null
          ? { type: 'worktree-failed', code: 'limit', message: why }
          : { type: 'agent-queued', until, why },
      ];
    }
    case 'prepare': {
      const prepared = await ports.prepare(state, signal);
      if (!prepared.ok) return [{ type: 'worktree-failed', code: prepared.code, message: prepared.message }];
      const { warnings, ...worktree } = prepared.worktree;
      return [{ type: 'worktree-prepared', ...worktree, warnings: [...warnings] }];
    }
    case 'setup': {
      const results = await ports.check(state, given.setupCommands, signal);
      return [{ type: 'setup-finished', ok: passed(results, given.setupCommands), results }];
    }
    case 'prompt': {
      const { text, warning } = await ports.template(state);
      const { task, mode, brief } = state.begun!;
      const prompt = promptOf(brief, { task, mode }, text);
      return [{ type: 'prompt-built', text: prompt, from: text === null ? 'built-in' : 'template', warning }];
    }
    case 'agent':
      return [await performance(ports, work, context)];
    case 'leftovers': {
      const detail = await ports.endLeftovers(state, signal);
      return [{ type: 'agent-interrupted', attempt: work.attempt, detail }];
    }
    case 'validate': {
      const results = await ports.check(state, given.validationCommands, signal);
      const ok = passed(results, given.validationCommands);
      return [{ type: 'validation-finished', attempt: work.attempt, ok, results }];
    }
    case 'changes':
      return [{ type: 'changes-found', ...(await ports.changes(state)) }];
    case 'release':
      return [{ type: 'worktree-released', ...(await ports.release(state)) }];
    case 'take': {
      const taken = await ports.take(state, signal);
      return [
        taken.ok
          ? { type: 'place-taken', place: taken.place }
          : { type: 'worktree-failed', code: 'source-failed', message: taken.message },
      ];
    }
  }
}

const passed = (results: readonly { exitCode: number | null }[], commands: readonly string[]): boolean =>
  results.length === commands.length && results.every(({ exitCode }) => exitCode === 0);

async function performance(
  ports: AgentPorts,
  { state, attempt, errors }: AgentWorkKind & { kind: 'agent' },
  context: AgentContext,
): Promise<AgentFact> {
  const { run, task, mode, agent, given, brief } = state.begun!;
  const { path: worktree, branch, base } = state.worktree!;
  const { signal, epoch } = context;
  const ledger = createLedger({ ...context, stream: run, spending: state.spending, limits: given.limits });
  const end = await ports.perform(
    {
      ...{ run, task, mode, agent, epoch, attempt, worktree, branch, base, given, brief },
      prompt: withErrors(state.prompt!.text, errors),
      session: state.session,
    },
    {
      signal,
      ledger,
      record: (facts) => context.record(facts),
      decided: (approvalId) => ports.decided(approvalId, signal),
    },
  );
  return { type: 'agent-finished', attempt, ...bounded(end) };
}

/** A port that broke its word and threw. Nothing is pretended. */
function crashedAgent(work: AgentWorkKind, error: unknown): AgentFact[] {
  const message = error instanceof Error ? error.message : String(error);
  switch (work.kind) {
    case 'admit':
    case 'prepare':
    case 'take':
      return [{ type: 'worktree-failed', code: 'internal', message }];
    case 'setup':
      return [{ type: 'setup-finished', ok: false, results: [brokenCheck(message)] }];
    case 'prompt': {
      const { task, mode, brief } = work.state.begun!;
      const text = promptOf(brief, { task, mode }, null);
      return [{ type: 'prompt-built', text, from: 'built-in', warning: message }];
    }
    case 'agent':
      return [
        {
          ...{ type: 'agent-finished', attempt: work.attempt, exitCode: 1, outcome: 'failed', payload: {} },
          ...{ why: 'error', message, turns: 0, costUsd: 0, tokens: 0 },
        },
      ];
    case 'leftovers':
      return [{ type: 'agent-interrupted', attempt: work.attempt, detail: message }];
    case 'validate':
      return [
        { type: 'validation-finished', attempt: work.attempt, ok: false, results: [brokenCheck(message)] },
      ];
    case 'changes':
      // Nobody knows what it left, or what it moved that was not its own: that is not called ready.
      return [{ type: 'worktree-failed', code: 'internal', message }];
    case 'release':
      return [{ type: 'worktree-released' }];
  }
}

const brokenCheck = (tail: string) => ({ command: '', exitCode: null, tail, durationMs: 0 });
