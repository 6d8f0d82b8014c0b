import { Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { roleOf, routes } from '../../core/contract/index.ts';
import type { Asker } from '../app/asker.ts';
import type { Meter } from '../app/metrics.ts';
import { metrics, readiness } from './health.ts';
import { answerFor, errorPage, errorResponse, HttpError } from './http/errors.ts';
import {
  checkAccess,
  checkHost,
  checkOrigin,
  exchangeToken,
  type GuardedVariables,
  type GuardOptions,
  safeHeaders,
  signOut,
} from './http/guard.ts';
import { describeApi } from './openapi.ts';
import { changeRoutes } from './routes/changes.ts';
import { chatRoutes } from './routes/chats.ts';
import { fleetRoutes } from './routes/fleet.ts';
import { guardedRoutes } from './routes/guarded.ts';
import { type Desk, type Handlers, register } from './routes/handler.ts';
import { mindRoutes } from './routes/mind.ts';
import { outputRoutes } from './routes/output.ts';
import { planRoutes } from './routes/plans.ts';
import { runRoutes } from './routes/runs.ts';
import { scheduleRoutes } from './routes/schedules.ts';
import { settingRoutes } from './routes/settings.ts';
import { streamRoutes } from './routes/streams.ts';
import { taskRoutes } from './routes/tasks.ts';
import { waitingRoutes } from './routes/waiting.ts';
import { serveWebFile } from './web-files.ts';

export interface HonoOptions extends GuardOptions {
  desk: Desk;
  version: string;
  url: string;
  instance: string;
  webFolder: string;
  meter?: Meter | undefined;
  onError(what: string, error: unknown): void;
  mcp: MiddlewareHandler<GuardedVariables>;
}

/**
 * What becomes of a request:
 *
 *   any ──▶ is it our name? ──▶ /healthz, /readyz
 *                          ├──▶ /metrics ──▶ of this machine, or somebody who may look?
 *                          ├──▶ /api/… ──▶ own origin? ──▶ token or cookie? ──▶ its route
 *                          ├──▶ /mcp ────▶ own origin? ──▶ token? ──▶ clients of the Model Context Protocol
 *                          └──▶ ?token=… ──▶ cookie, and back without it │ files of the web app
 */
export function createHono(options: HonoOptions): Hono<GuardedVariables> {
  const { desk, version, instance, webFolder, onError, mcp } = options;
  const hono = new Hono<GuardedVariables>();
  hono.use(safeHeaders);
  hono.use(checkHost(options));

  hono.get('/healthz', (context) =>
    context.json({ ok: true, version }, 200, { 'planwright-instance': instance }),
  );
  hono.get('/readyz', async (context) => {
    const checks = await readiness(desk);
    const ok = checks.every((check) => check.ok);
    return context.json({ ok, checks }, ok ? 200 : 503);
  });

  hono.get('/metrics', metrics(options, desk, version, options.meter));

  // Streams of events are let through as they are; files of the web app are compressed when it is built.
  hono.use('/api/*', compress());
  hono.use('/api/*', checkOrigin);
  hono.use('/api/*', checkAccess(options));
  hono.use(`/api${routes.signOut.path}`, signOut(options.access, desk.streams));
  register(hono, allHandlers(options), desk.app);
  hono.all('/api/*', (context) => {
    throw new HttpError(404, 'no-such-route', `there is no ${context.req.method} ${context.req.path}`);
  });

  hono.use('/mcp', checkOrigin);
  hono.all('/mcp', mcp);

  hono.use(exchangeToken(options));
  hono.get('*', (context) =>
    serveWebFile(webFolder, new URL(context.req.url).pathname, context.req.header('accept-encoding') ?? ''),
  );
  hono.notFound(() =>
    errorResponse(404, { error: { code: 'no-such-route', message: 'there is nothing here' } }),
  );
  hono.onError((error, context) => {
    const { status, body, isUnforeseen } = answerFor(error);
    if (isUnforeseen) onError(`${context.req.method} ${context.req.path}`, error);
    const isPage =
      !context.req.path.startsWith('/api/') && context.req.header('accept')?.includes('text/html');
    return isPage ? errorPage(status, body) : errorResponse(status, body);
  });
  return hono;
}

function allHandlers({ desk, version, access, url }: HonoOptions): Handlers {
  let described: Record<string, unknown> | null = null;
  // Everybody sees to their own page, whatever they may do there; what a run started has none.
  const mustBeOwn = (asker: Asker, asked: string) =>
    desk.app.streams.admit(asker, asker.from === undefined ? 'read' : 'decide', asked);
  return {
    ...streamRoutes(desk),
    ...chatRoutes(desk),
    ...taskRoutes(desk),
    ...scheduleRoutes(desk),
    ...fleetRoutes(desk),
    ...runRoutes(desk),
    ...outputRoutes(desk),
    ...waitingRoutes(desk),
    ...planRoutes(desk),
    ...settingRoutes(desk),
    ...changeRoutes(desk),
    ...guardedRoutes(desk),
    ...mindRoutes(desk),
    async newAddress({ asker }) {
      await mustBeOwn(asker, 'newAddress');
      return { address: `${url}/?token=${await access.newCode(asker, 10)}` };
    },
    whoAmI: ({ asker: { actor, scope } }) => ({ person: actor.person, scope, role: roleOf(scope) }),
    async signOut({ asker }) {
      await mustBeOwn(asker, 'signOut');
      return {};
    },
    openApi: () => (described ??= describeApi(version)) as { openapi: string },
  };
}
