import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { App } from '../app/app.ts';
import { ownerAt } from '../app/asker.ts';
import { startDrivers } from '../app/drivers.ts';
import type { Meter } from '../app/metrics.ts';
import { hashGiven } from '../app/passes.ts';
import type { Env } from '../app/places.ts';
import { startReporting } from '../app/reporting.ts';
import { createHono } from './hono.ts';
import { createAccess } from './http/access.ts';
import { bracketed, createHostCheck } from './http/hosts.ts';
import { mcpRoute } from './http/mcp.ts';
import { createProxy, type ProxyRules } from './http/proxy.ts';
import { type Notice, putUp, takeDown } from './notice.ts';
import { endRevoked } from './streams/revoked.ts';
import { createStreams } from './streams/stream.ts';
import { createViews } from './views.ts';
import { findWebFolder } from './web-files.ts';

export interface ServerOptions {
  /** Belongs to the caller, who closes it after the server. */
  app: App;
  env: Env;
  host?: string;
  /** 0: any that is free. */
  port?: number;
  /** The owner's own, as programs send it; or `sha256:` and its hash. Others have theirs in the store. */
  token?: string | undefined;
  proxy?: ProxyRules | undefined;
  /** Counts what this process does, where the app was opened around it. */
  meter?: Meter | undefined;
  allowedHosts?: readonly string[];
  version: string;
  webFolder?: string;
  /** What nobody foresaw, for the terminal. */
  onError(what: string, error: unknown): void;
  heartbeatMs?: number;
  /** How long a connection may take to say what it wants. */
  headersTimeoutMs?: number;
  courtesyMs?: number;
  lookMs?: number;
}

export interface RunningServer {
  url: string;
  /** One that opens the page once, for so many minutes: a browser's command line, and a screen, can be seen by others. */
  addressOnce(minutes?: number, path?: string): Promise<string>;
  port: number;
  /** Runs that are driven here now. */
  active(): number;
  /** For measuring: open streams, and bytes handed to connections. */
  streams: { count(): number; handedOut(): number };
  /**
   * Streams end, runs rest at their next event boundary, connections close; resolves then. The next server goes on
   * with the runs.
   */
  close(): Promise<void>;
}

export type StartedServer = { ok: true; server: RunningServer } | { ok: false; other: Notice };

/** Starts to listen and to drive. Where another server works with this data folder already, that is the answer. */
export async function startServer(options: ServerOptions): Promise<StartedServer> {
  const { app, host = '127.0.0.1', port = 0, token, onError, heartbeatMs = 15_000 } = options;
  const proxy = options.proxy === undefined ? null : createProxy(options.proxy);
  const instance = randomBytes(12).toString('hex');
  const streams = createStreams({ heartbeatMs });
  const passes = await app.passes();
  const letIn = new Set<string>();
  const stopLooking = endRevoked(passes, letIn, streams, heartbeatMs);
  const drivers = startDrivers(app, {
    onError: (run, error) => onError(run === '' ? 'looking for runs' : `run ${run}`, error),
    ...(options.courtesyMs === undefined ? {} : { courtesyMs: options.courtesyMs }),
    ...(options.lookMs === undefined ? {} : { lookMs: options.lookMs }),
  });
  const reporting = startReporting(app, { as: 'server', version: options.version, active: drivers.active });
  let fetchHandler: Handle = () => new Response(null, { status: 503 });
  const http = listener((request, env) => fetchHandler(request, env), options.headersTimeoutMs ?? 10_000);
  let mcp: ReturnType<typeof mcpRoute> | null = null;
  const stop = async () => {
    stopLooking();
    streams.end();
    await mcp?.close();
    const closed = new Promise((resolve) => http.close(resolve));
    await drivers.stop();
    await reporting.stop();
    http.closeIdleConnections();
    const forced = setTimeout(() => http.closeAllConnections(), 1000);
    await closed;
    clearTimeout(forced);
  };
  try {
    const bound = await listen(http, host, port);
    const url = `http://${bracketed(host === '0.0.0.0' || host === '::' ? 'localhost' : host)}:${bound}`;
    const access = createAccess({
      tokenHash: token === undefined ? null : hashGiven(token),
      // A browser sends it to every port of a host: each store has its own, and every server of one store the same.
      cookieName: `planwright-${app.storeName()}`,
      passes,
      proxy,
      letIn,
    });
    const served = {
      desk: { app, env: options.env, views: createViews(app), streams, drivers },
      isOurHost: createHostCheck({ host, port: bound, allowed: options.allowedHosts ?? [] }),
      access,
      dataFolder: app.places.data,
      version: options.version,
      url,
      meter: options.meter,
      onError,
    };
    mcp = mcpRoute(served);
    const webFolder = options.webFolder ?? findWebFolder();
    const hono = createHono({ ...served, instance, webFolder, mcp: mcp.answer });
    fetchHandler = (request, env) => hono.fetch(request, env);
    const other = await putUp(app.places.data, { pid: process.pid, url, instance });
    if (other !== null) {
      await stop();
      return { ok: false, other };
    }
    const close = async () => {
      await stop();
      takeDown(app.places.data, instance);
    };
    const addressOnce = async (minutes?: number, path = '/') =>
      `${url}${path}?token=${await access.newCode(ownerAt('page'), minutes)}`;
    const server = { url, addressOnce, port: bound, active: drivers.active, streams, close };
    return { ok: true, server };
  } catch (error) {
    stopLooking();
    await drivers.stop();
    await reporting.stop();
    http.close();
    throw error;
  }
}

type Handle = (request: Request, env: object) => Response | Promise<Response>;

/** Connections that do not say what they want are closed; those that were answered and are idle, too. */
function listener(fetch: Handle, headersTimeout: number): Server {
  const server = createAdaptorServer({
    fetch,
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout,
      requestTimeout: headersTimeout * 3,
      keepAliveTimeout: 10_000,
      connectionsCheckingInterval: Math.min(1000, headersTimeout),
      maxHeaderSize: 16 * 1024,
    },
  }) as Server;
  server.maxConnections = 8000;
  return server;
}

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
