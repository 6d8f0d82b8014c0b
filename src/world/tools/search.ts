import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { isSecretFile } from '../../core/risk/index.ts';
import { helperEnvironment } from '../process/environment.ts';
import { locate, type Whereabouts } from '../workspace/index.ts';

export interface SearchQuery {
  pattern: string;
  path?: string | undefined;
  literal?: boolean | undefined;
}

export type FoundLines =
  /** `lines` as `path:line:text`, paths relative to the workspace. */
  { ok: true; lines: string[]; more: boolean; hidden: number } | { ok: false; message: string };

const MOST_LINES = 200;
const LONGEST_LINE = 300;
const TIMEOUT_MS = 20_000;
const MOST_BYTES = 4 * 1024 * 1024;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Lines that match below a folder of the workspace, by ripgrep or by grep: a program of its own can be ended, whatever the
 * pattern does to it. No configuration is read, no link followed, and what is known to be a secret is left out. Throws a
 * ConfinementError where the path leads out.
 */
export async function search(
  { pattern, path = '.', literal = false }: SearchQuery,
  where: Whereabouts,
  env: Env,
  signal: AbortSignal,
): Promise<FoundLines> {
  const place = locate(where, path, { follow: true });
  place.close();
  if (place.entry.kind === 'absent') return { ok: false, message: `there is nothing at ${path}` };
  const workspace = realpathSync(where.workspace);
  const program = programIn(env['PATH'] ?? '', workspace);
  if (program === null) return { ok: false, message: 'neither ripgrep nor grep is installed' };
  const target = relative(workspace, place.path) || '.';
  const ran = await run(
    program,
    argumentsOf(program, pattern, literal, `./${target}`),
    workspace,
    env,
    signal,
  );
  if (!ran.ok) return ran;
  const all = ran.text.split('\n').filter((line) => line !== '');
  const open = all.filter((line) => !isSecretFile(join(workspace, fileOf(line)), workspace));
  return {
    ok: true,
    lines: open.slice(0, MOST_LINES).map(shown),
    more: open.length > MOST_LINES || ran.cut,
    hidden: new Set(all.filter((line) => !open.includes(line)).map(fileOf)).size,
  };
}

/** Both end the name of the file by a zero byte: a name may hold a colon. */
const fileOf = (line: string): string => line.split('\0', 1)[0]!.replace(/^\.\//, '');

function shown(line: string): string {
  const text = `${fileOf(line)}:${line.slice(line.indexOf('\0') + 1)}`;
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text;
}

const argumentsOf = (program: string, pattern: string, literal: boolean, target: string): string[] =>
  program.endsWith('rg')
    ? [
        ...[
          '--no-config',
          '--no-heading',
          '--with-filename',
          '-n',
          '-0',
          '--color',
          'never',
          '--sort',
          'path',
        ],
        ...['--max-columns', '1000', ...(literal ? ['-F'] : []), '-e', pattern, '--', target],
      ]
    : [
        ...['-rnIHZ', '--exclude-dir=.git', '--exclude-dir=node_modules', '--color=never'],
        ...[literal ? '-F' : '-E', '-e', pattern, '--', target],
      ];

/** The first in the path that does not lie in the workspace: what is there was written by anybody. */
function programIn(path: string, workspace: string): string | null {
  for (const name of ['rg', 'grep']) {
    for (const folder of path.split(delimiter)) {
      if (!isAbsolute(folder)) continue;
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        const real = realpathSync(file);
        if (statSync(real).isFile() && !real.startsWith(`${workspace}/`) && !file.startsWith(`${workspace}/`))
          return file;
      } catch {
        // Not there.
      }
    }
  }
  return null;
}

type Ran = { ok: true; text: string; cut: boolean } | { ok: false; message: string };

const run = (file: string, args: string[], cwd: string, env: Env, signal: AbortSignal): Promise<Ran> =>
  new Promise((resolve) => {
    const { GREP_OPTIONS: _, ...rest } = env;
    const options = {
      cwd,
      signal,
      timeout: TIMEOUT_MS,
      maxBuffer: MOST_BYTES,
      killSignal: 'SIGKILL' as const,
      env: helperEnvironment({ ...rest, LC_ALL: 'C.UTF-8' }),
    };
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      const { code } = error ?? {};
      if (error === null || code === 1) resolve({ ok: true, text: stdout, cut: false });
      else if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        resolve({ ok: true, text: stdout.slice(0, stdout.lastIndexOf('\n')), cut: true });
      else if (signal.aborted) resolve({ ok: false, message: 'it was stopped' });
      else if (error.killed === true) resolve({ ok: false, message: 'it took longer than 20 seconds' });
      // Files that cannot be read are told of beside what was found.
      else if (stdout !== '') resolve({ ok: true, text: stdout, cut: false });
      else resolve({ ok: false, message: stderr.trim().split('\n')[0]?.slice(0, 200) || 'it failed' });
    });
    child.stdin?.end();
  });
