import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs shell texts with the real bash where no real program can be reached: the names that a shell would find
 * are stubs that write down how they were called. One jail takes many texts, each in a subshell of its own.
 */

export interface Ran {
  /** The arguments of each program that was started, its name first, in order. */
  readonly calls: string[][];
  /** Files that the text left in its own folder. */
  readonly files: string[];
}

const stubs =
  'ls cat rm grep head wc sort find stat cut sed awk basename du uniq uname date xargs touch mv dd git make sudo env tee curl cp python3 perl ssh sleep'.split(
    ' ',
  );

/** Run by the smallest shell there is: it starts thousands of times. */
const stub = `#!/jail/sh
{ printf '%s\\0' "\${PW_ID-}" call "$#" "\${0##*/}" "$@"; } >> /jail/log
`;

/** Reads texts separated by zero bytes; runs each with its own folder, id and limits. */
const driver = `
log() { printf '%s\\0' "$PW_ID" call "$(($# - 1))" "$@" >> /jail/log; }
command_not_found_handle() { log "$@"; return 127; }
mapfile -d '' -t texts < /jail/texts
enable -n kill
shopt -s dotglob nullglob
PATH=/usr/bin:/bin
ulimit -f 500000
for id in "\${!texts[@]}"; do
  mkdir_at=/jail/w/$id
  cd "$mkdir_at" || exit 9
  (
    export PW_ID=$id
    readonly PW_ID
    shopt -u dotglob nullglob
    HOME=/jail/home
    unset mkdir_at
    ulimit -t 2
    eval "\${texts[id]}"
  ) </dev/null >/dev/null 2>&1
  left=("$mkdir_at"/*)
  if ((\${#left[@]})); then printf '%s\\0' "$id" files "\${#left[@]}" x "\${left[@]}" >> /jail/log; fi
done
wait
`;

/** True where bubblewrap is here and allowed to make a jail. */
export function canJail(): boolean {
  return spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0;
}

export function runInJail(texts: readonly string[]): Ran[] {
  const root = mkdtempSync(join(tmpdir(), 'risk-jail-'));
  try {
    prepare(root, texts);
    const libraries = ['/lib', '/lib64', '/usr/lib', '/usr/lib64']
      .filter((path) => existsSync(path))
      .flatMap((path) => ['--ro-bind', path, path]);
    const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? '/bin/bash';
    const small = ['/bin/dash', '/usr/bin/dash'].find((path) => existsSync(path)) ?? bash;
    const result = spawnSync(
      'bwrap',
      [
        '--unshare-all',
        '--die-with-parent',
        '--new-session',
        '--clearenv',
        '--tmpfs',
        '/',
        ...libraries,
        '--dev',
        '/dev',
        '--bind',
        root,
        '/jail',
        '--ro-bind',
        bash,
        '/jail/bash',
        '--ro-bind',
        small,
        '/jail/sh',
        '--ro-bind',
        join(root, 'bin'),
        '/usr/bin',
        '--symlink',
        'usr/bin',
        '/bin',
        '/jail/bash',
        '--norc',
        '/jail/driver',
      ],
      { timeout: 300_000, encoding: 'utf8', maxBuffer: 1 << 26 },
    );
    if (result.status !== 0)
      throw new Error(
        `the jail ended with ${result.status ?? result.signal}: ${result.stderr.slice(0, 500)}`,
      );
    return readLog(readFileSync(join(root, 'log')), texts.length);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function prepare(root: string, texts: readonly string[]): void {
  for (const folder of ['bin', 'home', 'w']) mkdirSync(join(root, folder));
  for (let id = 0; id < texts.length; id++) mkdirSync(join(root, 'w', String(id)));
  for (const name of stubs) {
    writeFileSync(join(root, 'bin', name), stub);
    chmodSync(join(root, 'bin', name), 0o755);
  }
  for (const shell of ['bash', 'sh']) writeFileSync(join(root, shell), '');
  writeFileSync(join(root, 'log'), '');
  writeFileSync(join(root, 'driver'), driver);
  writeFileSync(join(root, 'texts'), texts.map((text) => `${text}\0`).join(''));
}

/** Records are `id kind count name args…`, each ended by a zero byte. */
function readLog(log: Buffer, count: number): Ran[] {
  const ran: Ran[] = Array.from({ length: count }, () => ({ calls: [], files: [] }));
  const fields = log.toString('utf8').split('\0');
  for (let i = 0; i + 3 < fields.length; ) {
    const [id, kind, size] = [Number(fields[i]), fields[i + 1], Number(fields[i + 2])];
    const words = fields.slice(i + 3, i + 4 + size);
    if (kind === 'call') ran[id]?.calls.push(words);
    else if (kind === 'files') ran[id]?.files.push(...words.slice(1));
    else
      throw new Error(
        `the log of the jail cannot be read at field ${i}: ${JSON.stringify(fields.slice(i, i + 6))}`,
      );
    i += 4 + size;
  }
  return ran;
}
