import { type Comparison, kindOf } from './compare.ts';
import { type Change, sameEntry } from './types.ts';

/** One stretch of changes: what happened between two checkpoints. */
export interface Part extends Comparison {
  /** Nobody saw its end, so that somebody else may have made some of the changes. */
  unsure: boolean;
}

/** What several stretches come to. A stretch that begins where the one before it ended goes on with it. */
export interface Composed extends Comparison {
  /** Changes of earlier stretches that somebody else changed again before a later one did. */
  between: Change[];
  /** Paths that an unsure stretch has a part in. */
  unsure: Set<string>;
}

/**
 * Puts the changes of stretches together, path by path, oldest stretch first. Where the next one finds something
 * else than the one before had left, somebody was there in between: only the later change counts, because undoing it
 * brings back what that somebody made. `isForced` paths go back to the very first state all the same.
 */
export function compose(parts: readonly Part[], isForced: (path: string) => boolean = () => false): Composed {
  const changes = new Map<string, Change>();
  const between: Change[] = [];
  const unsure = new Set<string>();
  const unknown = new Map<string, Comparison['unknown'][number]>();
  for (const part of parts) {
    for (const change of part.changes) {
      const { path } = change;
      if (part.unsure) unsure.add(path);
      const earlier = changes.get(path);
      const goesOn = earlier !== undefined && (sameEntry(earlier.after, change.before) || isForced(path));
      if (earlier !== undefined && !goesOn) between.push(earlier);
      changes.set(
        path,
        goesOn ? { ...change, kind: kindOf(earlier.before, change.after), before: earlier.before } : change,
      );
    }
    for (const each of part.unknown)
      unknown.set(each.path, {
        ...each,
        changed: each.changed || (unknown.get(each.path)?.changed ?? false),
      });
  }
  const sorted = [...changes.values()]
    .filter(({ before, after }) => !sameEntry(before, after))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  // What one stretch does not know another may have kept.
  for (const { path } of sorted) unknown.delete(path);
  return { changes: sorted, unknown: [...unknown.values()], between, unsure };
}
