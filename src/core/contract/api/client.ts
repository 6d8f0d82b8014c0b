import type { Mode } from '../plan.ts';
import type { RequestBody } from '../requests.ts';
import { type PlanEvent, withWholePlans } from '../run/whole-plan.ts';
import { type Calls, createCalls, type Fetch } from './calls.ts';
import type { NumberedAnyEvent, NumberedEvent, RowChange } from './runs.ts';
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

/** Everything that can be done over HTTP. Methods reject with an ApiError whose message is for a person. */
export interface Client extends Calls {
  /** The answer is a fact in the run's journal: `events` with `answers` equal to this `seq`. */
  request(id: string, request: RequestBody, key?: string): ReturnType<Calls['askOfRun']>;
  /** Every event after `after`, in order, none twice, none left out, over reconnects; until the signal aborts. */
  watchRun(id: string, options?: WatchRunOptions): AsyncIterable<NumberedEvent>;
  /** The same for a stream of any kind. */
  watchStream(id: string, options?: StreamOptions & { after?: number }): AsyncIterable<NumberedAnyEvent>;
  /** Rows as they change; from now on, or after the cursor of a change. */
  watchRows(options?: StreamOptions & { after?: string }): AsyncIterable<RowChange>;
  output(
    id: string,
    stepId: string,
    attempt: number,
    query?: OutputQuery,
    options?: { signal?: AbortSignal },
  ): Promise<OutputPart>;
  /** What a coding agent said in one attempt of its run; the first is 1. */
  agentOutput(
    run: string,
    attempt: number,
    query?: OutputQuery,
    options?: { signal?: AbortSignal },
  ): Promise<OutputPart>;
  agentOutputUrl(run: string, attempt: number): string;
  /** What the model of one call (`model-call-started`) says; empty for a call that said nothing yet. */
  callText(id: string, callId: string, query?: OutputQuery): Promise<OutputPart>;
  /** Where a browser downloads the whole output. */
  outputUrl(id: string, stepId: string, attempt: number): string;
  /**
   * `plan:execute`: agrees on the plan of a run, or goes on with one that rests, in this mode. Dangerous steps are
   * asked about one by one.
   */
  executePlan(planId: string, mode?: Mode): Promise<void>;
  /** `plan:events`: as `watchRun`, and events that change the plan carry the whole of it. */
  planEvents(runId: string, options?: StreamOptions & { after?: number }): AsyncIterable<PlanEvent>;
}

export function createClient(options: ClientOptions): Client {
  const { calls, bytes, open, url } = createCalls(options);
  const { pause = pauseFor } = options;
  const outputParams = (id: string, stepId: string, attempt: number) => ({
    id,
    stepId,
    attempt: `${attempt}`,
  });
  const request: Client['request'] = (id, body, key) =>
    calls.askOfRun(id, { request: body, ...(key === undefined ? {} : { key }) });

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
    ...calls,
    request,
    watchRun,
    async *watchStream(id, { after = 0, ...rest } = {}) {
      const ports = {
        open: (from: string | null, signal: AbortSignal) => open('followStream', { id }, from, signal),
        pause,
      };
      for await (const { event, data } of readForEver(ports, `${after}`, rest))
        if (event === 'message') yield JSON.parse(data) as NumberedAnyEvent;
    },
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
    agentOutput: async (run, attempt, query = {}, options = {}) =>
      partOf(
        await bytes('readAgentOutput', { params: { id: run, attempt: `${attempt}` }, query, ...options }),
      ),
    agentOutputUrl: (run, attempt) =>
      url('readAgentOutput', { params: { id: run, attempt: `${attempt}` }, query: { download: '1' } }),
    callText: async (id, callId, query = {}) =>
      partOf(await bytes('readCallText', { params: { id, callId }, query })),
    outputUrl: (id, stepId, attempt) =>
      url('readOutput', { params: outputParams(id, stepId, attempt), query: { download: '1' } }),
    async executePlan(planId, mode) {
      const { state } = await calls.getRun(planId);
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
    const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    if (over.aborted) resolve();
    else over.addEventListener('abort', () => resolve());
  });

async function partOf(answer: Response): Promise<OutputPart> {
  const header = (name: keyof typeof outputHeaders) => answer.headers.get(outputHeaders[name]);
  return {
    bytes: new Uint8Array(await answer.arrayBuffer()),
    next: Number(header('next')),
    size: Number(header('size')),
    ended: header('ended') === 'true',
    noted: Number(header('noted')),
  };
}
