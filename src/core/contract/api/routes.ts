import { z } from 'zod';
import type { Scope } from '../stream/actor.ts';
import * as plans from './plans.ts';
import * as runs from './runs.ts';
import * as settings from './settings.ts';
import * as work from './work.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under `/api`; `:name` is a parameter. */
  path: string;
  about: string;
  /** What whoever calls it must be allowed; a request of a stream says more of itself. */
  scope: Scope;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a success answers: data, bytes, or server-sent events whose `data` is of the schema. */
  answer: { json: z.ZodType } | { bytes: true } | { events: z.ZodType };
}

const route =
  <const M extends Route['method']>(method: M, scope: Scope) =>
  <const P extends string, A extends Route['answer'], G extends Pick<Route, 'query' | 'body'> = object>(
    path: P,
    about: string,
    answer: A,
    given?: G,
  ) =>
    ({ method, path, about, scope, answer, ...given }) as {
      method: M;
      path: P;
      about: string;
      scope: Scope;
      answer: A;
    } & G;

const get = route('GET', 'read');
/** What is sent is looked at, and nothing else comes of it by itself. */
const tell = route('POST', 'read');
const ask = route('POST', 'ask');
const post = route('POST', 'decide');
const put = route('PUT', 'decide');
const del = route('DELETE', 'decide');
const json = <T extends z.ZodType>(schema: T) => ({ json: schema });
const bytes = { bytes: true } as const;
const nothing = json(z.strictObject({}));

/** Every route there is: the server serves these, the client calls these, openapi.json lists these. */
export const routes = {
  createRun: ask('/runs', 'Start a run from a goal, a plan or a runbook', json(runs.CreatedRun), {
    body: runs.CreateRun,
  }),
  listRuns: get('/runs', 'List runs, the newest first', json(runs.RunPage), { query: runs.RunsFilter }),
  getRun: get(
    '/runs/:id',
    'One run, folded, with the sequence number it is folded up to',
    json(runs.RunView),
  ),
  askOfRun: tell(
    '/runs/:id/requests',
    'Ask something of a run: cancel, pause, resume, mode, edit, skip, retry, decide, answer',
    json(runs.Asked),
    { body: runs.AskOfRun },
  ),
  forkRun: ask('/runs/:id/fork', 'Make a new run that begins at a step of this one', json(runs.CreatedRun), {
    body: runs.Fork,
  }),
  repeatRun: ask('/runs/:id/again', 'Make a new run of the same plan', json(runs.CreatedRun), {
    body: runs.Again,
  }),
  planFile: get(
    '/runs/:id/plan-file',
    'The plan as a file; where planning failed, the best draft with its problems marked',
    json(plans.PlanFile),
  ),
  turnOfRun: get(
    '/runs/:id/turn',
    'The run whose end this one waits for, because it has the folder',
    json(runs.TurnOfRun),
  ),
  relatedRuns: get(
    '/runs/:id/related',
    'The run that this one comes from, and those that came of it',
    json(runs.RelatedRuns),
  ),
  previewRun: get(
    '/runs/:id/preview',
    'Every step judged as things are now, for agreeing on the plan',
    json(runs.Preview),
  ),
  adviseRun: get(
    '/runs/:id/advice',
    'What a brain would do about the step that failed, for a person to take or leave',
    json(work.AdviceView),
  ),
  getEvents: get('/runs/:id/events', 'Events of a run after a sequence number', json(runs.EventPage), {
    query: runs.EventsQuery,
  }),
  streamRun: get(
    '/runs/:id/stream',
    'Events of a run as they are written, from any sequence number on (Last-Event-ID)',
    { events: runs.NumberedEvent },
    { query: runs.RunStreamQuery },
  ),
  streamRows: get(
    '/stream',
    'Rows of the listing as they change, over all runs',
    { events: runs.RowChange },
    { query: runs.RowsQuery },
  ),
  listStreams: get('/streams', 'List streams of every kind, the newest first', json(runs.StreamPage), {
    query: runs.StreamsFilter,
  }),
  getStream: get(
    '/streams/:id',
    'One stream of any kind, folded, with the sequence number it is folded up to',
    json(runs.StreamView),
  ),
  getStreamEvents: get(
    '/streams/:id/events',
    'Events of a stream after a sequence number',
    json(runs.AnyEventPage),
    { query: runs.EventsQuery },
  ),
  followStream: get(
    '/streams/:id/stream',
    'Events of a stream as they are written, from any sequence number on (Last-Event-ID)',
    { events: runs.NumberedAnyEvent },
    { query: runs.FollowQuery },
  ),
  askOfStream: tell(
    '/streams/:id/requests',
    'Ask something of a stream: what its kind calls a request',
    json(runs.Asked),
    { body: runs.AskOfStream },
  ),
  readOutput: get(
    '/runs/:id/steps/:stepId/attempts/:attempt/output',
    'Output of one attempt: bytes from an offset on, or all of it as a download',
    bytes,
    { query: work.OutputQuery },
  ),
  readCallText: get(
    '/runs/:id/calls/:callId/output',
    'What a model says, as it says it: bytes from an offset on, or all of it as a download',
    bytes,
    { query: work.OutputQuery },
  ),
  diffRun: get(
    '/runs/:id/diff',
    'What a run, or one step of it, changed in the workspace',
    json(work.DiffView),
    { query: work.DiffQuery },
  ),
  undoRun: ask(
    '/runs/:id/undo',
    'Restore what a run changed, except where somebody has changed it since',
    json(work.UndoView),
    { body: work.Undo },
  ),
  waiting: get('/waiting', 'What waits for a person, over all runs', json(runs.Waiting)),
  listServices: get(
    '/services',
    'Services that runs have started and nobody has ended; one is stopped by a request to its run',
    json(work.Services),
    { query: work.ServicesQuery },
  ),
  search: get('/search', 'Find runs by goal, titles and actions of steps, or id', json(runs.SearchHits), {
    query: runs.SearchQuery,
  }),
  validatePlan: tell(
    '/plans/validate',
    'Read and check the text of a plan or runbook',
    json(plans.Validated),
    { body: plans.ValidatePlan },
  ),
  typedFolder: get(
    '/folders',
    'Which folder a typed path is, and how it may go on',
    json(plans.TypedFolder),
    {
      query: plans.FolderQuery,
    },
  ),
  listTemplates: get('/templates', 'Plans that come with the program', json(plans.TemplateList)),
  printActions: tell('/plans/print', 'Actions as the lines of a plan file', json(plans.PrintedActions), {
    body: plans.PrintActions,
  }),
  parseAction: tell('/plans/parse-action', 'One line of a plan file as an action', json(plans.ParsedLine), {
    body: plans.ParseAction,
  }),
  explainRisk: tell(
    '/risk/explain',
    'Say how risky a command is, why, and what it does',
    json(plans.Explained),
    { body: plans.ExplainRisk },
  ),
  getConfig: get('/config', 'Every setting and where its value comes from', json(settings.ConfigView), {
    query: settings.WorkspaceQuery,
  }),
  changeConfig: put('/config', "Change settings in the user's file", json(settings.ConfigView), {
    body: settings.ChangeConfig,
  }),
  getModels: get('/models', 'Which models would answer, by role', json(settings.ModelsView)),
  setModelKey: put('/models/key', 'Keep the key of a provider, or forget it', nothing, {
    body: settings.ModelKey,
  }),
  testModel: post('/models/test', 'Ask a model for one word', json(settings.TestedModel), {
    body: settings.TestModel,
  }),
  getMemory: get('/memory', 'Fixes that are remembered', json(settings.MemoryView), {
    query: settings.WorkspaceQuery,
  }),
  forget: del('/memory/:id', 'Forget a fix', nothing),
  getRules: get('/rules', 'Rules that hold in a workspace', json(settings.RulesView), {
    query: settings.WorkspaceQuery,
  }),
  replaceRules: put('/rules', "Replace the user's rules", json(settings.RulesView), {
    body: settings.ReplaceRules,
  }),
  allowHere: post(
    '/rules/allow-here',
    'Always allow, in this workspace, exactly what a run asks for',
    json(settings.AllowedHere),
    { body: settings.AllowHere },
  ),
  removeRule: del('/rules/:id', "Take a rule out of the user's file", nothing),
  getTrust: get('/trust', 'Folders whose configuration is used', json(settings.TrustView)),
  changeTrust: post('/trust', 'Trust a folder, or take that back', json(settings.TrustView), {
    body: settings.ChangeTrust,
  }),
  newAddress: post('/addresses', 'Make an address that opens the page once', json(settings.NewAddress), {
    body: z.strictObject({}),
  }),
  openApi: get('/openapi.json', 'This description', json(z.looseObject({ openapi: z.string() }))),
} satisfies Record<string, Route>;
export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** What a call of a route is given besides the parameters of its path. */
export type QueryOf<R extends Route> = R extends { query: z.ZodType } ? z.input<R['query']> : undefined;
export type BodyOf<R extends Route> = R extends { body: z.ZodType } ? z.input<R['body']> : undefined;
export type AnswerOf<R extends Route> = R['answer'] extends { json: infer S extends z.ZodType }
  ? z.output<S>
  : never;
