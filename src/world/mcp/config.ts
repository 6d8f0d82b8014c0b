import { z } from 'zod';

/**
 * Servers as other tools write them down: `.mcp.json` of a folder, or a file of the person's own.
 *
 *   { "mcpServers": { "name": { "command": "…", "args": […], "env": {…} } | { "type": "http", "url": "…", "headers": {…} } } }
 */
export type McpServer =
  | {
      readonly kind: 'stdio';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string | null;
    }
  | {
      readonly kind: 'http';
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

export interface McpConfig {
  servers: McpServer[];
  /** What could not be read, for a person; the others are there all the same. */
  problems: string[];
}

type Env = Readonly<Record<string, string | undefined>>;

const texts = z.record(z.string(), z.string());
const Stdio = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: texts.default({}),
  cwd: z.string().optional(),
  disabled: z.boolean().optional(),
});
const Http = z.looseObject({
  type: z.enum(['http', 'streamable-http', 'streamableHttp']).optional(),
  url: z.url({ protocol: /^https?$/ }),
  headers: texts.default({}),
  disabled: z.boolean().optional(),
});

/** A name that can stand before a tool's, for every provider of models. */
const SERVER_NAME = /^[A-Za-z0-9_-]{1,40}$/;
const MOST_SERVERS = 50;

/** Reads such a file. `file` is what problems call it. Never throws. */
export function readMcpConfig(text: string, file: string, env: Env): McpConfig {
  const problems: string[] = [];
  const servers: McpServer[] = [];
  for (const [name, entry] of Object.entries(entriesIn(text, file, problems)).slice(0, MOST_SERVERS)) {
    const server = SERVER_NAME.test(name) && !name.includes('__') ? readServer(name, entry, env) : BAD_NAME;
    if (typeof server === 'string') problems.push(`${file}: ${JSON.stringify(name)}: ${server}`);
    else if (server !== null) servers.push(server);
  }
  return { servers, problems };
}

const BAD_NAME = 'a name has letters, digits, - and single _ only';

function entriesIn(text: string, file: string, problems: string[]): Record<string, unknown> {
  const shape = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()) });
  try {
    const read = shape.safeParse(JSON.parse(text));
    if (read.success) return read.data.mcpServers;
    problems.push(`${file} has no map "mcpServers"`);
  } catch {
    problems.push(`${file} is no JSON`);
  }
  return {};
}

/** Null where it is switched off; a text: what is wrong with it. */
function readServer(name: string, entry: unknown, env: Env): McpServer | string | null {
  const kind = z.looseObject({ type: z.string().optional(), url: z.unknown().optional() }).safeParse(entry);
  if (!kind.success) return 'it is no map';
  if (kind.data.type === 'sse')
    return 'the old transport "sse" is not spoken: use its streamable HTTP address';
  const isHttp = kind.data.url !== undefined;
  const read = isHttp ? Http.safeParse(filled(entry, env)) : Stdio.safeParse(filled(entry, env));
  if (!read.success) {
    const issue = read.error.issues[0];
    return `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'does not fit'}`;
  }
  if (read.data.disabled === true) return null;
  const missing = missingIn(entry, env);
  if (missing !== null) return `the variable ${missing} is not set`;
  if ('url' in read.data) {
    const { url, headers } = read.data as z.infer<typeof Http>;
    return { kind: 'http', name, url, headers };
  }
  const { command, args, env: given, cwd = null } = read.data as z.infer<typeof Stdio>;
  return { kind: 'stdio', name, command, args, env: given, cwd };
}

const VARIABLE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** `${NAME}` and `${NAME:-otherwise}` in every text, as the environment has them. */
function filled(value: unknown, env: Env): unknown {
  if (typeof value === 'string')
    return value.replace(VARIABLE, (_, name: string, otherwise?: string) => env[name] ?? otherwise ?? '');
  if (Array.isArray(value)) return value.map((one) => filled(one, env));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, env)]));
}

function missingIn(value: unknown, env: Env): string | null {
  for (const [, name, otherwise] of JSON.stringify(value).matchAll(VARIABLE))
    if (env[name!] === undefined && otherwise === undefined) return name!;
  return null;
}
