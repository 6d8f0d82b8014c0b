import { constants } from 'node:fs';
import { access, open, opendir } from 'node:fs/promises';
import { release, type } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Shell } from '../../../core/contract/index.ts';
import { onlyLooks, runGit } from '../../../world/process/git.ts';
import type { WorkspaceReport } from './report.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What is looked at, at most: a planner needs a first glance, not an index. */
const MAX_SEEN = 2000;
const MAX_DEPTH = 3;
const MAX_GUIDES = 8;
const MAX_GUIDE_BYTES = 16_384;
const GIT_TIMEOUT_MS = 3000;

/** Folders whose contents say nothing about the goal. */
const PASSED_BY = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.cache',
  'target',
  'dist',
]);

/** Programs that plans are often made of. */
const TOOLS =
  'git node npm npx pnpm yarn python3 python pip pip3 uv docker docker-compose podman make cmake gcc g++ go cargo rustc java mvn gradle ruby php perl curl wget jq tar gzip zip unzip rsync ssh sqlite3 psql mysql redis-cli openssl systemctl kubectl helm terraform aws gh pwsh bwrap tmux'.split(
    ' ',
  );

/** Looks around in a workspace. Reads only, follows no link, is bounded whatever is there, and never throws. */
export async function lookAround(workspace: string, env: Env, shell: Shell): Promise<WorkspaceReport> {
  const [seen, git, tools] = await Promise.all([walk(workspace), gitState(workspace, env), toolsFound(env)]);
  const guides = await Promise.all(
    seen.guides.map(async (path) => ({ path, text: await begin(join(workspace, path)) })),
  );
  return {
    os: `${type()} ${release()}`,
    shell: shell === 'bash' ? 'bash' : 'PowerShell',
    entries: seen.entries,
    more: seen.more,
    git,
    guides: guides.filter(({ text }) => text !== ''),
    tools,
  };
}

interface Seen {
  entries: string[];
  more: boolean;
  guides: string[];
}

/** Breadth first, so that what is near is seen whatever is deep. */
async function walk(workspace: string): Promise<Seen> {
  const seen: Seen = { entries: [], more: false, guides: [] };
  let level = [''];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of level) {
      if (seen.entries.length >= MAX_SEEN) {
        seen.more = true;
        break;
      }
      below.push(...(await readFolder(workspace, folder, seen)));
    }
    level = below.sort();
  }
  seen.more ||= level.length > 0;
  seen.entries.sort();
  return seen;
}

async function readFolder(workspace: string, folder: string, seen: Seen): Promise<string[]> {
  const below: string[] = [];
  const names = new Set<string>();
  try {
    for await (const entry of await opendir(join(workspace, folder))) {
      if (seen.entries.length >= MAX_SEEN) {
        seen.more = true;
        break;
      }
      const path = join(folder, entry.name);
      names.add(entry.name);
      seen.entries.push(entry.isDirectory() ? `${path}/` : path);
      if (entry.isDirectory() && !PASSED_BY.has(entry.name)) below.push(path);
    }
  } catch {
    // A folder that cannot be read tells nothing.
  }
  const guide = ['AGENTS.md', 'CLAUDE.md'].find((name) => names.has(name));
  if (guide !== undefined && seen.guides.length < MAX_GUIDES) seen.guides.push(join(folder, guide));
  return below;
}

/** The beginning of a regular file; empty where there is none. A pipe is not opened, a link not followed. */
async function begin(path: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null) return '';
  try {
    if (!(await file.stat()).isFile()) return '';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_GUIDE_BYTES), 0, MAX_GUIDE_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).replaceAll('\u0000', '');
  } catch {
    return '';
  } finally {
    await file.close();
  }
}

async function gitState(cwd: string, env: Env): Promise<WorkspaceReport['git']> {
  const ask = async (...args: string[]): Promise<string | null> => {
    const limits = { timeoutMs: GIT_TIMEOUT_MS, maxBytes: 4 * 1024 * 1024 };
    const { code, stdout } = await runGit(args, { cwd, env, config: onlyLooks }, limits);
    return code === 0 ? stdout.toString() : null;
  };
  const [head, status, remotes] = await Promise.all([
    ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
    ask('status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=all'),
    ask('remote'),
  ]);
  if (status === null) return null;
  const lines = (text: string | null) => (text ?? '').split('\n').filter((line) => line !== '');
  return { branch: head?.trim() || null, changed: lines(status).length, remotes: lines(remotes) };
}

async function toolsFound(env: Env): Promise<string[]> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const isThere = async (name: string) => {
    for (const folder of folders) {
      const found = await access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (found) return true;
    }
    return false;
  };
  const there = await Promise.all(TOOLS.map(isThere));
  return TOOLS.filter((_, index) => there[index]);
}
