import type { AnyKind } from '../../src/core/stream/index.ts';

/** A promise of DESIGN.md was broken. The seed that breaks it is printed by whoever runs the world. */
export class BrokenPromise extends Error {}

/** The promises broken in the world under way. A driver may swallow the error: this list does not. */
export const broken: BrokenPromise[] = [];

export function promise(held: boolean, sentence: string): asserts held {
  if (held) return;
  const error = new BrokenPromise(sentence);
  broken.push(error);
  throw error;
}

const kept = (state: unknown): string => JSON.stringify(state);

/** Whoever goes on from snapshots, as a store keeps them, comes to the same: they are taken at every place. */
export function promiseSnapshots(
  { initial, evolve }: Pick<AnyKind, 'initial' | 'evolve'>,
  events: readonly unknown[],
): void {
  let [whole, resumed] = [initial, initial];
  for (const stored of events) {
    resumed = JSON.parse(kept(resumed));
    whole = evolve(whole, stored as never);
    resumed = evolve(resumed, stored as never);
  }
  promise(kept(resumed) === kept(whole), 'a snapshot and its tail are the whole');
}
