import type { MiddlewareHandler } from 'hono';
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
 * Style attributes and style elements are made by the terminal and the editor as they run, so those must be let
 * through; nothing that could run is.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const always: Record<string, string> = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** On every answer, refusals too. */
export const safeHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  for (const [name, value] of Object.entries(always)) context.res.headers.set(name, value);
};

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
 * browser. A program sends neither.
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

export const checkAccess =
  ({ access }: GuardOptions): MiddlewareHandler<GuardedVariables> =>
  async (context, next) => {
    const asker = access.asker(context.req.raw.headers);
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
    context.header('set-cookie', access.setCookie);
    context.header('cache-control', 'no-store');
    // One slash: two would name another host.
    return context.redirect(`/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`, 302);
  };
