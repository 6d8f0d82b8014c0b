import type { Simple, WordAt } from '../../../core/shell/index.ts';
import type { GitFacts } from '../probe/probe.ts';
import { isVerb, operands, type SeenFailure, verbOf } from './rule.ts';
import { meant } from './similar.ts';

/** The git command with this verb, when there is exactly one. */
export function git(seen: SeenFailure, ...verbs: readonly string[]): Simple | null {
  const found = seen.tree.simples.filter((simple) => simple.program === 'git' && isVerb(simple, ...verbs));
  return found.length === 1 ? found[0]! : null;
}

/** Operands after the verb. */
export const rest = (simple: Simple): readonly WordAt[] => {
  const verb = verbOf(simple);
  return operands(simple).filter((word) => verb !== null && word.pos > verb.pos);
};

export const isRange = (named: string): boolean => /^[^.].*?\.{2,3}.*$|^\.{2,3}./.test(named);

/** `mian..HEAD`: the end that is not known, where only one is and the command but reads. */
export function nearRange(named: string, facts: GitFacts, simple: Simple): string | null {
  if (!isVerb(simple, 'log', 'diff', 'show')) return null;
  const [, from = '', dots = '', to = ''] = /^(.*?)(\.{2,3})(.*)$/.exec(named) ?? [];
  const known = [...facts.branches, ...facts.remoteBranches, ...facts.tags];
  const ends = [from, to].map((end) =>
    end === '' || /^(?:HEAD|@)(?:[~^]\d*)*$/.test(end) || known.includes(end) ? end : meant(end, known),
  );
  const changed = ends.filter((end, at) => end !== [from, to][at]);
  return changed.length === 1 && changed[0] !== null ? ends.join(dots) : null;
}
