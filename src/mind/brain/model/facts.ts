import { shellText } from '../../../core/contract/index.ts';
import type { Failure } from '../brain.ts';
import type { Probe } from '../probe/probe.ts';

const mostNames = 60;

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

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return names.slice(0, mostNames).join(', ') + more;
}
