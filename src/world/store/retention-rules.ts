import type { GcOptions } from '../../core/stream/index.ts';

export const defaultKeepDays = 30;
export const defaultKeepLast = 20;
const day = 24 * 60 * 60 * 1000;

interface Ended {
  id: string;
  kind: string;
  endedAt: number;
}

/**
 * Which of the streams that have ended are to go, the one that ended first leading. Of each kind the last ones stay, unless
 * those that are to go are named.
 */
export function tooOld<T extends Ended>(
  ended: readonly T[],
  now: number,
  { keepDays = defaultKeepDays, keepLast = defaultKeepLast, only, spare = [] }: GcOptions,
): T[] {
  const kept = new Map<string, number>();
  const newestFirst = ended.toSorted((a, b) => b.endedAt - a.endedAt || (a.id < b.id ? 1 : -1));
  const old = newestFirst.filter(({ id, kind, endedAt }) => {
    const place = (kept.get(kind) ?? 0) + 1;
    kept.set(kind, place);
    if (spare.includes(id)) return false;
    return only === undefined ? place > keepLast && endedAt < now - keepDays * day : only.includes(id);
  });
  return old.reverse();
}
