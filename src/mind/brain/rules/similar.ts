import { changesMeaning, editDistance, isSlip, nearest } from '../../../core/plan/nearest.ts';

/**
 * The one candidate that was surely meant: nearest by edits, and no other as near. `nearest` alone takes the first of
 * several; to a rule, two equally near candidates are none, and neither is one that means something else.
 */
export function meant(word: string, candidates: readonly string[]): string | null {
  const found = theNearest(word, candidates) ?? shortSlip(word, candidates);
  return found === null || changesMeaning(word, found) ? null : found;
}

/** Two letters have no neighbours by edits; one key too few, or two in the wrong order, is seen all the same. */
function shortSlip(word: string, candidates: readonly string[]): string | null {
  if (word.length !== 2) return null;
  const near = [...new Set(candidates)].filter(
    (each) =>
      isSwap(word, each) ||
      (each.length === 3 && isSlip(word, each) && [...word].every((key) => each.includes(key))),
  );
  return near.length === 1 ? near[0]! : null;
}

function theNearest(word: string, candidates: readonly string[]): string | null {
  const found = nearest(word, candidates);
  if (found === null || found === word) return null;
  const others = candidates.filter((candidate) => candidate !== found && candidate !== word);
  const rival = nearest(word, others);
  if (rival === null) return found;
  const [own, theirs] = [editDistance(word, found), editDistance(word, rival)];
  if (own < theirs) return found;
  // A swap of two neighbours is the likeliest slip of all.
  const swaps = [found, rival].filter((candidate) => isSwap(word, candidate));
  return own === theirs && swaps.length === 1 ? swaps[0]! : null;
}

/** The same letters in another order. */
export const isSwap = (a: string, b: string): boolean => a !== b && sorted(a) === sorted(b);

const sorted = (text: string): string => [...text].sort().join('');
