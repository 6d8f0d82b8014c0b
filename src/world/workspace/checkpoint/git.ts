import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawnGit } from '../../process/git.ts';
import { CheckpointError, codeOf } from './errors.ts';

/** How git is started for one workspace. */
export interface GitPlace {
  /** The private repository. */
  gitDir: string;
  /** The folder that paths are relative to. */
  top: string;
  /** `info/exclude` of the user's repository, or null. */
  exclude: string | null;
  /** Ends what is being done. */
  signal?: AbortSignal | undefined;
}

export interface GitOptions {
  input?: Buffer | string;
  /** Another index than the repository's own. */
  index?: string;
  /** Settings for this call, `key=value`. */
  config?: string[];
  /** Where new objects go, unsynced, instead of the repository's own store. */
  quarantine?: string;
  /** Another store to read from. */
  alternate?: string;
  /** For a command that knows no literal pathspecs. */
  magic?: boolean;
  /** Exit codes that are answers and not failures; 0 always is. */
  allow?: number[];
}

/**
 * Nothing of the user's reaches git: no variables, no configuration, no hooks, no attributes (the repository's
 * own info/attributes is stronger than any in the workspace). Pathspecs are literal.
 */
function environment({ gitDir, top }: GitPlace, options: GitOptions): NodeJS.ProcessEnv {
  const { index, magic, quarantine } = options;
  const alternate = quarantine === undefined ? options.alternate : `${gitDir}/objects`;
  return {
    ...(magic === true ? {} : { GIT_LITERAL_PATHSPECS: '1' }),
    ...(quarantine === undefined ? {} : { GIT_OBJECT_DIRECTORY: quarantine }),
    // In quotes, a colon does not end it.
    ...(alternate === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(alternate) }),
    PATH: process.env['PATH'],
    HOME: gitDir,
    XDG_CONFIG_HOME: gitDir,
    GIT_DIR: gitDir,
    GIT_WORK_TREE: top,
    GIT_INDEX_FILE: index ?? `${gitDir}/index`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

export function startGit(
  place: GitPlace,
  args: string[],
  options: GitOptions = {},
): ChildProcessWithoutNullStreams {
  const config = [
    `core.excludesFile=${place.exclude ?? '/dev/null'}`,
    ...(options.quarantine === undefined ? [] : ['core.fsync=none']),
    ...(options.config ?? []),
  ];
  const words = [...config.flatMap((setting) => ['-c', setting]), ...args];
  return spawnGit(words, { cwd: place.top, env: environment(place, options), signal: place.signal });
}

const missing = (cause: unknown): CheckpointError =>
  new CheckpointError('git-missing', 'Checkpoints need git. Install it, or add it to PATH.', cause);

/** Resolves when the process has ended. Rejects with a CheckpointError where its exit code is no answer. */
export async function ended(
  child: ChildProcessWithoutNullStreams,
  name: string,
  allow: number[] = [],
): Promise<number> {
  const complaints: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        codeOf(error) === 'ENOENT' ? missing(error) : new CheckpointError('git-failed', error.message, error),
      ),
    );
    child.on('close', (exitCode) => resolve(exitCode ?? -1));
  });
  if (code === 0 || allow.includes(code)) return code;
  const said = Buffer.concat(complaints).toString().trim();
  throw new CheckpointError('git-failed', `git ${name} failed (${code}): ${said}`);
}

/** Runs git to its end and resolves with what it printed. */
export async function git(place: GitPlace, args: string[], options: GitOptions = {}): Promise<Buffer> {
  const child = startGit(place, args, options);
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stdin.end(options.input ?? '');
  await ended(child, args[0] ?? '', options.allow);
  return Buffer.concat(output);
}
