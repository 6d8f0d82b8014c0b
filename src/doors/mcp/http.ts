import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Asker } from '../app/asker.ts';
import type { McpDesk } from './desk.ts';
import { createServers } from './server.ts';

export interface McpHttp {
  /** Whoever calls has been let in; `body` is the JSON of a POST, read and bounded by the caller. */
  answer(request: Request, asker: Asker, body: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface Session {
  server: McpServer;
  transport: WebStandardStreamableHTTPServerTransport;
  who: string;
}

/** Clients that begin and never end: the one that was quiet for longest makes room. */
const mostSessions = 200;

/**
 * Today's protocol keeps nothing between two calls. Clients of before begin a session, in which they can be asked something;
 * it belongs to whoever began it, and ends with this process: they begin another.
 */
export function createMcpHttp(desk: McpDesk): McpHttp {
  const newServer = createServers(desk);
  const onerror = (error: Error) => desk.onError('/mcp', error);
  const modern = createMcpHandler(newServer, { legacy: 'reject', onerror });
  const sessions = new Map<string, Session>();
  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.server.close().catch(onerror);
  };

  async function begin(who: string): Promise<Session> {
    const server = newServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        sessions.set(id, { server, transport, who });
        const [oldest] = sessions.keys();
        if (sessions.size > mostSessions) await end(oldest!);
      },
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await server.connect(transport);
    return { server, transport, who };
  }

  /** The session that is named, moved to the end; a new one where none is; null where it is not theirs, or gone. */
  async function sessionOf(request: Request, who: string): Promise<Session | null> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return begin(who);
    const known = sessions.get(id);
    if (known === undefined || known.who !== who) return null;
    sessions.delete(id);
    sessions.set(id, known);
    return known;
  }

  return {
    async answer(request, asker, body) {
      const authInfo = authOf(asker);
      const parsed = body === undefined ? {} : { parsedBody: body };
      if (!(await isLegacyRequest(request, body))) return modern.fetch(request, { authInfo, ...parsed });
      const session = await sessionOf(request, authInfo.clientId);
      if (session === null) return gone();
      const answer = await session.transport.handleRequest(request, { authInfo, ...parsed });
      // One that began nothing is nobody's.
      if (session.transport.sessionId === undefined) await session.server.close().catch(onerror);
      return answer;
    },
    async close() {
      await modern.close();
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** Who it is, for handlers; the token itself goes no further. */
const authOf = (asker: Asker): AuthInfo => ({
  token: '',
  clientId: `${asker.actor.person} ${asker.actor.door}`,
  scopes: [asker.scope],
  extra: { asker },
});

const gone = (): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
    { status: 404 },
  );
