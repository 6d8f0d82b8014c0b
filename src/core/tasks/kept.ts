import { childEnded } from '../contract/index.ts';
import {
  type AgentEvent,
  type AgentRunRow,
  type AgentRunState,
  agentScopeOf,
  evolveAgent,
  evolveProject,
  evolveTask,
  initialAgentState,
  initialProjectState,
  initialTaskState,
  isAgentRequest,
  isProjectRequest,
  isTaskRequest,
  type ProjectEvent,
  type ProjectRow,
  type ProjectState,
  projectAgent,
  projectProject,
  projectScopeOf,
  projectTask,
  type TaskEvent,
  type TaskRow,
  type TaskState,
  taskScopeOf,
} from '../contract/tasks/index.ts';
import type { KeptKind } from '../stream/index.ts';

const common = {
  epochOf: ({ epoch }: { epoch: number }) => epoch,
  noteOf: () => null,
};

export const keptProjects: KeptKind<ProjectState, ProjectEvent, ProjectRow> = {
  ...common,
  name: 'project',
  initial: initialProjectState,
  evolve: evolveProject,
  project: projectProject,
  titleOf: ({ name }) => name,
  textOf: (event) => (event.type === 'project-added' ? event.settings.name : ''),
  isRequest: isProjectRequest,
  cancel: { type: 'remove-requested' },
  scopeOf: (event) => (isProjectRequest(event) ? projectScopeOf(event) : 'decide'),
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
};

export const keptTasks: KeptKind<TaskState, TaskEvent, TaskRow> = {
  ...common,
  name: 'task',
  initial: initialTaskState,
  evolve: evolveTask,
  project: projectTask,
  titleOf: ({ title }) => title,
  textOf: (event) =>
    event.type === 'task-created' ? `${event.text.title}\n${event.text.description.slice(0, 2000)}` : '',
  isRequest: isTaskRequest,
  cancel: { type: 'close-requested' },
  scopeOf: (event) => (isTaskRequest(event) ? taskScopeOf(event) : 'decide'),
  childEnded,
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
};

export const keptAgentRuns: KeptKind<AgentRunState, AgentEvent, AgentRunRow> = {
  ...common,
  name: 'agent-run',
  initial: initialAgentState,
  evolve: evolveAgent,
  project: projectAgent,
  titleOf: ({ title, mode }) => `${mode}: ${title}`,
  textOf: (event) => (event.type === 'agent-run-begun' ? event.brief.title : ''),
  isRequest: isAgentRequest,
  cancel: { type: 'stop-requested' },
  scopeOf: (event) => (isAgentRequest(event) ? agentScopeOf(event) : 'decide'),
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
};
