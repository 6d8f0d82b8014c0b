/** Neighbours on a keyboard, row by row; a key is also near those above and below it. */
const rows = ['1234567890-', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

const place = new Map(
  rows.flatMap((row, y) => [...row].map((key, x): [string, readonly [number, number]] => [key, [x, y]])),
);

function areNear(a: string, b: string): boolean {
  const [one, other] = [place.get(a), place.get(b)];
  if (one === undefined || other === undefined) return false;
  return Math.abs(one[0] - other[0]) <= 1 && Math.abs(one[1] - other[1]) <= 1;
}

/** Words from this length on may have two slips, or one letter that is no neighbour of the right one. */
const LONG = 8;
const MAX_LENGTH = 64;

/**
 * Whether fingers on their way to `right` could have typed `typed`: two keys in the wrong order, one left out, one hit
 * twice or together with its neighbour, or its neighbour instead. To be near by letters is not enough.
 */
export function isSlip(typed: string, right: string): boolean {
  const [a, b] = [typed.toLowerCase(), right.toLowerCase()];
  if (typed === right || Math.max(a.length, b.length) > MAX_LENGTH) return false;
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 2) return false;
  return cost(a, b) <= (Math.min(a.length, b.length) < LONG ? 1 : 2);
}

/** The least that it takes to come from one to the other; what fingers do not do counts twice. */
function cost(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const key = a[i - 1]!;
    const extra = [a[i - 2], a[i]].some((next) => next === key || areNear(key, next ?? '')) ? 1 : 2;
    const current = [previous[0]! + extra];
    for (let j = 1; j <= b.length; j++) {
      const wanted = b[j - 1]!;
      const wrong = key === wanted ? 0 : areNear(key, wanted) ? 1 : 2;
      let least = Math.min(previous[j]! + extra, current[j - 1]! + 1, previous[j - 1]! + wrong);
      if (i > 1 && j > 1 && key === b[j - 2] && a[i - 2] === wanted && key !== wanted)
        least = Math.min(least, older[j - 2]! + 1);
      current.push(least);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length]!;
}
