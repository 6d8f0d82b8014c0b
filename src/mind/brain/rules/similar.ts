import { nearest } from '../../../core/plan/nearest.ts';

/**
 * The one candidate that was surely meant: nearest by edits, and no other as near. `nearest` alone takes the first of
 * several; to a rule, two equally near candidates are none.
 */
export function meant(word: string, candidates: readonly string[]): string | null {
  const found = nearest(word, candidates);
  if (found === null || found === word) return null;
  const others = candidates.filter((candidate) => candidate !== found && candidate !== word);
  const rival = nearest(word, others);
  if (rival === null) return found;
  const [own, theirs] = [distance(word, found), distance(word, rival)];
  if (own < theirs) return found;
  // A swap of two neighbours is the likeliest slip of all.
  const swaps = [found, rival].filter((candidate) => isSwap(word, candidate));
  return own === theirs && swaps.length === 1 ? swaps[0]! : null;
}

function isSwap(a: string, b: string): boolean {
  return a.length === b.length && a !== b && [...a].sort().join('') === [...b].sort().join('');
}

/** Edits between two words, a swap of neighbours being one. */
export function distance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let best = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, older[column - 2]! + 1);
      }
      current.push(best);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length]!;
}
