import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import { routes, type StartedBy } from '../../../core/contract/index.ts';
import { type Asker, callerFrom, isOwnServe, limitedBy, mustAllow, ownerAt } from '../../app/asker.ts';
import type { Access } from './access.ts';
import { HttpError } from './errors.ts';

export interface GuardOptions {
  isOurHost(header: string | null): boolean;
  access: Access;
  /** Where what runs have started is noted. */
  dataFolder: string;
}

export interface GuardedVariables {
  Variables: { asker: Asker };
  /** As the adapter gives it; absent where a request came by no connection. */
  Bindings: { incoming?: IncomingMessage };
}

/**
 * On every answer, refusals too. Style attributes and style elements are made by the terminal and the editor as they run,
 * so those must be let through; nothing that could run is. The connection is not encrypted: nothing is said about that.
 */
export const safeHeaders = secureHeaders({
  strictTransportSecurity: false,
  xFrameOptions: 'DENY',
  permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    workerSrc: ["'self'"],
    manifestSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** Nothing is answered to a name that is not ours. */
export const checkHost =
  ({ isOurHost }: GuardOptions): MiddlewareHandler =>
  async (context, next) => {
    if (!isOurHost(context.req.header('host') ?? null)) {
      throw new HttpError(
        421,
        'wrong-host',
        'this name is not served here; planwright serve --allowed-host NAME lets one in',
      );
    }
    await next();
  };

/**
 * Pages of others are refused before anybody asks who sent them: `Sec-Fetch-Site` and `Origin` are written by the
 * browser. A program sends neither. hono's `csrf` looks at forms that are posted, and lets by what passes one of both:
 * a foreign page could read streams and send JSON.
 */
export const checkOrigin: MiddlewareHandler = async (context, next) => {
  const site = context.req.header('sec-fetch-site');
  const origin = context.req.header('origin');
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeignSite || (origin !== undefined && !isOwnOrigin(origin, context.req.header('host')))) {
    throw new HttpError(403, 'foreign-origin', 'another site may not call this server');
  }
  await next();
};

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}

const traced = new WeakMap<Socket, StartedBy | null>();

/**
 * What of Planwright the caller comes from, looked for once a connection. Throws where nobody is there any more: what
 * cannot be traced is not to decide.
 */
export function traceOf(dataFolder: string, socket: Socket | undefined): StartedBy | null {
  if (socket === undefined) return null;
  const before = traced.get(socket);
  if (before !== undefined) return before;
  const from = callerFrom(dataFolder, socket);
  if (from === 'gone') throw new HttpError(403, 'not-allowed', 'whoever asked this has hung up');
  traced.set(socket, from);
  return from;
}

/** Who calls, as far as they show it; null where they do not. */
export const askerIn = (access: Access, context: HonoContext<GuardedVariables>): Promise<Asker | null> =>
  access.asker({
    header: (name) => context.req.header(name),
    cookie: getCookie(context, access.cookieName),
    address: context.env?.incoming?.socket.remoteAddress,
  });

/**
 * By a token, the cookie or the proxy, with a reason either way; hono's `bearerAuth` knows the one and gives none. Whoever does
 * more than look is traced to their process: what a run started may look, whatever it has got hold of. A second `serve` of
 * the same user has neither token nor cookie, and gets an address that opens the page.
 */
export const checkAccess =
  ({ access, dataFolder }: GuardOptions): MiddlewareHandler<GuardedVariables> =>
  async (context, next) => {
    const socket = context.env?.incoming?.socket;
    const { method, path } = context.req;
    const shown = await askerIn(access, context);
    const isAddress = method === 'POST' && path === `/api${routes.newAddress.path}`;
    const asker =
      shown ?? (isAddress && socket && isOwnServe(dataFolder, socket) ? ownerAt('terminal') : null);
    if (asker === null) {
      throw new HttpError(
        401,
        'no-access',
        'open the address that planwright serve prints, or send a token as Authorization: Bearer',
      );
    }
    const looks = method === 'GET' || method === 'HEAD';
    context.set('asker', looks ? asker : limitedBy(asker, traceOf(dataFolder, socket)));
    await next();
  };

/** Whoever signs out leaves the cookie behind, and what was opened by it. Others come back to their streams by themselves. */
export const signOut =
  (access: Access, streams: { renew(): void }): MiddlewareHandler<GuardedVariables> =>
  async (context, next) => {
    await next();
    const cookie = getCookie(context, access.cookieName);
    if (context.res.status !== 200 || cookie === undefined) return;
    await access.leave(cookie);
    deleteCookie(context, access.cookieName, { path: '/' });
    streams.renew();
  };

/** The code in an address is exchanged for a cookie, and leaves the address bar. Not for what a run started. */
export const exchangeToken =
  ({ access, dataFolder }: GuardOptions): MiddlewareHandler<GuardedVariables> =>
  async (context, next) => {
    const url = new URL(context.req.url);
    const given = url.searchParams.get('token');
    if (context.req.method !== 'GET' || given === null) return next();
    mustAllow(limitedBy(ownerAt('page'), traceOf(dataFolder, context.env?.incoming?.socket)), 'decide');
    const cookie = await access.exchange(given);
    if (cookie === null) {
      throw new HttpError(
        401,
        'no-access',
        'this address has been used, or is too old; planwright serve prints a new one',
      );
    }
    url.searchParams.delete('token');
    const { name, value, ...attributes } = cookie;
    setCookie(context, name, value, attributes);
    context.header('cache-control', 'no-store');
    // One slash: two would name another host.
    return context.redirect(`/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`, 302);
  };
