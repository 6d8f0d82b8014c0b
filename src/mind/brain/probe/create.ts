import { defaultLimits, fileProbe, type ProbeLimits } from './files.ts';
import { readGit } from './git.ts';
import { helpOf } from './help.ts';
import { findProgram, listPrograms, listUnits, packagesProviding, whoListens } from './machine.ts';
import type { Probe } from './probe.ts';

export interface ProbeOptions {
  readonly cwd: string;
  /** The environment that the step ran in: its PATH decides which programs there are. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the session has changed in it since: a value, or null where it was unset. */
  readonly changed?: Readonly<Record<string, string | null>> | undefined;
  readonly limits?: Partial<ProbeLimits>;
}

const MAX_PROGRAMS = 20_000;

/** The probe over the real world. What it was asked once about git and programs, it remembers: make one a failure. */
export function createProbe({ cwd, env: given, changed = {}, limits }: ProbeOptions): Probe {
  const env = { ...given };
  for (const [name, value] of Object.entries(changed)) env[name] = value ?? undefined;
  const bounds = { ...defaultLimits, ...limits };
  const path = env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
    let answer: Promise<T> | undefined;
    return () => (answer ??= read());
  };
  return {
    ...fileProbe(cwd, bounds),
    which: (program) => findProgram(program, path),
    programs: once(() => listPrograms(path, MAX_PROGRAMS)),
    packagesOf: (program) => packagesProviding(program),
    help: (program) => helpOf(program, bounds.timeoutMs),
    git: once(() => readGit(cwd, env, bounds.timeoutMs)),
    listener: whoListens,
    units: once(listUnits),
    hasEnv: async (name) => env[name] !== undefined,
    envNames: async () =>
      Object.keys(env)
        .filter((name) => env[name] !== undefined)
        .sort(),
    isRoot: async () => process.getuid?.() === 0,
  };
}
