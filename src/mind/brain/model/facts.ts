import { pathsOf, shellText, toolParts } from '../../../core/contract/index.ts';
import { isSecretFile } from '../../../core/risk/index.ts';
import type { Failure } from '../brain.ts';
import type { Probe } from '../probe/probe.ts';

const mostNames = 60;
const mostFiles = 3;

/** What of the world helps to understand a failure, in a few lines. What is not known is left out. Never throws. */
export async function environmentFacts(failure: Failure, probe: Probe | undefined): Promise<string[]> {
  if (probe === undefined) return [];
  const program = shellText(failure.step.action)?.trim().split(/\s+/)[0] ?? '';
  const isPlainName = /^[\w.+-]+$/.test(program);
  try {
    const [names, git, isRoot, place] = await Promise.all([
      probe.entries('.'),
      probe.git(),
      probe.isRoot(),
      isPlainName ? probe.which(program) : null,
    ]);
    return [
      ...(names === null ? [] : [`the folder has: ${listed(names)}`]),
      ...(git === null
        ? []
        : [
            `git: on ${git.branch ?? 'a detached HEAD'}, branches ${listed(git.branches)}, remotes ${listed(git.remotes)}`,
          ]),
      ...(isRoot === null ? [] : [isRoot ? 'it runs as root' : 'it does not run as root']),
      ...(place === null
        ? []
        : [place === false ? `there is no program ${program}` : `${program} is ${place}`]),
    ];
  } catch {
    return [];
  }
}

/**
 * The files that a tool could not edit, as they are now: another way needs their text. What may hold secrets is told to
 * nobody. Never throws.
 */
export async function filesOf(
  { step: { action }, result, cwd }: Failure,
  probe: Probe | undefined,
): Promise<{ path: string; text: string }[]> {
  if (probe === undefined || result.selfCorrect === undefined || action.kind !== 'call-tool') return [];
  const named = (toolParts(action) ?? []).flatMap((part) => pathsOf(part).map(({ path }) => path));
  const paths = [...new Set(named)].filter((path) => !isSecretFile(path, cwd ?? '')).slice(0, mostFiles);
  const texts = await Promise.all(paths.map((path) => probe.readText(path).catch(() => null)));
  return paths.flatMap((path, at) => (texts[at] == null ? [] : [{ path, text: texts[at] }]));
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.slice(0, mostNames).join(', ') + more;
}
