import type { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { ApiError, isErrorBody } from './errors.ts';
import type { AnswerOf, BodyOf, QueryOf, Route, RouteName, Routes } from './routes.ts';

/** What is used of `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** One text for each parameter of the path, in its order. */
type Params<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [string, ...Params<Rest>]
  : P extends `${string}:${string}`
    ? [string]
    : [];

/** Then the body, or the query, of a route that has one; it may be left out where nothing in it is needed. */
type Argument<T> = T extends undefined ? [] : Record<never, never> extends T ? [given?: T] : [given: T];
type Input<R extends Route> = R extends { body: z.ZodType } ? BodyOf<R> : QueryOf<R>;

/** Every route that answers data, by its name: `client.forkRun(id, { stepId })`. */
export type Calls = {
  [N in RouteName as Routes[N]['answer'] extends { json: z.ZodType } ? N : never]: (
    ...args: [...Params<Routes[N]['path']>, ...Argument<Input<Routes[N]>>]
  ) => Promise<AnswerOf<Routes[N]>>;
};

interface Given<R extends Route> {
  params?: Record<string, string>;
  query?: QueryOf<R>;
  body?: BodyOf<R>;
  signal?: AbortSignal;
}

export interface CallOptions {
  baseUrl: string;
  fetch: Fetch;
  token?: string;
}

/** Calls routes by name. Every failure is an ApiError. */
export function createCalls({ baseUrl, fetch, token }: CallOptions) {
  const base = baseUrl.replace(/\/+$/, '');
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };

  const url = <N extends RouteName>(name: N, { params = {}, query }: Given<Routes[N]>): string => {
    const path = endpoints[name][1].replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(params[key] ?? ''),
    );
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query ?? {}))
      if (value !== undefined) search.set(key, `${value}`);
    return `${base}/api${path}${search.size === 0 ? '' : `?${search}`}`;
  };

  const send = async (url: string, init: RequestInit): Promise<Response> => {
    let answer: Response;
    try {
      answer = await fetch(url, init);
    } catch (cause) {
      const message = 'the server does not answer: is planwright serve still running?';
      throw new ApiError(0, { error: { code: 'unreachable', message } }, cause);
    }
    if (!answer.ok) throw await errorOf(answer);
    return answer;
  };

  const bytes = <N extends RouteName>(name: N, given: Given<Routes[N]>): Promise<Response> => {
    const { body, signal } = given;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    return send(url(name, given), {
      method: endpoints[name][0],
      headers: { ...authorization, ...content },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };

  const callOf =
    (name: RouteName) =>
    async (...args: unknown[]): Promise<unknown> => {
      const [method, path] = endpoints[name];
      const names = [...path.matchAll(/:(\w+)/g)].map(([, param]) => param!);
      const params = Object.fromEntries(names.map((param, at) => [param, String(args[at])]));
      const given = args[names.length];
      const hasBody = method === 'POST' || method === 'PUT';
      const input = hasBody ? { body: given ?? {} } : { query: given };
      return (await bytes(name, { params, ...input } as Given<Routes[RouteName]>)).json();
    };
  const names = Object.keys(endpoints) as RouteName[];

  return {
    url,
    bytes,
    calls: Object.fromEntries(names.map((name) => [name, callOf(name)])) as Calls,
    /** Opens a stream of server-sent events after what was seen last. */
    async open(
      name: 'streamRun' | 'streamRows' | 'followStream',
      params: Record<string, string>,
      after: string | null,
      signal: AbortSignal,
      query: Record<string, string> = {},
    ): Promise<ReadableStream<Uint8Array>> {
      const last = after === null ? {} : { 'last-event-id': after };
      const headers = { ...authorization, ...last, accept: 'text/event-stream' };
      const { body } = await send(url(name, { params, query }), { headers, signal });
      if (body === null)
        throw new ApiError(502, { error: { code: 'no-stream', message: 'the stream is empty' } });
      return body as ReadableStream<Uint8Array>;
    },
  };
}

async function errorOf(answer: Response): Promise<ApiError> {
  const said: unknown = await answer.json().catch(() => null);
  if (isErrorBody(said)) return new ApiError(answer.status, said);
  const message = `the server answered ${answer.status} and gave no reason`;
  return new ApiError(answer.status, { error: { code: 'unknown', message } });
}
