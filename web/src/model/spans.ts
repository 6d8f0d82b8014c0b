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
  const merged: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const pieces: Piece[] = [];
  let at = 0;
  const push = (to: number, marked: boolean) => {
    if (at < to) pieces.push({ text: text.slice(at, to), marked, start: at });
    at = Math.max(at, to);
  };
  for (const [from, to] of merged) {
    push(from, false);
    push(to, true);
  }
  push(text.length, false);
  return pieces;
}
