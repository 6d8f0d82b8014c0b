import { resolvePath } from '../paths.ts';
import type { ShellScope } from '../scope.ts';
import type { SimpleCommand } from '../types.ts';
import { cliChecks } from './clis.ts';
import { fileChecks } from './files.ts';
import { gitCheck } from './git.ts';
import { programChecks } from './programs.ts';
import type { SafeCheck } from './types.ts';

const checks = new Map<string, SafeCheck>([...fileChecks, ...programChecks, ...cliChecks, ['git', gitCheck]]);

/** Folders whose programs are those of the system. */
const trusted = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** Commands that only print their own help or version, for programs that are known to do so. */
export function onlyHelp(command: SimpleCommand): boolean {
  const values = command.args.map((arg) => arg.value);
  if (values.length === 0 || command.open || command.args.some((arg) => !arg.literal || arg.glob))
    return false;
  if (values.length === 1 && /^--(?:help|version)$/.test(values[0] ?? ''))
    return checks.has(command.name) || tools.has(command.name);
  if (values.length === 1 && /^(?:-h|-V|-v|-help|help|version)$/.test(values[0] ?? ''))
    return shortHelp.has(command.name);
  const last = values.at(-1) ?? '';
  return (
    shortHelp.has(command.name) &&
    /^(?:--help|-h|help)$/.test(last) &&
    values.slice(0, -1).every((value) => /^[a-z][\w:-]*$/.test(value))
  );
}

const tools = new Set(
  'rm cp mv mkdir rmdir touch ln chmod chown dd kill node npm npx pnpm bun deno python python3 ruby perl php java gcc g++ clang make cmake ninja tar zip gzip ssh rsync scp curl wget vim nano jq yq rg fd bash zsh sh dotnet ansible ansible-playbook ansible-galaxy ansible-inventory ansible-pull ansible-lint packer vagrant prometheus black isort ruff mypy pytest eslint prettier tsc wrangler rtk iconv'.split(
    ' ',
  ),
);
const shortHelp = new Set(
  'aws az gcloud kubectl helm docker podman gh glab terraform tofu pulumi brew npm pip pip3 git packer cdk fly flyctl vault wget ansible-galaxy ansible-inventory ansible-playbook ansible-pull ansible-doc ansible-lint auth0 pnpm uv kustomize 7z hdiutil tmutil prometheus pre-commit deck apigeecli split unleash ldcli'.split(
    ' ',
  ),
);

/** True only where this command, as written, is known to read and print and nothing else. */
export function isHarmless(command: SimpleCommand, scope: ShellScope): boolean {
  if (command.env.length > 0) return false;
  if (command.path.includes('/') && !trusted.test(resolvePath(command.path, scope))) return false;
  if (scope.functions.has(command.name)) return false;
  if (onlyHelp(command)) return true;
  return checks.get(command.name)?.(command, scope) ?? false;
}
