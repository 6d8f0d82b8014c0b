import { z } from 'zod';
import type { Scope } from '../stream/actor.ts';
import * as chats from './chats.ts';
import { endpoints as at, type Endpoint } from './endpoints.ts';
import * as fleet from './fleet.ts';
import * as plans from './plans.ts';
import * as runs from './runs.ts';
import * as schedules from './schedules.ts';
import * as settings from './settings.ts';
import * as tasks from './tasks.ts';
import * as work from './work.ts';

export interface Route {
  method: Endpoint[0];
  path: Endpoint[1];
  about: string;
  /** What whoever calls it must be allowed; a request of a stream says more of itself. */
  scope: Scope;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Of a body that may be larger than others. */
  mostBytes?: number;
  /** What a success answers: data, bytes, or server-sent events whose `data` is of the schema. */
  answer: { json: z.ZodType } | { bytes: true } | { events: z.ZodType };
}

const route =
  (scope: Scope) =>
  <
    E extends Endpoint,
    A extends Route['answer'],
    G extends Pick<Route, 'query' | 'body' | 'mostBytes'> = object,
  >(
    [method, path]: E,
    about: string,
    answer: A,
    given?: G,
  ) =>
    ({ method, path, about, scope, answer, ...given }) as {
      method: E[0];
      path: E[1];
      about: string;
      scope: Scope;
      answer: A;
    } & G;

const get = route('read');
/** What is sent is looked at, and nothing else comes of it by itself. */
const tell = route('read');
const ask = route('ask');
const decide = route('decide');
const json = <T extends z.ZodType>(schema: T) => ({ json: schema });
const bytes = { bytes: true } as const;
const nothing = json(z.strictObject({}));

/** Every route there is: the server serves these, the client calls these, openapi.json lists these. */
export const routes = {
  createRun: ask(at.createRun, 'Start a run from a goal, a plan or a runbook', json(runs.CreatedRun), {
    body: runs.CreateRun,
  }),
  listRuns: get(at.listRuns, 'List runs, the newest first', json(runs.RunPage), { query: runs.RunsFilter }),
  getRun: get(at.getRun, 'One run, folded, with the sequence number it is folded up to', json(runs.RunView)),
  lookAtRun: get(
    at.lookAtRun,
    'One run for whoever only looks: folded, without what drivers need and what is as it nearly always is',
    json(runs.RunLook),
  ),
  askOfRun: tell(
    at.askOfRun,
    'Ask something of a run: cancel, pause, resume, mode, edit, skip, retry, decide, answer',
    json(runs.Asked),
    { body: runs.AskOfRun },
  ),
  removeRuns: decide(
    at.removeRuns,
    'Remove runs that have ended, with all that is kept of them; what has not ended stays',
    json(runs.RemovedRuns),
    { body: runs.RemoveRuns },
  ),
  forkRun: ask(at.forkRun, 'Make a new run that begins at a step of this one', json(runs.CreatedRun), {
    body: runs.Fork,
  }),
  repeatRun: ask(at.repeatRun, 'Make a new run of the same plan', json(runs.CreatedRun), {
    body: runs.Again,
  }),
  planFile: get(
    at.planFile,
    'The plan as a file; where planning failed, the best draft with its problems marked',
    json(plans.PlanFile),
  ),
  turnOfRun: get(
    at.turnOfRun,
    'The run whose end this one waits for, because it has the folder; and since when nobody drives it',
    json(runs.TurnOfRun),
  ),
  relatedRuns: get(
    at.relatedRuns,
    'The run that this one comes from, and those that came of it',
    json(runs.RelatedRuns),
  ),
  previewRun: get(
    at.previewRun,
    'Every step judged as things are now, for agreeing on the plan',
    json(runs.Preview),
  ),
  adviseRun: get(
    at.adviseRun,
    'What a brain would do about the step that failed, for a person to take or leave',
    json(work.AdviceView),
  ),
  getEvents: get(at.getEvents, 'Events of a run after a sequence number', json(runs.EventPage), {
    query: runs.EventsQuery,
  }),
  streamRun: get(
    at.streamRun,
    'Events of a run as they are written, from any sequence number on (Last-Event-ID)',
    { events: runs.NumberedEvent },
    { query: runs.RunStreamQuery },
  ),
  streamRows: get(
    at.streamRows,
    'Rows of the listing as they change, over all runs, conversations, projects, tasks, agent runs and schedules',
    { events: runs.RowChange },
    { query: runs.RowsQuery },
  ),
  createChat: decide(
    at.createChat,
    'Begin a conversation; it is a stream, and messages are requests of it',
    json(chats.CreatedChat),
    { body: chats.CreateChat },
  ),
  lookAtChat: get(
    at.lookAtChat,
    'One conversation for whoever only looks: folded, its last turns, and the numbers of those before them',
    json(chats.ChatLook),
  ),
  removeChat: decide(at.removeChat, 'Remove a conversation for good; what it is at is stopped', nothing),
  listTurns: get(at.listTurns, 'Turns of a conversation from a number on', json(chats.TurnPage), {
    query: chats.TurnsQuery,
  }),
  keepPicture: decide(
    at.keepPicture,
    'Keep a picture for a message of the conversation, which names it',
    json(chats.KeptPicture),
    { body: chats.KeepPicture, mostBytes: 5_000_000 },
  ),
  viewPicture: get(at.viewPicture, 'A picture of a conversation', bytes),
  createProject: decide(
    at.createProject,
    'Make a repository a project; the same folder twice is one, with the settings that were given last',
    json(tasks.CreatedProject),
    { body: tasks.CreateProject },
  ),
  listProjects: get(at.listProjects, 'List projects, with their settings', json(tasks.ProjectList)),
  changeProject: decide(at.changeProject, 'Give a project other settings', nothing, {
    body: tasks.ChangeProject,
  }),
  removeProject: decide(
    at.removeProject,
    'Take a project off the list; its folder and its branches stay as they are',
    nothing,
  ),
  createTask: ask(
    at.createTask,
    'Make a task; it is a stream, and what is wanted of it are requests',
    json(tasks.CreatedTask),
    { body: tasks.CreateTask },
  ),
  listTasks: get(at.listTasks, 'List tasks, the newest first', json(tasks.TaskPage), {
    query: tasks.TasksFilter,
  }),
  lookAtTask: get(
    at.lookAtTask,
    'One task, folded, with where a person may move it and its agent runs',
    json(tasks.TaskView),
  ),
  diffTask: get(at.diffTask, 'What the branch of a task changes against its base', json(tasks.TaskDiff)),
  createSchedule: decide(
    at.createSchedule,
    'Begin a run of a plan file at its times; adding a schedule agrees to what the file says now',
    json(schedules.CreatedSchedule),
    { body: schedules.CreateSchedule },
  ),
  listSchedules: get(at.listSchedules, 'List schedules, the newest first', json(schedules.ScheduleList)),
  lookAtSchedule: get(
    at.lookAtSchedule,
    'One schedule, folded, with its next times and, where its file has changed, what that says now',
    json(schedules.ScheduleView),
  ),
  agreeToSchedule: decide(
    at.agreeToSchedule,
    'Agree to what the file of a schedule says now, as it was shown',
    nothing,
    { body: schedules.AgreeToSchedule },
  ),
  getFleet: get(
    at.getFleet,
    'Who drives, on which machines, what there is to do and how much was done',
    json(fleet.Fleet),
  ),
  readAgentOutput: get(
    at.readAgentOutput,
    'What a coding agent said, from an offset on; `wait` stays for what comes',
    bytes,
    { query: work.OutputQuery },
  ),
  listStreams: get(at.listStreams, 'List streams of every kind, the newest first', json(runs.StreamPage), {
    query: runs.StreamsFilter,
  }),
  getStream: get(
    at.getStream,
    'One stream of any kind, folded, with the sequence number it is folded up to',
    json(runs.StreamView),
  ),
  getStreamEvents: get(
    at.getStreamEvents,
    'Events of a stream after a sequence number',
    json(runs.AnyEventPage),
    { query: runs.EventsQuery },
  ),
  followStream: get(
    at.followStream,
    'Events of a stream as they are written, from any sequence number on (Last-Event-ID)',
    { events: runs.NumberedAnyEvent },
    { query: runs.FollowQuery },
  ),
  askOfStream: tell(
    at.askOfStream,
    'Ask something of a stream: what its kind calls a request',
    json(runs.Asked),
    { body: runs.AskOfStream },
  ),
  readOutput: get(
    at.readOutput,
    'Output of one attempt: bytes from an offset on, or all of it as a download',
    bytes,
    { query: work.OutputQuery },
  ),
  outputErrors: get(
    at.outputErrors,
    'Which bytes of the output of one attempt came from stderr',
    json(work.OutputErrors),
  ),
  readCallText: get(
    at.readCallText,
    'What a model says, as it says it: bytes from an offset on, or all of it as a download',
    bytes,
    { query: work.OutputQuery },
  ),
  diffRun: get(at.diffRun, 'What a run, or one step of it, changed in the workspace', json(work.DiffView), {
    query: work.DiffQuery,
  }),
  undoRun: ask(
    at.undoRun,
    'Restore what a run changed, except where somebody has changed it since',
    json(work.UndoView),
    { body: work.Undo },
  ),
  undoGuarded: ask(
    at.undoGuarded,
    'Take back what the calls of a guarded session changed; only foreseen with `dryRun`',
    json(work.UndoView),
    { body: work.Undo },
  ),
  allowGuarded: decide(
    at.allowGuarded,
    'Always allow exactly what a verdict of a guarded session was about, in its folder',
    json(work.Allowed),
    { body: work.Allow },
  ),
  waiting: get(at.waiting, 'What waits for a person, over all that there is', json(runs.Waiting)),
  listServices: get(
    at.listServices,
    'Services that runs have started and nobody has ended; one is stopped by a request to its run',
    json(work.Services),
    { query: work.ServicesQuery },
  ),
  search: get(at.search, 'Find runs by goal, titles and actions of steps, or id', json(runs.SearchHits), {
    query: runs.SearchQuery,
  }),
  validatePlan: tell(at.validatePlan, 'Read and check the text of a plan or runbook', json(plans.Validated), {
    body: plans.ValidatePlan,
  }),
  filesLike: get(
    at.filesLike,
    'Files and folders of a workspace whose path begins with what was typed',
    json(chats.FilesLike),
    { query: chats.FilesQuery },
  ),
  typedFolder: get(
    at.typedFolder,
    'Which folder a typed path is, and how it may go on',
    json(plans.TypedFolder),
    {
      query: plans.FolderQuery,
    },
  ),
  listTemplates: get(at.listTemplates, 'Plans that come with the program', json(plans.TemplateList)),
  printActions: tell(at.printActions, 'Actions as the lines of a plan file', json(plans.PrintedActions), {
    body: plans.PrintActions,
  }),
  parseAction: tell(at.parseAction, 'One line of a plan file as an action', json(plans.ParsedLine), {
    body: plans.ParseAction,
  }),
  explainRisk: tell(
    at.explainRisk,
    'Say how risky a command is, why, and what it does',
    json(plans.Explained),
    { body: plans.ExplainRisk },
  ),
  getConfig: get(at.getConfig, 'Every setting and where its value comes from', json(settings.ConfigView), {
    query: settings.WorkspaceQuery,
  }),
  changeConfig: decide(at.changeConfig, "Change settings in the user's file", json(settings.ConfigView), {
    body: settings.ChangeConfig,
  }),
  getModels: get(at.getModels, 'Which models would answer, by role', json(settings.ModelsView)),
  setModelKey: decide(at.setModelKey, 'Keep the key of a provider, or forget it', nothing, {
    body: settings.ModelKey,
  }),
  testModel: decide(at.testModel, 'Ask a model for one word', json(settings.TestedModel), {
    body: settings.TestModel,
  }),
  getMemory: get(at.getMemory, 'Fixes that are remembered', json(settings.MemoryView), {
    query: settings.WorkspaceQuery,
  }),
  forget: decide(at.forget, 'Forget a fix', nothing),
  getRules: get(at.getRules, 'Rules that hold in a workspace', json(settings.RulesView), {
    query: settings.WorkspaceQuery,
  }),
  replaceRules: decide(at.replaceRules, "Replace the user's rules", json(settings.RulesView), {
    body: settings.ReplaceRules,
  }),
  allowHere: decide(
    at.allowHere,
    'Always allow, in this workspace, exactly what a run or a conversation asks for',
    json(settings.AllowedHere),
    { body: settings.AllowHere },
  ),
  removeRule: decide(at.removeRule, "Take a rule out of the user's file", nothing),
  getTrust: get(at.getTrust, 'Folders whose configuration is used', json(settings.TrustView)),
  changeTrust: decide(at.changeTrust, 'Trust a folder, or take that back', json(settings.TrustView), {
    body: settings.ChangeTrust,
  }),
  newAddress: tell(
    at.newAddress,
    'Make an address that opens the page once, for what its caller may',
    json(settings.NewAddress),
    { body: z.strictObject({}) },
  ),
  whoAmI: get(at.whoAmI, 'Who calls, as the journal names them, and what they may', json(settings.WhoAmI)),
  signOut: tell(at.signOut, 'End what the cookie of this page opens; its streams end too', nothing, {
    body: z.strictObject({}),
  }),
  openApi: get(at.openApi, 'This description', json(z.looseObject({ openapi: z.string() }))),
} satisfies Record<keyof typeof at, Route>;
export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a call of a route is given besides the parameters of its path. */
export type QueryOf<R extends Route> = R extends { query: z.ZodType } ? z.input<R['query']> : undefined;
export type BodyOf<R extends Route> = R extends { body: z.ZodType } ? z.input<R['body']> : undefined;
export type AnswerOf<R extends Route> = R['answer'] extends { json: infer S extends z.ZodType }
  ? z.output<S>
  : never;
