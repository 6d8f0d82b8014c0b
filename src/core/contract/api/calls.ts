import { ApiError, ErrorBody } from './errors.ts';
import {
  type AnswerOf,
  type BodyOf,
  type QueryOf,
  type Route,
  type RouteName,
  type Routes,
  routes,
} from './routes.ts';

/** What is used of `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

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
    const path = routes[name].path.replace(/:(\w+)/g, (_, key: string) =>
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
      method: routes[name].method,
      headers: { ...authorization, ...content },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  };

  return {
    url,
    bytes,
    async call<N extends RouteName>(name: N, given: Given<Routes[N]>): Promise<AnswerOf<Routes[N]>> {
      return (await (await bytes(name, given)).json()) as AnswerOf<Routes[N]>;
    },
    /** Opens a stream of server-sent events after what was seen last. */
    async open(
      name: 'streamRun' | 'streamRows',
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
  const parsed = ErrorBody.safeParse(await answer.json().catch(() => null));
  if (parsed.success) return new ApiError(answer.status, parsed.data);
  const message = `the server answered ${answer.status} and gave no reason`;
  return new ApiError(answer.status, { error: { code: 'unknown', message } });
}
