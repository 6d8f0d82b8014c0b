import { posix } from 'node:path';
import { type GitFacts, type Listener, nullProbe, type Probe } from '../../src/mind/brain/probe/index.ts';

/** What a probe would find, as data. What is left out is not known, except files: a world with files knows them all. */
export interface World {
  /** Path → text; a path that ends in `/` is a folder. */
  readonly files?: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
  /** Symbolic links → what they point to. */
  readonly links?: Readonly<Record<string, string>>;
  readonly programs?: readonly string[];
  readonly packages?: Readonly<Record<string, readonly string[]>>;
  readonly git?: GitFacts;
  readonly ports?: Readonly<Record<string, Listener>>;
  readonly units?: readonly string[];
  readonly env?: readonly string[];
  readonly root?: boolean;
}

export function probeOf(world: World | undefined): Probe {
  if (world === undefined) return nullProbe;
  const { files, programs, packages, git, ports, units, env, root } = world;
  const clean = (path: string): string =>
    posix.normalize(path.replace(/^\/work(?=\/|$)/, '.')).replace(/\/$/, '') || '/';
  const folders = new Set<string>(['.', '/']);
  const texts = new Map<string, string>();
  for (const [path, text] of Object.entries(files ?? {})) {
    if (path.endsWith('/')) folders.add(clean(path));
    else texts.set(clean(path), text);
    for (let up = posix.dirname(clean(path)); up !== '.' && up !== '/'; up = posix.dirname(up))
      folders.add(up);
  }
  const known = files !== undefined;
  return {
    ...nullProbe,
    kind: async (path) => {
      if (!known) return null;
      return texts.has(clean(path)) ? 'file' : folders.has(clean(path)) ? 'dir' : 'absent';
    },
    link: async (path) => {
      if (!known) return null;
      return world.links?.[clean(path)] ?? false;
    },
    entries: async (folder) => {
      if (!known || !folders.has(clean(folder))) return null;
      const inside = [...texts.keys(), ...folders].filter(
        (path) => path !== '.' && path !== '/' && posix.dirname(path) === clean(folder),
      );
      return inside.map((path) => posix.basename(path)).sort();
    },
    readText: async (path) => texts.get(clean(path)) ?? null,
    isExecutable: async (path) => {
      if (!known || !texts.has(clean(path))) return null;
      return (world.executable ?? []).map(clean).includes(clean(path));
    },
    which: async (program) => {
      if (programs === undefined) return null;
      return programs.includes(program) ? `/usr/bin/${program}` : false;
    },
    programs: async () => programs ?? null,
    packagesOf: async (program) => (packages === undefined ? null : (packages[program] ?? [])),
    git: async () => git ?? null,
    listener: async (port) => (ports === undefined ? null : (ports[String(port)] ?? 'free')),
    units: async () => units ?? null,
    hasEnv: async (name) => (env === undefined ? null : env.includes(name)),
    envNames: async () => env ?? null,
    isRoot: async () => root ?? null,
  };
}
