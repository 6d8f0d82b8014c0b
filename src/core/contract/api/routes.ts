import { z } from 'zod';
import * as plans from './plans.ts';
import * as runs from './runs.ts';
import * as settings from './settings.ts';
import * as work from './work.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under `/api`; `:name` is a parameter. */
  path: string;
  about: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a success answers: data, bytes, or server-sent events whose `data` is of the schema. */
  answer: { json: z.ZodType } | { bytes: true } | { events: z.ZodType };
}

const json = <T extends z.ZodType>(schema: T) => ({ json: schema });
const nothing = json(z.strictObject({}));

/** Every route there is: the server serves these, the client calls these, openapi.json lists these. */
export const routes = {
  createRun: {
    method: 'POST',
    path: '/runs',
    about: 'Start a run from a goal, a plan or a runbook',
    body: runs.CreateRun,
    answer: json(runs.CreatedRun),
  },
  listRuns: {
    method: 'GET',
    path: '/runs',
    about: 'List runs, the newest first',
    query: runs.RunsFilter,
    answer: json(runs.RunPage),
  },
  getRun: {
    method: 'GET',
    path: '/runs/:id',
    about: 'One run, folded, with the sequence number it is folded up to',
    answer: json(runs.RunView),
  },
  askOfRun: {
    method: 'POST',
    path: '/runs/:id/requests',
    about: 'Ask something of a run: cancel, pause, resume, mode, edit, skip, retry, decide, answer',
    body: runs.AskOfRun,
    answer: json(runs.Asked),
  },
  forkRun: {
    method: 'POST',
    path: '/runs/:id/fork',
    about: 'Make a new run that begins at a step of this one',
    body: runs.Fork,
    answer: json(runs.CreatedRun),
  },
  previewRun: {
    method: 'GET',
    path: '/runs/:id/preview',
    about: 'Every step judged as things are now, for agreeing on the plan',
    answer: json(runs.Preview),
  },
  adviseRun: {
    method: 'GET',
    path: '/runs/:id/advice',
    about: 'What a brain would do about the step that failed, for a person to take or leave',
    answer: json(work.AdviceView),
  },
  getEvents: {
    method: 'GET',
    path: '/runs/:id/events',
    about: 'Events of a run after a sequence number',
    query: runs.EventsQuery,
    answer: json(runs.EventPage),
  },
  streamRun: {
    method: 'GET',
    path: '/runs/:id/stream',
    about: 'Events of a run as they are written, from any sequence number on (Last-Event-ID)',
    query: runs.RunStreamQuery,
    answer: { events: runs.NumberedEvent },
  },
  streamRows: {
    method: 'GET',
    path: '/stream',
    about: 'Rows of the listing as they change, over all runs',
    query: runs.RowsQuery,
    answer: { events: runs.RowChange },
  },
  listStreams: {
    method: 'GET',
    path: '/streams',
    about: 'List streams of every kind, the newest first',
    query: runs.StreamsFilter,
    answer: json(runs.StreamPage),
  },
  getStream: {
    method: 'GET',
    path: '/streams/:id',
    about: 'One stream of any kind, folded, with the sequence number it is folded up to',
    answer: json(runs.StreamView),
  },
  getStreamEvents: {
    method: 'GET',
    path: '/streams/:id/events',
    about: 'Events of a stream after a sequence number',
    query: runs.EventsQuery,
    answer: json(runs.AnyEventPage),
  },
  followStream: {
    method: 'GET',
    path: '/streams/:id/stream',
    about: 'Events of a stream as they are written, from any sequence number on (Last-Event-ID)',
    query: runs.FollowQuery,
    answer: { events: runs.NumberedAnyEvent },
  },
  askOfStream: {
    method: 'POST',
    path: '/streams/:id/requests',
    about: 'Ask something of a stream: what its kind calls a request',
    body: runs.AskOfStream,
    answer: json(runs.Asked),
  },
  readOutput: {
    method: 'GET',
    path: '/runs/:id/steps/:stepId/attempts/:attempt/output',
    about: 'Output of one attempt: bytes from an offset on, or all of it as a download',
    query: work.OutputQuery,
    answer: { bytes: true },
  },
  readCallText: {
    method: 'GET',
    path: '/runs/:id/calls/:callId/output',
    about: 'What a model says, as it says it: bytes from an offset on, or all of it as a download',
    query: work.OutputQuery,
    answer: { bytes: true },
  },
  diffRun: {
    method: 'GET',
    path: '/runs/:id/diff',
    about: 'What a run, or one step of it, changed in the workspace',
    query: work.DiffQuery,
    answer: json(work.DiffView),
  },
  undoRun: {
    method: 'POST',
    path: '/runs/:id/undo',
    about: 'Restore what a run changed, except where somebody has changed it since',
    body: work.Undo,
    answer: json(work.UndoView),
  },
  waiting: {
    method: 'GET',
    path: '/waiting',
    about: 'What waits for a person, over all runs',
    answer: json(runs.Waiting),
  },
  search: {
    method: 'GET',
    path: '/search',
    about: 'Find runs by goal, titles and actions of steps, or id',
    query: runs.SearchQuery,
    answer: json(runs.SearchHits),
  },
  validatePlan: {
    method: 'POST',
    path: '/plans/validate',
    about: 'Read and check the text of a plan or runbook',
    body: plans.ValidatePlan,
    answer: json(plans.Validated),
  },
  printActions: {
    method: 'POST',
    path: '/plans/print',
    about: 'Actions as the lines of a plan file',
    body: plans.PrintActions,
    answer: json(plans.PrintedActions),
  },
  parseAction: {
    method: 'POST',
    path: '/plans/parse-action',
    about: 'One line of a plan file as an action',
    body: plans.ParseAction,
    answer: json(plans.ParsedLine),
  },
  explainRisk: {
    method: 'POST',
    path: '/risk/explain',
    about: 'Say how risky a command is, why, and what it does',
    body: plans.ExplainRisk,
    answer: json(plans.Explained),
  },
  getConfig: {
    method: 'GET',
    path: '/config',
    about: 'Every setting and where its value comes from',
    query: settings.WorkspaceQuery,
    answer: json(settings.ConfigView),
  },
  changeConfig: {
    method: 'PUT',
    path: '/config',
    about: "Change settings in the user's file",
    body: settings.ChangeConfig,
    answer: json(settings.ConfigView),
  },
  getModels: {
    method: 'GET',
    path: '/models',
    about: 'Which models would answer, by role',
    answer: json(settings.ModelsView),
  },
  testModel: {
    method: 'POST',
    path: '/models/test',
    about: 'Ask a model for one word',
    body: settings.TestModel,
    answer: json(settings.TestedModel),
  },
  getMemory: {
    method: 'GET',
    path: '/memory',
    about: 'Fixes that are remembered',
    query: settings.WorkspaceQuery,
    answer: json(settings.MemoryView),
  },
  forget: {
    method: 'DELETE',
    path: '/memory/:id',
    about: 'Forget a fix',
    answer: nothing,
  },
  getRules: {
    method: 'GET',
    path: '/rules',
    about: 'Rules that hold in a workspace',
    query: settings.WorkspaceQuery,
    answer: json(settings.RulesView),
  },
  replaceRules: {
    method: 'PUT',
    path: '/rules',
    about: "Replace the user's rules",
    body: settings.ReplaceRules,
    answer: json(settings.RulesView),
  },
  allowHere: {
    method: 'POST',
    path: '/rules/allow-here',
    about: 'Always allow, in this workspace, exactly what a run asks for',
    body: settings.AllowHere,
    answer: json(settings.AllowedHere),
  },
  removeRule: {
    method: 'DELETE',
    path: '/rules/:id',
    about: "Take a rule out of the user's file",
    answer: nothing,
  },
  getTrust: {
    method: 'GET',
    path: '/trust',
    about: 'Folders whose configuration is used',
    answer: json(settings.TrustView),
  },
  changeTrust: {
    method: 'POST',
    path: '/trust',
    about: 'Trust a folder, or take that back',
    body: settings.ChangeTrust,
    answer: json(settings.TrustView),
  },
  newAddress: {
    method: 'POST',
    path: '/addresses',
    about: 'Make an address that opens the page once',
    body: z.strictObject({}),
    answer: json(settings.NewAddress),
  },
  openApi: {
    method: 'GET',
    path: '/openapi.json',
    about: 'This description',
    answer: json(z.looseObject({ openapi: z.string() })),
  },
} as const satisfies Record<string, Route>;
export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a call of a route is given besides the parameters of its path. */
export type QueryOf<R extends Route> = R extends { query: z.ZodType } ? z.input<R['query']> : undefined;
export type BodyOf<R extends Route> = R extends { body: z.ZodType } ? z.input<R['body']> : undefined;
export type AnswerOf<R extends Route> = R['answer'] extends { json: infer S extends z.ZodType }
  ? z.output<S>
  : never;
