import type { SeenFailure } from './rule.ts';

/**
 * Whether a program that was not found is one that is only not installed: people know it, a package brings it, or the
 * folder speaks of it. Then it is not misspelt, however near another one is.
 */
export async function isAbsent(seen: SeenFailure, program: string): Promise<boolean> {
  const { isKnownProgram } = await import('./known-programs.ts');
  if (isKnownProgram(program) || /can be installed with/.test(seen.output)) return true;
  return ((await seen.probe.packagesOf(program)) ?? []).length > 0 || isNamedHere(seen, program);
}

/** Files in which a project names the programs that it is worked on with. */
const manifests =
  'package.json pyproject.toml setup.cfg requirements.txt requirements-dev.txt Makefile Cargo.toml Gemfile composer.json .tool-versions mise.toml Dockerfile .pre-commit-config.yaml'.split(
    ' ',
  );

async function isNamedHere(seen: SeenFailure, program: string): Promise<boolean> {
  if (program.length < 3) return false;
  const word = new RegExp(`(?<![\\w-])${RegExp.escape(program)}(?![\\w-])`);
  const own = new RegExp(`^\\.?${RegExp.escape(program)}(?:file|rc|[._-]|$)`, 'i');
  const entries = (await seen.probe.entries('.')) ?? [];
  // A file of just that name is a program of this folder, and another rule's.
  if (entries.some((entry) => entry !== program && own.test(entry))) return true;
  for (const file of manifests.filter((name) => entries.includes(name))) {
    if (word.test((await seen.probe.readText(file)) ?? '')) return true;
  }
  return false;
}
