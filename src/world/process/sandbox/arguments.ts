import { isWithin, type SandboxHost, type SandboxPolicy } from './policy.ts';
import type { Survey } from './survey.ts';

/** The first descriptor that stands for an empty file; see `emptyFiles`. */
export const FIRST_EMPTY_FD = 7;

interface Mount {
  at: string;
  kind: 'bind' | 'ro-bind' | 'private' | 'empty-folder' | 'empty-file' | 'cache' | 'dev' | 'proc';
}

/** What every sandbox has of its own, but for the network. */
export const walls = '--die-with-parent --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try'.split(
  ' ',
);

/** What root keeps: to read, write and own the files of others, as in its own shell. Nothing that moves a wall. */
const fileCapabilities = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETUID', 'SETGID', 'KILL'];

/**
 * The options of bwrap for a policy, in the order in which they must come: parents before what lies in them, so
 * that the deeper mount decides; of two on the same path the later decides. Pure.
 *
 * No `--new-session`: the command is started as the leader of a session without a terminal (`detached`), and
 * another one would take it out of the process group by which it is ended.
 */
export function sandboxArguments(policy: SandboxPolicy, survey: Survey, host: SandboxHost): string[] {
  const { network, privilege } = policy.grants;
  const mounts = sandboxMounts(survey);
  const empty = emptyFiles(survey);
  const mounted = mounts.flatMap((mount) => mountArguments(mount, survey.overlaid, empty));
  const sealed = mounts
    .filter(({ kind }) => kind === 'empty-folder')
    .flatMap(({ at }) => ['--remount-ro', at]);
  return [
    ...walls,
    ...(network ? [] : ['--unshare-net']),
    ...(host.userNamespace
      ? ['--unshare-user', '--uid', String(host.uid), '--gid', String(host.gid), '--cap-drop', 'ALL']
      : capabilities(privilege === true)),
    ...['--ro-bind', '/', '/'],
    ...mounted,
    ...sealed,
  ];
}

/** The files that an empty one stands in for: the n-th is given by descriptor `FIRST_EMPTY_FD + n`. */
export const emptyFiles = (survey: Survey): string[] =>
  sandboxMounts(survey)
    .filter(({ kind }) => kind === 'empty-file')
    .map(({ at }) => at);

const capabilities = (all: boolean): string[] =>
  all ? [] : ['--cap-drop', 'ALL', ...fileCapabilities.flatMap((name) => ['--cap-add', `CAP_${name}`])];

function mountArguments({ at, kind }: Mount, overlaid: string[], empty: string[]): string[] {
  switch (kind) {
    case 'bind':
    case 'ro-bind':
      return [`--${kind}`, at, at];
    case 'dev':
    case 'proc':
      return [`--${kind}`, at];
    case 'private':
      return ['--perms', '1777', '--tmpfs', at];
    case 'empty-folder':
      return ['--perms', '0755', '--tmpfs', at];
    case 'empty-file':
      return ['--perms', '0444', '--ro-bind-data', String(FIRST_EMPTY_FD + empty.indexOf(at)), at];
    case 'cache':
      // An overlay is on that path already when bwrap comes to it.
      return overlaid.includes(at) ? ['--bind', at, at] : ['--perms', '0700', '--tmpfs', at];
  }
}

function sandboxMounts(survey: Survey): Mount[] {
  const { guards } = survey;
  const each = (kind: Mount['kind'], paths: string[]): Mount[] => paths.map((at) => ({ at, kind }));
  const mounts: Mount[] = [
    ...each('dev', ['/dev']),
    ...each('proc', ['/proc']),
    ...each('private', survey.private),
    ...each('ro-bind', survey.runtime),
    ...survey.secrets.map(({ path, kind }): Mount => ({ at: path, kind: `empty-${kind}` })),
    ...each('cache', survey.caches),
    ...each('bind', [survey.workspace, ...guards.pinned]),
    ...each('ro-bind', [...guards.readOnly, ...guards.missing.map(({ path }) => path)]),
    ...each(
      'bind',
      survey.writable.filter((path) => !isKernel(path)),
    ),
    ...(survey.store === null ? [] : each('empty-folder', [survey.store])),
  ];
  const last = new Map(mounts.map((mount) => [mount.at, mount]));
  return [...last.values()]
    .filter((mount) => !isCovered(mount, survey))
    .toSorted((a, b) => depth(a.at) - depth(b.at));
}

/**
 * What lies in the store, in a hidden folder or in a private one is hidden with it, unless a person gave it: it
 * needs no mount, and one would put its name back. Nothing in the store can be given but the workspace.
 */
function isCovered(
  { at, kind }: Mount,
  { workspace, store, writable, secrets, private: own }: Survey,
): boolean {
  const liesIn = (folder: string): boolean => folder !== at && isWithin(at, folder);
  if (store !== null && liesIn(store)) return !(isWithin(workspace, store) && isWithin(at, workspace));
  if (kind === 'dev' || kind === 'proc' || kind === 'private' || kind === 'ro-bind') return false;
  if ([workspace, ...writable].some((path) => isWithin(at, path))) return false;
  return secrets.some(({ path }) => liesIn(path)) || own.some(liesIn);
}

/** Private to every sandbox, or the kernel's: not to be had by a grant. */
const isKernel = (path: string): boolean =>
  isWithin(path, '/dev') || isWithin(path, '/proc') || isWithin(path, '/sys');

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length);
