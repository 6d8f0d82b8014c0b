import type { Simple, WordAt } from '../../../core/shell/index.ts';
import { isVerb, operands, type SeenFailure, verbOf } from './rule.ts';

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
