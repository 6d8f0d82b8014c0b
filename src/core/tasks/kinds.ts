import type {
  AgentEvent,
  AgentFact,
  AgentRunRow,
  AgentRunState,
  ProjectEvent,
  ProjectFact,
  ProjectRow,
  ProjectState,
  TaskEvent,
  TaskFact,
  TaskRow,
  TaskState,
} from '../contract/tasks/index.ts';
import type { Effect, Kind } from '../stream/index.ts';
import { type AgentWorkKind, agentAttend, agentNext } from './agent-next.ts';
import { keptAgentRuns, keptProjects, keptTasks } from './kept.ts';
import { type TaskWork, taskAttend, taskNext } from './task-next.ts';

/** Tasks, a kind of stream: they move through a pipeline, and wait for the agent runs that they begin. */
export const taskKind: Kind<TaskState, TaskEvent, TaskFact, TaskWork, TaskRow> = {
  ...keptTasks,
  next: taskNext,
  attend: taskAttend,
};

/** Agent runs, a kind of stream: one performance of a coding agent for a task. */
export const agentRunKind: Kind<AgentRunState, AgentEvent, AgentFact, AgentWorkKind, AgentRunRow> = {
  ...keptAgentRuns,
  next: agentNext,
  attend: agentAttend,
};

/** Projects, the smallest kind: what a person says about them is so. */
export const projectKind: Kind<ProjectState, ProjectEvent, ProjectFact, never, ProjectRow> = {
  ...keptProjects,
  next: projectNext,
  attend: () => ({ kind: 'await', until: null }),
};

function projectNext({ inbox, isRemoved, settings, unreadable }: ProjectState): Effect<ProjectFact, never> {
  if (settings === null || unreadable.length > 0) return { kind: 'rest', why: 'unreadable', wakeAt: null };
  const pending = inbox[0];
  if (pending === undefined) return { kind: 'rest', why: isRemoved ? 'finished' : 'waiting', wakeAt: null };
  const { seq: answers, request } = pending;
  const refused = {
    type: 'request-refused',
    answers,
    code: 'removed',
    message: 'it has been removed',
  } as const;
  if (isRemoved) return { kind: 'record', facts: [refused] };
  return {
    kind: 'record',
    facts: [
      request.type === 'remove-requested'
        ? { type: 'project-removed', answers }
        : { type: 'project-changed', settings: request.settings, answers },
    ],
  };
}
