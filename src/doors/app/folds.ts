import { setImmediate } from 'node:timers/promises';
import { type AnyEvent, type AnyKind, createFolds, type Folds, type Store } from '../../core/stream/index.ts';

const noSnapshots = { load: async () => null, save: async () => {} };

/** One fold of each stream of a kind, for everybody in this process. */
export const foldsOf = <E extends AnyEvent>(
  store: Store<E>,
  { kind, foldVersion }: { kind: AnyKind; foldVersion?(): string },
): Folds<unknown> =>
  createFolds({
    kind,
    streams: store,
    snapshots: foldVersion === undefined ? noSnapshots : store.snapshots,
    version: foldVersion ?? (() => ''),
    breathe: () => setImmediate(),
  });
