import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { answerFor, errorPage, errorResponse, HttpError } from './http/errors.ts';
import {
  checkAccess,
  checkHost,
  checkOrigin,
  exchangeToken,
  type GuardedVariables,
  type GuardOptions,
  safeHeaders,
} from './http/guard.ts';
import { describeApi } from './openapi.ts';
import { changeRoutes } from './routes/changes.ts';
import { type Desk, type Handlers, register } from './routes/handler.ts';
import { mindRoutes } from './routes/mind.ts';
import { outputRoutes } from './routes/output.ts';
import { planRoutes } from './routes/plans.ts';
import { runRoutes } from './routes/runs.ts';
import { settingRoutes } from './routes/settings.ts';
import { streamRoutes } from './routes/streams.ts';
import { waitingRoutes } from './routes/waiting.ts';
import { serveWebFile } from './web-files.ts';

export interface HonoOptions extends GuardOptions {
  desk: Desk;
  version: string;
  url: string;
  instance: string;
  webFolder: string;
  onError(what: string, error: unknown): void;
}

/**
 * What becomes of a request:
 *
 *   any ──▶ is it our name? ──▶ /healthz, /readyz
 *                          ├──▶ /api/… ──▶ own origin? ──▶ token or cookie? ──▶ its route
 *                          └──▶ ?token=… ──▶ cookie, and back without it │ files of the web app
 */
export function createHono(options: HonoOptions): Hono<GuardedVariables> {
  const { desk, version, instance, webFolder, onError } = options;
  const hono = new Hono<GuardedVariables>();
  hono.use(safeHeaders);
  hono.use(checkHost(options));

  hono.get('/healthz', (context) =>
    context.json({ ok: true, version }, 200, { 'planwright-instance': instance }),
  );
  hono.get('/readyz', async (context) => {
    const checks = [await storeCheck(desk)];
    const ok = checks.every((check) => check.ok);
    return context.json({ ok, checks }, ok ? 200 : 503);
  });

  // Streams of events are let through as they are; files of the web app are compressed when it is built.
  hono.use('/api/*', compress());
  hono.use('/api/*', checkOrigin);
  hono.use('/api/*', checkAccess(options));
  register(hono, allHandlers(options), desk.app);
  hono.all('/api/*', (context) => {
    throw new HttpError(404, 'no-such-route', `there is no ${context.req.method} ${context.req.path}`);
  });

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
  return {
    ...streamRoutes(desk),
    ...runRoutes(desk),
    ...outputRoutes(desk),
    ...waitingRoutes(desk),
    ...planRoutes(desk),
    ...settingRoutes(desk),
    ...changeRoutes(desk),
    ...mindRoutes(desk),
    newAddress: () => ({ address: `${url}/?token=${access.newCode(10)}` }),
    openApi: () => (described ??= describeApi(version)) as { openapi: string },
  };
}

async function storeCheck({ app }: Desk) {
  try {
    await app.streams.cursor();
    return { name: 'store', ok: true, detail: 'answers' };
  } catch (error) {
    return { name: 'store', ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
