import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { secureHeaders } from 'hono/secure-headers';
import type { Asker } from '../../app/asker.ts';
import { HttpError } from './errors.ts';
import type { Access } from './token.ts';

export interface GuardOptions {
  isOurHost(header: string | null): boolean;
  access: Access;
}

export interface GuardedVariables {
  Variables: { asker: Asker };
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

/** By the token or by the cookie, with a reason either way; hono's `bearerAuth` knows the one and gives none. */
export const checkAccess =
  ({ access }: GuardOptions): MiddlewareHandler<GuardedVariables> =>
  async (context, next) => {
    const asker = access.asker(context.req.header('authorization'), getCookie(context, access.cookie.name));
    if (asker === null) {
      throw new HttpError(
        401,
        'no-access',
        'open the address that planwright serve printed, or send its token as Authorization: Bearer',
      );
    }
    context.set('asker', asker);
    await next();
  };

/** The token in an address is exchanged for a cookie, and leaves the address bar. */
export const exchangeToken =
  ({ access }: GuardOptions): MiddlewareHandler =>
  async (context, next) => {
    const url = new URL(context.req.url);
    const given = url.searchParams.get('token');
    if (context.req.method !== 'GET' || given === null) return next();
    if (!access.isToken(given)) {
      throw new HttpError(
        401,
        'no-access',
        'this token is not valid; planwright serve prints the right address',
      );
    }
    url.searchParams.delete('token');
    const { name, value, ...attributes } = access.cookie;
    setCookie(context, name, value, attributes);
    context.header('cache-control', 'no-store');
    // One slash: two would name another host.
    return context.redirect(`/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`, 302);
  };
