import type { SandboxHost } from './policy.ts';
import type { Programs } from './programs.ts';

/** Where bwrap tells how far it came, and where it takes its options from: not from its command line, which all see. */
export const STATUS_FD = 5;
export const OPTIONS_FD = 6;

/**
 * What runs before bwrap, as the same process.
 *
 * It ignores SIGTERM, and so does bwrap after it; `env` makes it fatal again for the command. When a group is ended,
 * bwrap would otherwise die at once, and by that kill the command that has just been asked to end.
 */
const plain = `trap '' TERM; exec "$@"`;

/**
 * The same in a mount namespace of its own, with an overlay on each cache. bwrap makes none before version 0.11. What
 * is written goes to a tmpfs on the store's folder, which bwrap then hides.
 * $1 mount, $2 mkdir, $3 the store's folder, $4 the folders to make in it, $5 lines as in /etc/fstab
 */
const withOverlays = `trap '' TERM
"$1" -n -t tmpfs -o mode=0700 tmpfs "$3" && "$2" $4 && echo "$5" >"$3/table" && "$1" -n -a -T "$3/table" || exit 125
shift 5; exec "$@"`;

/** Paths that can stand in the options of a mount as they are. */
const isPlain = (path: string): boolean => /^[\w@%+./-]+$/.test(path);

/** Which caches can be overlays, with what is written to them in the folder `scratch`. */
export const canBeOverlays = (caches: string[], scratch: string): string[] =>
  isPlain(scratch) ? caches.filter(isPlain) : [];

/** The command line that makes a sandbox around `command`. bwrap reads its options from `OPTIONS_FD`. */
export function stageCommand(
  programs: Programs,
  host: SandboxHost,
  overlays: { caches: string[]; scratch: string | null },
  command: string[],
): [string, ...string[]] {
  const { bwrap, sh, env, unshare, mount, mkdir } = programs;
  const inside = [bwrap, '--args', String(OPTIONS_FD), '--', env, '--default-signal=TERM', ...command];
  const { caches, scratch } = overlays;
  if (caches.length === 0 || scratch === null) return [sh, '-c', plain, 'sh', ...inside];
  const folders = caches.flatMap((_, at) => [`${scratch}/u${at}`, `${scratch}/w${at}`]).join(' ');
  const extra = host.userNamespace ? ',userxattr' : '';
  const table = caches.map((cache, at) => {
    const options = `lowerdir=${cache},upperdir=${scratch}/u${at},workdir=${scratch}/w${at}${extra}`;
    return `overlay ${cache} overlay ${options} 0 0`;
  });
  const namespaces = host.userNamespace ? ['--user', '--map-root-user', '--mount'] : ['--mount'];
  return [
    ...([unshare, ...namespaces, '--propagation', 'private', '--', sh, '-c', withOverlays, 'sh'] as const),
    ...[mount, mkdir, scratch, folders, table.join('\n')],
    ...inside,
  ];
}
