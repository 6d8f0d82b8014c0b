export { changesMeaning } from './meaning.ts';
export { isSlip } from './slip.ts';

/** Nobody mistypes one of more words than this. */
const MAX_CANDIDATES = 500;

/** The candidate that a person most likely meant, or null when none is near enough to suggest. */
export function nearest(word: string, all: readonly string[]): string | null {
  if (word.length > 64) return null;
  const candidates = all.slice(0, MAX_CANDIDATES);
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.floor(wanted.length / 3) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? onlyOneThatStartsWith(wanted, candidates);
}

function onlyOneThatStartsWith(word: string, candidates: readonly string[]): string | null {
  if (word.length < 3) return null;
  const found = candidates.filter((candidate) => candidate.toLowerCase().startsWith(word));
  return found.length === 1 ? found[0]! : null;
}

/** Edits between two short words, a swap of neighbours being one; `limit` when it would be that or more. */
export function editDistance(a: string, b: string, limit = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, older[column - 2]! + 1);
      current.push(cost);
    }
    older = previous;
    previous = current;
  }
  return Math.min(previous[b.length]!, limit);
}

/** "`exepcts`: did you mean `expects`?" or, with no near word, the whole list. */
export function suggest(word: string, candidates: readonly string[]): string {
  const near = nearest(word, candidates);
  if (near !== null) return `Did you mean \`${near}\`?`;
  return `Use one of: ${candidates.join(', ')}.`;
}
