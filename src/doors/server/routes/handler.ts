import type { Hono } from 'hono';
import type { z } from 'zod';
import { type Route, type RouteName, type Routes, routes } from '../../../core/contract/index.ts';
import type { App } from '../../app/app.ts';
import type { Asker } from '../../app/asker.ts';
import type { Drivers } from '../../app/drivers.ts';
import type { Env } from '../../app/places.ts';
import { readJson } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { GuardedVariables } from '../http/guard.ts';
import type { EventStreams } from '../streams/stream.ts';
import type { Views } from '../views.ts';

/** What every handler works with. */
export interface Desk {
  app: App;
  env: Env;
  views: Views;
  streams: EventStreams;
  drivers: Drivers;
}

/** A call that has been checked: parameters as they stand in the path, query and body as their schemas make them. */
export interface Call<R extends Route> {
  params: Record<string, string>;
  query: R extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
  body: R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
  /** Who calls, as the journal names them, and what they may do. */
  asker: Asker;
  request: Request;
}

type Answer<R extends Route> = R['answer'] extends { json: infer S extends z.ZodType }
  ? z.output<S>
  : Response;
export type Handler<R extends Route> = (call: Call<R>) => Promise<Answer<R>> | Answer<R>;
export type Handlers<N extends RouteName = RouteName> = { [K in N]: Handler<Routes[K]> };

/** Puts every route of the contract up; there are no others. */
export function register(hono: Hono<GuardedVariables>, handlers: Handlers, { streams }: App): void {
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    const handler = handlers[name] as unknown as (call: Call<Route>) => Promise<unknown>;
    hono.on(route.method, `/api${route.path}`, async (context) => {
      const isOfStream = /^\/(runs|streams|chats|tasks|projects|agent-runs|schedules|guarded)\/:id\b/.test(
        route.path,
      );
      const id = isOfStream ? context.req.param('id') : undefined;
      await streams.admit(context.get('asker'), route.scope, name, id);
      const answer = await handler({
        params: context.req.param(),
        query: route.query === undefined ? undefined : parse(route.query, context.req.query(), 'the query'),
        body:
          route.body === undefined
            ? undefined
            : parse(route.body, await readJson(context.req.raw, route.mostBytes), 'the body'),
        asker: context.get('asker'),
        request: context.req.raw,
      } as Call<Route>);
      return answer instanceof Response
        ? answer
        : context.json(answer as object, 200, { 'cache-control': 'no-store' });
    });
  }
}

export function parse<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = deepest(parsed.error.issues);
  throw new HttpError(
    400,
    'invalid',
    `${what} does not fit: ${issue.path.join('.') || 'all of it'}: ${issue.message}`,
  );
}

type Issue = z.core.$ZodIssue;

/** Of a union, the complaint of the member that came furthest. */
function deepest(
  issues: readonly Issue[],
  path: PropertyKey[] = [],
): { path: PropertyKey[]; message: string } {
  const issue = issues[0]!;
  const here = [...path, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0)
    return { path: here, message: issue.message };
  return issue.errors
    .filter((inner) => inner.length > 0)
    .map((inner) => deepest(inner, here))
    .reduce((best, next) => (next.path.length > best.path.length ? next : best));
}
