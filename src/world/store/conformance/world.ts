import { afterEach, beforeEach, describe } from 'vitest';
import type { Claim, Claims, Folder } from '../../../core/stream/index.ts';
import type { ToyStore } from '../test-support.ts';

/** A store that several processes share, and a clock that stands still until it is moved. */
export interface World {
  /** The store as the process with this number sees it; the same again gives the same. */
  party(number: number): Promise<ToyStore>;
  /** The process dies. */
  kill(number: number): void;
  /** The process lives and does nothing more by itself. */
  silence(number: number): void;
  /** How long a silent driver keeps what it holds. */
  ttlMs: number;
  now(): number;
  advance(ms: number): Promise<void>;
  close(): Promise<void>;
}
export type MakeWorld = () => Promise<World>;

/** What is promised by one port, on a fresh store for each test. */
export function promises(
  name: string,
  make: MakeWorld,
  tests: (world: () => World, store: () => ToyStore) => void,
): void {
  describe(name, () => {
    let world: World;
    let store: ToyStore;
    beforeEach(async () => {
      world = await make();
      store = await world.party(1);
    });
    afterEach(() => world.close());
    tests(
      () => world,
      () => store,
    );
  });
}

export const never = new AbortController().signal;
export const here = (path: string, worktree?: string): Folder => ({ host: 'host', path, worktree });

export async function taken(claims: Claims, stream: string, folder: string | null = null): Promise<Claim> {
  const result = await claims.claim(stream);
  if (!result.ok) throw new Error(`not claimed: ${result.why}`);
  const held = await result.claim.hold(folder === null ? null : here(folder));
  if (!held.ok) throw new Error(`not held: ${held.why}`);
  return result.claim;
}

export const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
