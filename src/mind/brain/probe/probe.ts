/**
 * What a rule may ask of the world. Read-only and bounded: nothing is changed, nothing of the workspace is run, and
 * no network is used. No method throws. `null` means *not known*: a rule must not take it for "no".
 */
export interface Probe {
  /** What is at the path (relative to the step's directory); `absent` when it is known that nothing is. */
  kind(path: string): Promise<'file' | 'dir' | 'other' | 'absent' | null>;
  /** What a symbolic link points to; `false` when there is something else, or nothing. */
  link(path: string): Promise<string | false | null>;
  /** Names in a folder, not recursive. */
  entries(folder: string): Promise<readonly string[] | null>;
  /** The beginning of a text file. */
  readText(path: string): Promise<string | null>;
  isExecutable(path: string): Promise<boolean | null>;
  /** Whether a program of this name would be found, and where. `false`: known not to be. */
  which(program: string): Promise<string | false | null>;
  /** All names of programs that would be found. */
  programs(): Promise<readonly string[] | null>;
  /** Debian packages that provide the program, by the command-not-found index or by what dpkg knows. */
  packagesOf(program: string): Promise<readonly string[] | null>;
  /** What `--help` of a program of the system says; null for any other than those that are known to only tell. */
  help(program: string): Promise<string | null>;
  git(): Promise<GitFacts | null>;
  listener(port: number): Promise<Listener | 'free' | null>;
  /** Names of systemd units that are installed. */
  units(): Promise<readonly string[] | null>;
  /** Whether the variable is set where the step runs; its value stays where it is. */
  hasEnv(name: string): Promise<boolean | null>;
  envNames(): Promise<readonly string[] | null>;
  isRoot(): Promise<boolean | null>;
}

export interface GitFacts {
  /** `null` when HEAD is detached. */
  readonly branch: string | null;
  readonly branches: readonly string[];
  /** As `origin/main`. */
  readonly remoteBranches: readonly string[];
  readonly remotes: readonly string[];
  readonly tags: readonly string[];
}

export interface Listener {
  readonly pid: number | null;
  /** The command line, where it may be read. */
  readonly command: string | null;
  /** The process group that it is in, where that is known. */
  readonly group?: number;
}

const unknown = async (): Promise<null> => null;

/** Knows nothing: for failures of which only command and output are known. */
export const nullProbe: Probe = {
  kind: unknown,
  link: unknown,
  entries: unknown,
  readText: unknown,
  isExecutable: unknown,
  which: unknown,
  programs: unknown,
  packagesOf: unknown,
  help: unknown,
  git: unknown,
  listener: unknown,
  units: unknown,
  hasEnv: unknown,
  envNames: unknown,
  isRoot: unknown,
};
