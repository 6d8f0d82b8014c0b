import { join } from 'node:path';

/**
 * What in a home lets somebody act as the person, or tells what they did. Not ~/.gitconfig: git needs it, and keeps
 * its secrets elsewhere.
 */
const inHome = [
  // keys and passwords
  ['.ssh', '.gnupg', '.password-store', '.local/share/keyrings', '.config/op', '.netrc', '.vault-token'],
  // clouds and clusters; ~/.docker holds a socket too
  ['.aws', '.azure', '.config/gcloud', '.kube', '.docker', '.config/rclone', '.config/doctl'],
  ['.oci', '.s3cfg'],
  ['.terraform.d/credentials.tfrc.json', '.config/containers/auth.json', '.boto'],
  // where code and packages are published
  ['.config/gh', '.config/hub', '.config/glab-cli', '.git-credentials', '.config/git/credentials'],
  ['.npmrc', '.yarnrc.yml', '.pypirc', '.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials'],
  ['.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties', '.composer/auth.json'],
  // databases
  ['.pgpass', '.my.cnf', '.mylogin.cnf'],
  // browsers and coding agents
  ['.mozilla', '.config/google-chrome', '.config/chromium', '.config/BraveSoftware'],
  ['.claude.json', '.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json'],
  // history, in which passwords are found
  ['bash', 'zsh', 'python', 'node_repl', 'psql', 'mysql'].map((program) => `.${program}_history`),
  // Planwright's own
  ['.config', '.local/share', '.local/state', '.cache'].map((folder) => `${folder}/planwright`),
  ['.planwright'],
].flat();

/** Sockets outside /run whose other end acts as root for whoever may connect. A read-only mount does not stop that. */
const sockets = ['/var/lib/lxd', '/var/snap/lxd/common/lxd', '/var/lib/incus'];

export const secretPaths = (home: string): string[] => [
  ...inHome.map((name) => join(home, name)),
  ...sockets,
];

/** Where package managers keep what they have fetched, as far as the environment does not say otherwise. */
export function packageCaches(
  home: string,
  env: Readonly<Record<string, string | undefined>> = {},
): string[] {
  const cache = env['XDG_CACHE_HOME'] || join(home, '.cache');
  const cargo = env['CARGO_HOME'] || join(home, '.cargo');
  const known = [
    env['npm_config_cache'] || join(home, '.npm'),
    join(home, '.local/share/pnpm/store'),
    join(home, '.bun/install/cache'),
    env['PIP_CACHE_DIR'] || join(cache, 'pip'),
    ...['pnpm', 'yarn', 'node-gyp', 'uv', 'pypoetry', 'go-build', 'composer', 'deno'].map((name) =>
      join(cache, name),
    ),
    join(cargo, 'registry'),
    join(cargo, 'git'),
    env['GOMODCACHE'] || join(env['GOPATH'] || join(home, 'go'), 'pkg/mod'),
    join(home, '.gradle/caches'),
    join(home, '.m2/repository'),
  ];
  return known.filter((path) => path.startsWith('/'));
}
