import type { Mode } from '../plan.ts';
import type { RequestBody } from '../requests.ts';
import { createCalls, type Fetch } from './calls.ts';
import { type PlanEvent, withWholePlans } from './plan-events.ts';
import type { AnswerOf, BodyOf, QueryOf, Routes } from './routes.ts';
import type { CreateRun, NumberedEvent, RowChange } from './runs.ts';
import { readForEver, type StreamOptions } from './stream.ts';
import { type OutputPart, type OutputQuery, outputHeaders } from './work.ts';

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:4747`, or an empty text for the page's own. */
  baseUrl: string;
  fetch: Fetch;
  /** Sent as `Authorization: Bearer`. A page has a cookie instead. */
  token?: string;
  /** How to wait before trying again. */
  pause?(ms: number, signal: AbortSignal): Promise<void>;
}

export interface WatchRunOptions extends StreamOptions {
  after?: number;
  /** Rows of all runs as they change, by the same connection; from now on, and again from now after a cut. */
  onRow?(change: RowChange): void;
}

type Answer<N extends keyof Routes> = Promise<AnswerOf<Routes[N]>>;
type Query<N extends keyof Routes> = QueryOf<Routes[N]>;
type Body<N extends keyof Routes> = BodyOf<Routes[N]>;

/** Everything that can be done over HTTP. Methods reject with an ApiError whose message is for a person. */
export interface Client {
  createRun(run: CreateRun): Answer<'createRun'>;
  listRuns(filter?: Query<'listRuns'> | Record<string, never>): Answer<'listRuns'>;
  getRun(id: string): Answer<'getRun'>;
  /** The answer is a fact in the run's journal: `events` with `answers` equal to this `seq`. */
  request(id: string, request: RequestBody, key?: string): Answer<'askOfRun'>;
  fork(id: string, stepId: string): Answer<'forkRun'>;
  preview(id: string): Answer<'previewRun'>;
  /** What a brain would do about the step that failed. It is done only by sending its `requests`. */
  advice(id: string): Answer<'adviseRun'>;
  events(id: string, after?: number, limit?: number): Answer<'getEvents'>;
  /** Every event after `after`, in order, none twice, none left out, over reconnects; until the signal aborts. */
  watchRun(id: string, options?: WatchRunOptions): AsyncIterable<NumberedEvent>;
  /** Rows as they change; from now on, or after the cursor of a change. */
  watchRows(options?: StreamOptions & { after?: string }): AsyncIterable<RowChange>;
  output(
    id: string,
    stepId: string,
    attempt: number,
    query?: OutputQuery,
    options?: { signal?: AbortSignal },
  ): Promise<OutputPart>;
  /** What the model of one call (`model-call-started`) says; empty for a call that said nothing yet. */
  callText(id: string, callId: string, query?: OutputQuery): Promise<OutputPart>;
  /** Where a browser downloads the whole output. */
  outputUrl(id: string, stepId: string, attempt: number): string;
  diff(id: string, step?: string): Answer<'diffRun'>;
  undo(id: string, what?: Body<'undoRun'>): Answer<'undoRun'>;
  waiting(): Answer<'waiting'>;
  search(q: string, limit?: number): Answer<'search'>;
  validatePlan(plan: Body<'validatePlan'>): Answer<'validatePlan'>;
  printActions(actions: Body<'printActions'>['actions']): Answer<'printActions'>;
  parseAction(line: string): Answer<'parseAction'>;
  explainRisk(what: Body<'explainRisk'>): Answer<'explainRisk'>;
  getConfig(workspace?: string): Answer<'getConfig'>;
  changeConfig(change: Body<'changeConfig'>): Answer<'changeConfig'>;
  getModels(): Answer<'getModels'>;
  testModel(which: Body<'testModel'>): Answer<'testModel'>;
  getMemory(workspace?: string): Answer<'getMemory'>;
  forget(id: string): Answer<'forget'>;
  getRules(workspace?: string): Answer<'getRules'>;
  replaceRules(text: string): Answer<'replaceRules'>;
  allowHere(run: string, approvalId: string): Answer<'allowHere'>;
  removeRule(id: string): Answer<'removeRule'>;
  getTrust(): Answer<'getTrust'>;
  changeTrust(folder: string, trusted: boolean): Answer<'changeTrust'>;
  /** An address that opens the page once. */
  newAddress(): Answer<'newAddress'>;
  /**
   * `plan:execute`: agrees on the plan of a run, or goes on with one that rests, in this mode. Dangerous steps are
   * asked about one by one.
   */
  executePlan(planId: string, mode?: Mode): Promise<void>;
  /** `plan:events`: as `watchRun`, and events that change the plan carry the whole of it. */
  planEvents(runId: string, options?: StreamOptions & { after?: number }): AsyncIterable<PlanEvent>;
}

export function createClient(options: ClientOptions): Client {
  const { call, bytes, open, url } = createCalls(options);
  const { pause = pauseFor } = options;
  const outputParams = (id: string, stepId: string, attempt: number) => ({
    id,
    stepId,
    attempt: `${attempt}`,
  });
  const request: Client['request'] = (id, body, key) =>
    call('askOfRun', { params: { id }, body: { request: body, ...(key === undefined ? {} : { key }) } });
  const inWorkspace = (workspace?: string) => ({ query: workspace === undefined ? {} : { workspace } });

  async function* watchRun(id: string, { after = 0, onRow, ...rest }: WatchRunOptions = {}) {
    const query: Record<string, string> = onRow === undefined ? {} : { rows: 'true' };
    const ports = {
      open: (from: string | null, signal: AbortSignal) => open('streamRun', { id }, from, signal, query),
      pause,
    };
    for await (const { event, data } of readForEver(ports, `${after}`, rest)) {
      if (event === 'row') onRow?.(JSON.parse(data) as RowChange);
      else yield JSON.parse(data) as NumberedEvent;
    }
  }

  return {
    createRun: (body) => call('createRun', { body }),
    listRuns: (query = {}) => call('listRuns', { query }),
    getRun: (id) => call('getRun', { params: { id } }),
    request,
    fork: (id, stepId) => call('forkRun', { params: { id }, body: { stepId } }),
    preview: (id) => call('previewRun', { params: { id } }),
    advice: (id) => call('adviseRun', { params: { id } }),
    events: (id, after = 0, limit = 1000) => call('getEvents', { params: { id }, query: { after, limit } }),
    watchRun,
    async *watchRows({ after, ...rest } = {}) {
      const ports = {
        open: (from: string | null, signal: AbortSignal) => open('streamRows', {}, from, signal),
        pause,
      };
      for await (const { event, data } of readForEver(ports, after ?? null, rest)) {
        if (event === 'message') yield JSON.parse(data) as RowChange;
      }
    },
    async output(id, stepId, attempt, query = {}, options = {}) {
      return partOf(
        await bytes('readOutput', { params: outputParams(id, stepId, attempt), query, ...options }),
      );
    },
    callText: async (id, callId, query = {}) =>
      partOf(await bytes('readCallText', { params: { id, callId }, query })),
    outputUrl: (id, stepId, attempt) =>
      url('readOutput', { params: outputParams(id, stepId, attempt), query: { download: '1' } }),
    diff: (id, step) => call('diffRun', { params: { id }, query: step === undefined ? {} : { step } }),
    undo: (id, body = {}) => call('undoRun', { params: { id }, body }),
    waiting: () => call('waiting', {}),
    search: (q, limit = 20) => call('search', { query: { q, limit } }),
    validatePlan: (body) => call('validatePlan', { body }),
    printActions: (actions) => call('printActions', { body: { actions } }),
    parseAction: (line) => call('parseAction', { body: { line } }),
    explainRisk: (body) => call('explainRisk', { body }),
    getConfig: (workspace) => call('getConfig', inWorkspace(workspace)),
    changeConfig: (body) => call('changeConfig', { body }),
    getModels: () => call('getModels', {}),
    testModel: (body) => call('testModel', { body }),
    getMemory: (workspace) => call('getMemory', inWorkspace(workspace)),
    forget: (id) => call('forget', { params: { id } }),
    getRules: (workspace) => call('getRules', inWorkspace(workspace)),
    replaceRules: (text) => call('replaceRules', { body: { text } }),
    allowHere: (run, approvalId) => call('allowHere', { body: { run, approvalId } }),
    removeRule: (id) => call('removeRule', { params: { id } }),
    getTrust: () => call('getTrust', {}),
    changeTrust: (folder, trusted) => call('changeTrust', { body: { folder, trusted } }),
    newAddress: () => call('newAddress', { body: {} }),
    async executePlan(planId, mode) {
      const { state } = await call('getRun', { params: { id: planId } });
      if (mode !== undefined && mode !== state.options?.mode) {
        await request(planId, { type: 'mode-requested', mode });
      }
      const revision = state.plan?.revision ?? 0;
      await request(
        planId,
        state.status === 'agreeing'
          ? { type: 'plan-decided', revision, decision: 'all' }
          : { type: 'resume-requested' },
      );
    },
    planEvents: (id, { after = 0, ...rest } = {}) => withWholePlans(id, watchRun(id, rest), after),
  };
}

/** Where nothing else is given; the one clock of the platform that is no global timer. */
const pauseFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    AbortSignal.any([signal, AbortSignal.timeout(ms)]).addEventListener('abort', () => resolve());
  });

async function partOf(answer: Response): Promise<OutputPart> {
  const header = (name: keyof typeof outputHeaders) => answer.headers.get(outputHeaders[name]);
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    next: Number(header('next')),
    size: Number(header('size')),
    ended: header('ended') === 'true',
  };
}
