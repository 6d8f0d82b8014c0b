import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isWithin, type SandboxHost, type SandboxPolicy } from './policy.ts';
import { findGuards, type Guards, kindOf } from './repositories.ts';
import { secretPaths } from './secrets.ts';
import { canBeOverlays } from './stage.ts';

type Found = { path: string; kind: 'folder' | 'file' };

/**
 * What of a policy is really there, by real paths. bwrap can mount only on what exists, and follows links where it
 * mounts: so nothing goes into its arguments that was not looked at.
 */
export interface Survey {
  workspace: string;
  store: string | null;
  secrets: Found[];
  writable: string[];
  caches: string[];
  /** Which of them are overlays; the others are empty. */
  overlaid: string[];
  /** Folders that the sandbox has to itself, empty at first. */
  private: string[];
  /** What a command sees although the folder around it is hidden: of /run, and what the policy says. */
  runtime: string[];
  /** Without those that a grant lifts. */
  guards: Guards;
}

/** Not the folder of systemd-resolved: its socket resolves names without a network. */
const runtime = [
  '/run/systemd/resolve/stub-resolv.conf',
  '/run/systemd/resolve/resolv.conf',
  '/run/NetworkManager/resolv.conf',
  '/run/current-system',
  '/run/opengl-driver',
];

/** Looks at the disk for what the policy names. Null where there is no such workspace. Never throws. */
export function surveySandbox(policy: SandboxPolicy, host: SandboxHost): Survey | null {
  const workspace = realPath(policy.workspace);
  if (workspace === null || kindOf(workspace) !== 'folder') return null;
  const storeDir = realPath(policy.storeDir);
  const store = storeDir !== null && kindOf(storeDir) === 'folder' ? storeDir : null;
  const home = realPath(policy.home) ?? policy.home;
  const granted = policy.grants.write ?? [];
  const folders = [join(policy.home, '.config/planwright'), ...(policy.configDir ? [policy.configDir] : [])];
  // Where the workspace lies in it, only the store is hidden.
  const own = unique(folders.map(realPath)).filter((folder) => !isWithin(workspace, folder));
  const existing = unique(policy.caches.map(realPath)).filter(
    (path) =>
      kindOf(path) === 'folder' && !isWithin(path, workspace) && !isWithin(workspace, path) && path !== home,
  );
  const caches = existing.filter(
    (path) => !existing.some((other) => other !== path && isWithin(path, other)),
  );
  const secrets = unique([...secretPaths(policy.home).map(realPath), ...own]);
  return {
    workspace,
    store,
    secrets: secrets.map(found),
    writable: granted.filter(
      (path) => realPath(path) === path && !own.some((folder) => isWithin(path, folder)),
    ),
    caches,
    // Not with the workspace in the store: what is mounted there for the overlays would hide it.
    overlaid:
      host.overlays && store !== null && !isWithin(workspace, store) ? canBeOverlays(caches, store) : [],
    private: ['/tmp', '/var/tmp', ...(policy.grants.privilege ? [] : ['/run'])].filter(
      (path) => kindOf(path) === 'folder',
    ),
    runtime: [
      ...(policy.grants.privilege ? [] : runtime.filter((path) => kindOf(path) !== null)),
      ...unique((policy.shown ?? []).map(realPath)).filter(
        (path) => !secrets.some((hidden) => isWithin(path, hidden)),
      ),
    ],
    guards: liftGuards(findGuards(workspace), granted),
  };
}

/** Whether a command in this sandbox can be in this folder, which is there outside. */
export function shows(survey: Survey, folder: string): boolean {
  const given = [survey.workspace, ...survey.writable];
  if (given.some((path) => isWithin(folder, path)))
    return survey.store === null || !isWithin(folder, survey.store);
  const own = ['/dev', '/proc', ...survey.private];
  const hidden = [
    ...survey.secrets.map(({ path }) => path),
    ...(survey.store === null ? [] : [survey.store]),
  ];
  // A private folder is there by its name, although not as it is outside.
  return (
    own.every((path) => path === folder || !isWithin(folder, path)) &&
    !hidden.some((path) => isWithin(folder, path))
  );
}

/** A grant on a guarded path, or on the `.git` above it, lifts the guard. One on a whole folder does not. */
function liftGuards(guards: Guards, granted: string[]): Guards {
  const named = new Set([
    ...guards.readOnly,
    ...guards.missing.map(({ path }) => path),
    ...guards.pinned.filter((path) => path.endsWith('/.git')),
  ]);
  const lifting = granted.filter((path) => named.has(path));
  const holds = (path: string): boolean => !lifting.some((grant) => isWithin(path, grant));
  return {
    pinned: guards.pinned,
    readOnly: guards.readOnly.filter(holds),
    missing: guards.missing.filter(({ path }) => holds(path)),
    unwanted: guards.unwanted.filter(holds),
  };
}

export function realPath(path: string): string | null {
  try {
    // Most secrets and caches are not there, and to throw and catch costs more than to look.
    return statSync(path, { throwIfNoEntry: false }) ? realpathSync.native(path) : null;
  } catch {
    return null;
  }
}

const found = (path: string): Found => ({ path, kind: kindOf(path) === 'folder' ? 'folder' : 'file' });
const unique = (paths: (string | null)[]): string[] => [...new Set(paths.filter((path) => path !== null))];
