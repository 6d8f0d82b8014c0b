import type { ShellScope } from '../../scope.ts';
import type { SimpleCommand } from '../../types.ts';
import { isTrusted } from '../trust.ts';

/** Programs that, given one of these words and nothing else, print their own help or version and load nothing first. */
const alone: Readonly<Record<string, string>> = {
  '--help --version':
    'rm cp mv mkdir rmdir touch ln chmod chown chgrp dd kill truncate shred install zip tar gzip gunzip bzip2 xz zstd unzip xxd rsync scp wget bash sh dash sed gsed grep awk gawk find xargs env nice timeout vim nvim nano emacs python python3 pip pip3 ruby perl php node npm npx deno bun make cmake ninja gcc g++ clang clang++ ld tsc ruff mypy black isort java javac gem git gh glab docker podman kubectl oc helm aws az gcloud terraform tofu brew ffmpeg sqlite3 psql mysql redis-cli nginx pandoc shellcheck shfmt tmux strace gdb valgrind uv prometheus auth0 vault rclone restic nats kustomize minikube kind skaffold flux argocd istioctl stern fzf iconv jq yq binhex',
  '-V': 'python python3 pip pip3 rg fd bat ruff tmux rsync curl wget uv deno',
  '-VV': 'python python3',
  '-v': 'node npm ruby perl php make gcc g++ clang tsc bun unzip nginx brew xxd docker',
  '-h': 'gh kubectl helm docker podman glab brew npm pip pip3 wget prometheus auth0 7z 7za 7zz fd uv node ruff binhex',
  '-version': 'java javac ffmpeg duckdb sqlite3 terraform tofu',
  '-help': 'terraform tofu duckdb sqlite3 java',
  version:
    'docker podman kubectl helm terraform tofu vault rclone restic glab minikube kind skaffold argocd istioctl flux kustomize gcloud az gsutil deck apigeecli ldcli',
  help: 'gh helm docker podman glab brew npm pip pip3 kubectl rclone restic kind minikube gcloud az aws deck apigeecli ldcli tmutil hdiutil security profiles',
};

/** The same, but only where the folder is trusted: it may choose the version that runs, or add to it. */
const trusted: Readonly<Record<string, string>> = {
  '--help --version':
    'cargo rustc rustup pnpm yarn go dotnet mvn gradle swift bundle composer poetry pipenv rails ansible ansible-playbook ansible-galaxy ansible-inventory ansible-pull ansible-lint ansible-doc packer vagrant pre-commit wrangler cdk eslint conda mamba',
  '-V': 'cargo rustc rustup',
  '-v': 'pnpm yarn mvn gradle cdk bundle',
  '-h': 'cargo ansible-doc ansible-galaxy ansible-inventory ansible-playbook pnpm',
  version: 'go cargo packer yarn',
  help: 'go pnpm pre-commit ruff',
};

/** Programs whose subcommands print their help at `--help`; those that take a word before it, and those that take two. */
const nestedHelp: Readonly<Record<string, readonly [one: string, two: string]>> = {
  docker: [
    'run exec ps build pull push images create start stop restart kill rm rmi logs inspect cp tag login logout save load stats top',
    'container image volume network compose system buildx context stack service node swarm plugin secret config builder',
  ],
  kubectl: [
    'get describe apply delete edit patch replace scale autoscale label annotate exec logs port-forward run expose explain cordon drain taint cp attach debug wait version',
    'create rollout config auth set top certificate',
  ],
  helm: [
    'install upgrade uninstall list status history rollback template lint create package pull push test',
    'repo dependency get show search plugin registry',
  ],
  gh: [
    'api browse status',
    'pr issue repo run release workflow secret variable auth gist cache label project codespace ruleset search alias config',
  ],
  brew: [
    'install uninstall upgrade update list info search reinstall cleanup link unlink pin unpin tap untap outdated deps',
    '',
  ],
  npm: [
    'install i ci add uninstall remove update publish unpublish audit run exec init config ls view outdated test start pack link prune dedupe',
    '',
  ],
  pip: [
    'install uninstall download list show freeze check wheel hash search inspect debug',
    'cache config index',
  ],
  terraform: [
    'init plan apply destroy validate fmt show output import refresh taint untaint console graph get login logout test',
    'state workspace providers',
  ],
  uv: ['run sync add remove lock init build publish venv tree export', 'pip python tool cache self'],
};
const nested = new Map(Object.entries(nestedHelp));
const same = new Map([
  ['podman', 'docker'],
  ['oc', 'kubectl'],
  ['pip3', 'pip'],
  ['tofu', 'terraform'],
]);
/** Subcommands of these are all their own. */
const plain = new Set('aws az gcloud auth0 vault glab'.split(' '));

const index = (table: Readonly<Record<string, string>>): Set<string> =>
  new Set(
    Object.entries(table).flatMap(([words, names]) =>
      words.split(' ').flatMap((word) => names.split(' ').map((name) => `${name} ${word}`)),
    ),
  );
const always = index(alone);
const inTrusted = index(trusted);

/** Prints its help or its version, and does nothing else. */
export function printsHelp({ name, args, open }: SimpleCommand, scope: ShellScope): boolean {
  const last = args.at(-1);
  if (!last || !/^(?:-|help$|version$)/.test(last.value) || open || args.length > 6) return false;
  if (args.some((arg) => !arg.literal || arg.glob)) return false;
  if (args.length === 1) {
    const key = `${name} ${last.value}`;
    if (always.has(key) || (inTrusted.has(key) && isTrusted(scope))) return true;
  }
  const words = args.slice(0, -1).map((arg) => arg.value);
  if (words.length === 0 || !words.every((word) => /^[a-z][a-z0-9-]*$/.test(word))) return false;
  const asked = /^(?:--help|-h|-help)$/.test(last.value);
  // Behind a service and a verb, `help` may be a value.
  if (plain.has(name)) return asked || (name === 'aws' && last.value === 'help' && words.length < 3);
  const [one, two] = nested.get(same.get(name) ?? name) ?? [];
  if (one === undefined || two === undefined || !asked) return false;
  const [first = '', , third] = words;
  return (
    (words.length === 1 && one.split(' ').includes(first)) ||
    (third === undefined && two.split(' ').includes(first))
  );
}

const gitVerbs = new Set(
  'reset checkout switch restore clean branch tag push rm stash rebase merge commit gc fetch pull clone cherry-pick revert worktree'.split(
    ' ',
  ),
);

/** git shows how a subcommand is used, whatever else it was given. It may open a pager of the folder's choice for that. */
export function asksGit({ name, args }: SimpleCommand): boolean {
  const words = args.map((arg) => arg.value);
  const before = words.at(-2) ?? '';
  return (
    name === 'git' &&
    words.at(-1) === '--help' &&
    gitVerbs.has(words[0] ?? '') &&
    !words.includes('--') &&
    args.every((arg) => arg.literal && !arg.glob) &&
    // `--help` may be the value of the option before it.
    (!before.startsWith('-') ||
      /^--(?:hard|soft|mixed|merge|keep|force|all|tags|staged|worktree)$|^-[fdDx]+$/.test(before))
  );
}
