import { count } from '../../core/contract/index.ts';
import { createSecretFilter, secretValues } from '../../core/risk/secrets/index.ts';
import type { Mcp, McpConfig, McpServer } from '../../world/mcp/index.ts';
import { folderFiles, obeyed } from './agreed.ts';
import { readIfThere } from './files.ts';
import type { Env, Places } from './places.ts';
import { isTrusted } from './trust.ts';

/** The servers of each folder that is worked in, started when something of theirs is asked for, and ended together. */
export interface McpHouse {
  at(workspace: string): Promise<Mcp>;
  close(): Promise<void>;
}

/**
 * The person's own servers, and those that the folder names where it is trusted: as they were when a person agreed to
 * them, whatever has become of the files since. A folder cannot take the name of one of the person's own.
 */
export async function mcpConfigOf(places: Places, env: Env, workspace: string): Promise<McpConfig> {
  const { readMcpConfig } = await import('../../world/mcp/index.ts');
  const [, , , file] = folderFiles(workspace) as [string, string, string, string];
  const read = (text: string | null | undefined, from: string): McpConfig =>
    text == null ? { servers: [], problems: [] } : readMcpConfig(text, from, env);
  const own = read(obeyed(places, places.mcp).agreed, places.mcp);
  const theirs = isTrusted(places, workspace)
    ? read(obeyed(places, file, false).agreed, file)
    : { servers: [], problems: [] };
  const isAsAgreed = !isTrusted(places, workspace) || obeyed(places, file, false).isAsAgreed;
  const isTaken = (name: string) => own.servers.some((server) => server.name === name);
  return {
    servers: [...own.servers, ...theirs.servers.filter(({ name }) => !isTaken(name))],
    problems: [
      ...own.problems,
      ...theirs.problems,
      ...theirs.servers
        .filter(({ name }) => isTaken(name))
        .map(({ name }) => `${file}: ${name} is the name of a server of your own, which is used`),
      ...(isAsAgreed
        ? []
        : [
            `${file} has changed since the folder was trusted: what it was then holds until planwright trust`,
          ]),
    ],
  };
}

/** Each problem is told once, when it is met. What servers say of themselves may hold what they were given. */
export function createMcpHouse(places: Places, env: Env, announce?: (sentence: string) => void): McpHouse {
  const opened = new Map<string, Promise<Mcp>>();
  const told = new Set<string>();
  const { text: redact } = createSecretFilter({ values: secretValues(env) });
  const tell = (problems: readonly string[]): void => {
    for (const problem of problems.filter((each) => !told.has(each))) {
      told.add(problem);
      announce?.(`Tools of servers: ${redact(problem)}`);
    }
  };
  const open = async (workspace: string): Promise<Mcp> => {
    const [{ openMcp }, { servers, problems }] = await Promise.all([
      import('../../world/mcp/index.ts'),
      mcpConfigOf(places, env, workspace),
    ]);
    const mcp = openMcp({ servers, env, cwd: workspace, owner: '' });
    tell(problems);
    const telling = async <T>(work: Promise<T>): Promise<T> => {
      const done = await work;
      tell(mcp.problems());
      return done;
    };
    return {
      ...mcp,
      tools: () => telling(mcp.tools()),
      call: (name, args, how) => telling(mcp.call(name, args, how)),
    };
  };
  return {
    at(workspace) {
      const found = opened.get(workspace) ?? open(workspace);
      opened.set(workspace, found);
      return found;
    },
    async close() {
      const all = await Promise.all(opened.values());
      await Promise.all(all.map((mcp) => mcp.close()));
    },
  };
}

const named = (name: string): string => `\${${name}}`;
/** As a file has it: what stands for a value of the environment is shown by its name. */
const asWritten: Env = new Proxy({}, { get: (_, name) => named(String(name)) });

const inWords = (server: McpServer): string =>
  server.kind === 'http'
    ? `${server.name} (${server.url})`
    : `${server.name} (${[server.command, ...server.args].join(' ')})`;

/** What trusting a folder would start or call, a line each; problems of the file among them. */
export async function serversIn(folder: string): Promise<string[]> {
  const file = folderFiles(folder).at(-1)!;
  const text = readIfThere(file);
  if (text === null) return [];
  const { readMcpConfig } = await import('../../world/mcp/index.ts');
  const { servers, problems } = readMcpConfig(text, file, asWritten);
  return [...servers.map(inWords), ...problems];
}

/** Starts every server that a conversation in this folder would, and says how that went; null where there is none. */
export async function tryServers(
  places: Places,
  env: Env,
  workspace: string,
): Promise<{ ok: boolean; detail: string } | null> {
  const [{ openMcp }, { servers, problems }] = await Promise.all([
    import('../../world/mcp/index.ts'),
    mcpConfigOf(places, env, workspace),
  ]);
  if (servers.length + problems.length === 0) return null;
  const mcp = openMcp({ servers, env, cwd: workspace, owner: '' });
  try {
    const tools = await mcp.tools();
    const wrong = [...problems, ...mcp.problems()];
    const working = servers.map(({ name }) => {
      const offered = tools.filter(({ server }) => server === name).length;
      return offered === 0 ? [] : [`${name}: ${count(offered, 'tool')}`];
    });
    const { text: redact } = createSecretFilter({ values: secretValues(env) });
    return { ok: wrong.length === 0, detail: redact([...working.flat(), ...wrong].join('; ')) };
  } finally {
    await mcp.close();
  }
}
