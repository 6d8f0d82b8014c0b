import type { Need, SimpleCommand } from './types.ts';

const network = new Set(
  'curl wget http https xh nc ncat netcat telnet ftp sftp lftp ssh scp rsync dig host nslookup whois ping traceroute mtr aws az gcloud gsutil bq gh glab kubectl helm doctl fly flyctl heroku vercel netlify wrangler terraform pulumi ngrok cloudflared npx bunx pnpx uvx pipx rclone restic az azcopy mc stripe vault apt apt-get yum dnf brew snap flatpak ansible ansible-playbook'.split(
    ' ',
  ),
);
const fetches: Readonly<Record<string, RegExp>> = {
  npm: /^(?:install|i|ci|add|update|up|publish|view|info|search|audit|outdated|exec|x|create|init|login|ping|whoami|unpublish)$/,
  pnpm: /^(?:install|i|add|update|up|publish|dlx|audit|outdated|create)$/,
  yarn: /^(?:install|add|upgrade|up|publish|dlx|audit|create|npm)$/,
  bun: /^(?:install|i|add|update|x|create)$/,
  pip: /^(?:install|download|index|wheel)$/,
  pip3: /^(?:install|download|index|wheel)$/,
  uv: /^(?:pip|sync|add|lock|tool|python)$/,
  poetry: /^(?:install|add|update|publish|lock)$/,
  cargo: /^(?:install|fetch|update|publish|search|add|build|run|test|check)$/,
  go: /^(?:get|install|mod)$/,
  git: /^(?:clone|fetch|pull|push|ls-remote|submodule)$/,
  docker: /^(?:pull|push|login|search|build|run)$/,
  podman: /^(?:pull|push|login|search|build|run)$/,
  gem: /^(?:install|push|update|fetch)$/,
  composer: /^(?:install|require|update)$/,
};

/** What the program needs besides the files of the workspace. */
export function needsOf(command: SimpleCommand): Need[] {
  const local =
    command.args.length > 0 && command.args.every((arg) => /^--?(?:help|version|h|V)$/.test(arg.value));
  if (local) return [];
  if (network.has(command.name)) return ['network'];
  const verb = command.args.find((arg) => !arg.value.startsWith('-'))?.value ?? '';
  const pattern = Object.hasOwn(fetches, command.name) ? fetches[command.name] : undefined;
  return pattern && (pattern.test(verb) || (verb === '' && /^(?:yarn|bun)$/.test(command.name)))
    ? ['network']
    : [];
}

/** Of those that use the network, what also works without: what is built, installed or kept already, a remote on this disk. */
const mayDoWithout: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x|create|init|audit)$/,
  pnpm: /^(?:dlx|create|audit)$/,
  yarn: /^(?:dlx|create|audit|npm)$/,
  bun: /^(?:x|create)$/,
  uv: /^(?:pip|lock|tool|python)$/,
  poetry: /^lock$/,
  cargo: /^(?:build|run|test|check|add)$/,
  go: /^(?:install|mod)$/,
  git: /^(?:submodule|fetch|pull|push|ls-remote)$/,
  docker: /^(?:build|run|login)$/,
  podman: /^(?:build|run|login)$/,
};
const offline = /^(?:--offline|--prefer-offline|--no-index|--frozen|--local)$/;

/** Their manifest is package.json, where what it lists may be near. */
const ofNode = /^(?:npm|pnpm|yarn|bun)$/;

/**
 * What the program asks a registry or a remote for; null where it only may use the network, is told to do without, or
 * brings what it names from a path.
 */
export function fetchedBy(command: SimpleCommand): 'named' | 'listed' | null {
  const { name, args } = command;
  if (!Object.hasOwn(fetches, name) || needsOf(command).length === 0) return null;
  const words = args.map(({ value }) => value);
  const [verb = '', ...rest] = words.filter((word) => !word.startsWith('-'));
  if (mayDoWithout[name]?.test(verb) || words.some((word) => offline.test(word))) return null;
  if (rest.length === 0) return ofNode.test(name) ? 'listed' : 'named';
  // Without a colon git takes it for a path, and the folder to clone into always is one.
  const remote = name === 'git' ? rest.filter((word) => word.includes(':')) : rest;
  return remote.some((word) => !isPath.test(word)) ? 'named' : null;
}

const isPath = /^(?:\.{1,2}(?:\/|$)|\/|file:)/;
