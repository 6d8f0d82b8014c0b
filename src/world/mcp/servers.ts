import {
  Client,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { mcpName, readMcpName } from '../../core/contract/index.ts';
import type { McpServer } from './config.ts';
import { resultText } from './result.ts';
import { StdioTransport } from './stdio.ts';

/** A tool of a server, as a model is told of it: `name` is one word for both. */
export interface McpTool {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly means: string;
  /** A JSON schema, in the server's own words. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type McpCalled = { ok: boolean; text: string };

export interface Mcp {
  /** The tools of all servers that answer. What does not is in `problems`. Never rejects. */
  tools(): Promise<readonly McpTool[]>;
  /** Never rejects: what goes wrong is a result that says so. A call is never sent twice. */
  call(name: string, args: Readonly<Record<string, unknown>>, how: McpCall): Promise<McpCalled>;
  /** What a person should know of servers that do not answer, or say what is not so. */
  problems(): readonly string[];
  close(): Promise<void>;
}

export interface McpCall {
  /** What no server is told, and nobody here: arguments and results are searched for it. */
  redact(text: string): string;
  signal?: AbortSignal;
}

export interface McpOptions {
  servers: readonly McpServer[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The stream that they work for: their processes are marked by it. */
  owner: string;
  /** How long a server has to begin, and a call to come back. */
  startMs?: number;
  callMs?: number;
}

const START_MS = 20_000;
const CALL_MS = 120_000;
const MOST_TOOLS = 128;
const MOST_SCHEMA = 32 * 1024;
const MOST_MEANS = 2000;
/** As every provider takes it. */
const TOOL_NAME = /^[A-Za-z0-9_-]{1,60}$/;

/** Connects when it is first asked for something, and again once where a server has died. */
export function openMcp(options: McpOptions): Mcp {
  const connections = new Map(
    options.servers.map((server) => [server.name, createConnection(server, options)]),
  );
  const all = () => [...connections.values()];
  return {
    async tools() {
      const lists = await Promise.all(all().map((connection) => connection.tools()));
      return lists.flat();
    },
    async call(name, args, how) {
      const read = readMcpName(name);
      const connection = read === null ? undefined : connections.get(read.server);
      if (read === null || connection === undefined) return failed(`there is no tool ${name}`);
      return connection.call(read.tool, args, how);
    },
    problems: () => all().flatMap(({ problem }) => problem()),
    close: async () => void (await Promise.all(all().map((connection) => connection.close()))),
  };
}

/** What a stranger calls the form of its answers is not compiled: an answer is text to us. */
const unchecked: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

const failed = (text: string): McpCalled => ({ ok: false, text });

interface Connection {
  tools(): Promise<McpTool[]>;
  call(tool: string, args: Readonly<Record<string, unknown>>, how: McpCall): Promise<McpCalled>;
  problem(): string[];
  close(): Promise<void>;
}

interface Live {
  client: Client;
  tools: McpTool[];
  /** What it last said to its standard error. */
  said(): string;
}

/**
 *   idle ──asked──▶ starting ──▶ live ──died──▶ idle, once more ──died again──▶ given up
 *                      └──fails──▶ given up, and said
 */
function createConnection(server: McpServer, options: McpOptions): Connection {
  const { startMs = START_MS, callMs = CALL_MS } = options;
  let live: Promise<Live | null> | null = null;
  let starts = 0;
  let problem: string | null = null;
  let closed = false;

  async function begin(): Promise<Live | null> {
    starts += 1;
    const { transport, said } = transportTo(server, options);
    const client = new Client(
      { name: 'planwright', version: '1' },
      { capabilities: {}, jsonSchemaValidator: unchecked },
    );
    client.onclose = () => {
      if (!closed) live = null;
    };
    client.onerror = () => {};
    try {
      await client.connect(transport, { timeout: startMs });
      const tools = await listed(client, server.name, startMs);
      problem = null;
      return { client, tools, said };
    } catch (error) {
      await client.close().catch(() => undefined);
      await transport.close().catch(() => undefined);
      const more = said() === '' ? '' : ` (${lastLine(said())})`;
      problem = `${server.name} does not answer: ${sentence(error)}${more}`;
      return null;
    }
  }

  /** A server that did not begin, or died twice, is left alone: whoever asks is told so. */
  function connected(): Promise<Live | null> {
    if (closed) return Promise.resolve(null);
    if (live === null && starts > 1) {
      problem ??= `${server.name} has ended twice and is not started again`;
      return Promise.resolve(null);
    }
    live ??= begin();
    return live;
  }

  return {
    tools: async () => (await connected())?.tools ?? [],
    async call(tool, args, { redact, signal }) {
      const at = await connected();
      if (at === null) return failed(redact(problem ?? `${server.name} is closed`));
      if (!at.tools.some((known) => known.tool === tool)) return failed(`${server.name} has no tool ${tool}`);
      try {
        const safe = JSON.parse(redact(JSON.stringify(args))) as Record<string, unknown>;
        const result = await at.client.callTool(
          { name: tool, arguments: safe },
          { timeout: callMs, maxTotalTimeout: callMs, ...(signal === undefined ? {} : { signal }) },
        );
        return { ok: result.isError !== true, text: redact(resultText(result)) };
      } catch (error) {
        const more = at.said() === '' ? '' : ` (${lastLine(at.said())})`;
        return failed(redact(`${server.name}: ${tool} did not come back: ${sentence(error)}${more}`));
      }
    },
    problem: () => (problem === null ? [] : [problem]),
    async close() {
      closed = true;
      const at = await live?.catch(() => null);
      await at?.client.close().catch(() => undefined);
    },
  };
}

function transportTo(server: McpServer, { env, cwd, owner }: McpOptions) {
  if (server.kind === 'stdio') {
    const transport = new StdioTransport(server, { env, cwd, owner });
    return { transport, said: () => transport.said };
  }
  const { url, headers } = server;
  // Nothing that is sent along goes to another host.
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers }, redirect: 'error' },
  });
  return { transport, said: () => '' };
}

/** What it offers, as far as that can be offered to a model: names and schemas are a stranger's. */
async function listed(client: Client, server: string, timeout: number): Promise<McpTool[]> {
  const { tools } = await client.listTools(undefined, { timeout });
  const seen = new Set<string>();
  return tools.slice(0, MOST_TOOLS).flatMap(({ name, description = '', inputSchema }): McpTool[] => {
    const isFine =
      TOOL_NAME.test(name) && !seen.has(name) && JSON.stringify(inputSchema).length <= MOST_SCHEMA;
    seen.add(name);
    if (!isFine) return [];
    const parameters = inputSchema as Readonly<Record<string, unknown>>;
    return [
      {
        name: mcpName(server, name),
        server,
        tool: name,
        means: description.slice(0, MOST_MEANS),
        parameters,
      },
    ];
  });
}

const sentence = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 300);
const lastLine = (text: string): string => text.split('\n').at(-1)!.slice(0, 300);
