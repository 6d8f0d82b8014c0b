import type { Verdict } from '@contract';

export interface Piece {
  text: string;
  marked: boolean;
  start: number;
}

/** Cuts text where a verdict points, overlapping spans merged. What lies outside the text is ignored. */
export function markSpans(text: string, verdict: Pick<Verdict, 'reasons' | 'level'>): Piece[] {
  const spans = verdict.reasons
    .filter(({ level }) => level === 'dangerous' || level === 'blocked')
    .flatMap(({ span }) => (span === undefined ? [] : [span]))
    .filter(([from, to]) => from < to && to <= text.length)
    .toSorted((a, b) => a[0] - b[0]);
  const pieces: Piece[] = [];
  let at = 0;
  const push = (from: number, to: number, marked: boolean) => {
    if (from < to) pieces.push({ text: text.slice(from, to), marked, start: from });
  };
  for (const [from, to] of spans) {
    if (to <= at) continue;
    push(at, from, false);
    push(Math.max(at, from), to, true);
    at = to;
  }
  push(at, text.length, false);
  return pieces;
}
