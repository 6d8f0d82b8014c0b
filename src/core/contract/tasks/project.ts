import { z } from 'zod';
import { bodiesOf, request } from '../requests.ts';
import { Actor, type Scope, StartedBy } from '../stream/actor.ts';
import { answers, fact, isOneOf } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { StreamRow } from '../stream/row.ts';
import { Driver, evolveStream, freshStream, type Stored, type StreamState } from '../stream/state.ts';
import { AgentProgram } from './given.ts';
import { said, taskLimits } from './limits.ts';
import { AgentMode } from './modes.ts';
import { Pipeline } from './pipeline.ts';

/** A name of an agent: `scripted`, `claude-code`, `acp:gemini`. */
export const AgentName = z.string().regex(/^[a-z][a-z0-9-]*(:[\w.-]+)?$/);

/** What a person has said about a project. */
export const ProjectSettings = z.strictObject({
  name: said('title').regex(
    /^[A-Za-z0-9][\w.-]*$/,
    'a name has letters, digits, dots, dashes and underscores',
  ),
  /** Left out: the branch that the repository has checked out when a task is begun. */
  baseBranch: z.string().min(1).optional(),
  /** The remote that the base branch is fetched from; null: none, the branch here is the base. */
  remote: z.string().min(1).nullable().optional(),
  /** Where any machine of a fleet clones it from, and pushes the branches of its tasks to; left out: tasks stay with the folder. */
  gitSource: z.string().min(1).optional(),
  /** What a new worktree needs before anybody works in it. */
  setupCommands: z.array(said('command').min(1)).max(taskLimits.commands).optional(),
  validationCommands: z.array(said('command').min(1)).max(taskLimits.commands).optional(),
  maxValidationRetries: z.int().min(0).optional(),
  /** Reviews that may ask for changes before a person is asked. */
  maxReviewRounds: z.int().min(0).optional(),
  /** Agent runs at the same time. */
  maxAgents: z.int().min(1).optional(),
  /** Which agent works in which mode; `default` for those that are not named. */
  agents: z.partialRecord(z.union([AgentMode, z.literal('default')]), AgentName).optional(),
  /** What `acp:NAME` stands for, by its name. */
  programs: z.record(z.string().regex(/^[\w.-]+$/), AgentProgram).optional(),
  /** Dollars of one agent run, of all runs of one task, and of all runs of the project. */
  moneyPerRun: z.number().min(0).optional(),
  moneyPerTask: z.number().min(0).optional(),
  moneyPerProject: z.number().min(0).optional(),
  /** Minutes that an agent works, of one performance, of all of one task, and of all of the project. */
  minutesPerRun: z.number().positive().optional(),
  minutesPerTask: z.number().positive().optional(),
  minutesPerProject: z.number().positive().optional(),
  pipeline: Pipeline.optional(),
  /** What agents are told in these modes, before what a file of the project says and what is built in. */
  templates: z.partialRecord(AgentMode, said('template').min(1)).optional(),
});
export type ProjectSettings = z.infer<typeof ProjectSettings>;

const facts = [
  fact('project-added', { project: z.string(), place: Place, settings: ProjectSettings }),
  fact('driver-claimed', { epoch: z.int().positive(), driver: Driver }),
  fact('project-changed', { settings: ProjectSettings, answers }),
  fact('project-removed', { answers }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

export const ProjectRequest = z.discriminatedUnion('type', [
  request('settings-requested', { settings: ProjectSettings }),
  request('remove-requested', {}),
]);
export type ProjectRequest = z.infer<typeof ProjectRequest>;

export const ProjectFactEvent = z.discriminatedUnion('type', [...facts]);
export type ProjectFactEvent = z.infer<typeof ProjectFactEvent>;
export type ProjectEvent = ProjectFactEvent | ProjectRequest;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type ProjectFact = Without<ProjectFactEvent, 'v' | 'at'>;
export type ProjectRequestBody = Without<ProjectRequest, 'v' | 'at' | 'key' | 'by'>;
export const ProjectRequestBody = bodiesOf(ProjectRequest.options) as z.ZodType<ProjectRequestBody>;

const isFact = isOneOf(() => facts);
const isRequest = isOneOf(() => ProjectRequest.options);
export const isProjectRequest = (event: { type: string }): event is ProjectRequest => isRequest(event);
/** What is run in a project comes from its settings: only a person changes them. */
export const projectScopeOf = (_request: ProjectRequest): Scope => 'decide';

export interface ProjectState extends StreamState<ProjectRequest> {
  project: string;
  place: Place;
  settings: ProjectSettings | null;
  isRemoved: boolean;
}

export const initialProjectState: ProjectState = {
  ...freshStream,
  project: '',
  place: { host: '', boot: '', workspace: '' },
  settings: null,
  isRemoved: false,
};

export const evolveProject = (
  state: ProjectState,
  stored: Pick<Stored<ProjectEvent>, 'seq' | 'event'>,
): ProjectState =>
  evolveStream<ProjectState, ProjectEvent, ProjectRequest>(state, stored, {
    isKnown: (event) => event.v === 1 && (isFact(event) || isRequest(event)),
    isRequest: isProjectRequest,
    apply: (before, event) => {
      switch (event.type) {
        case 'project-added':
          return { ...before, project: event.project, place: event.place, settings: event.settings };
        case 'driver-claimed':
          return { ...before, epoch: event.epoch, driver: event.driver };
        case 'project-changed':
          return { ...before, settings: event.settings };
        case 'project-removed':
          return { ...before, isRemoved: true };
        case 'request-refused':
        case 'refused-at-door':
          return before;
      }
    },
  });

export const ProjectRow = StreamRow.extend({
  kind: z.literal('project'),
  state: z.enum(['kept', 'removed']),
  name: z.string(),
});
export type ProjectRow = z.infer<typeof ProjectRow>;

export function projectProject(
  row: ProjectRow | null,
  { stream, event }: Stored<ProjectEvent>,
): ProjectRow | null {
  switch (event.type) {
    case 'project-added':
      return {
        id: stream,
        kind: 'project',
        state: 'kept',
        name: event.settings.name,
        workspace: event.place.workspace,
        createdAt: event.at,
        updatedAt: event.at,
        endedAt: null,
        wakeAt: null,
        goesOn: false,
        awaits: null,
        unanswered: [],
      };
    case 'project-changed':
      return row && { ...row, name: event.settings.name, updatedAt: event.at };
    case 'project-removed':
      return row && { ...row, state: 'removed', updatedAt: event.at, endedAt: event.at };
    default:
      return row;
  }
}
