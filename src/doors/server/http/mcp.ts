import type { MiddlewareHandler } from 'hono';
import { limitedBy, ownerAt } from '../../app/asker.ts';
import type { McpHttp } from '../../mcp/index.ts';
import type { Desk } from '../routes/handler.ts';
import { readJson } from './body.ts';
import { HttpError } from './errors.ts';
import { type GuardedVariables, type GuardOptions, traceOf } from './guard.ts';

export interface McpRouteOptions extends GuardOptions {
  desk: Desk;
  version: string;
  url: string;
  onError(what: string, error: unknown): void;
}

/**
 * Clients of the Model Context Protocol. Each shows a token; a cookie is not asked for: a page is no client. What they need is
 * loaded when the first one comes.
 */
export function mcpRoute(options: McpRouteOptions): {
  answer: MiddlewareHandler<GuardedVariables>;
  close(): Promise<void>;
} {
  const { desk, version, url, access, dataFolder, onError } = options;
  let loading: Promise<McpHttp> | null = null;
  const load = async (): Promise<McpHttp> => {
    const { createMcpHttp } = await import('../../mcp/index.ts');
    const { app, env, drivers } = desk;
    // Every request says who it is: whoever did not, looks.
    const owner = { ...ownerAt('mcp'), scope: 'read' as const };
    return createMcpHttp({ app, env, drivers, version, owner, pageUrl: async () => url, onError });
  };
  return {
    async answer(context) {
      const socket = context.env?.incoming?.socket;
      const shown = await access.asker({
        header: (name) => context.req.header(name),
        cookie: undefined,
        address: socket?.remoteAddress,
      });
      if (shown === null) {
        const how = 'planwright token add NAME --role operator makes one';
        throw new HttpError(401, 'no-access', `send a token as Authorization: Bearer; ${how}`);
      }
      const asker = limitedBy(shown, traceOf(dataFolder, socket));
      const { raw } = context.req;
      const body = raw.method === 'POST' ? await readJson(raw) : undefined;
      loading ??= load();
      return (await loading).answer(raw, asker, body);
    },
    close: async () => (await loading)?.close(),
  };
}
