import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { someone } from '../../../test/support/someone.ts';
import { type ToyEvent, type ToyFact, toyKind } from '../../../test/support/toy-kind.ts';
import type { Driver } from '../../core/contract/index.ts';
import { type Clock, kindsOf, type Store } from '../../core/stream/index.ts';
import type { Liveness } from './liveness.ts';
import { openStore, type StoreOptions } from './sqlite/store.ts';

export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'planwright-store-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const driver = (pid: number): Driver => ({ pid, host: 'here', boot: 'boot-1' });

/** Lets everything that is ready run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn();
}

/** Time that stands still until a test moves it; sleepers wake in order. */
export interface FakeClock extends Clock {
  advance(ms: number): Promise<void>;
}
export function fakeClock(start = 1_000_000): FakeClock {
  let now = start;
  const sleepers = new Set<{ until: number; wake(): void }>();
  return {
    now: () => now,
    async sleepUntil(until, signal) {
      if (signal.aborted || until <= now) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const sleeper = { until, wake: () => resolve() };
      sleepers.add(sleeper);
      signal.addEventListener('abort', sleeper.wake, { once: true });
      await promise;
      sleepers.delete(sleeper);
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settle();
        const due = [...sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
        if (!due) break;
        sleepers.delete(due);
        now = Math.max(now, due.until);
        due.wake();
      }
      now = end;
      await settle();
    },
  };
}

/** Processes that live until a test ends them. Each has its pid as its start time unless told otherwise. */
export interface FakeLiveness extends Liveness {
  dead: Set<number>;
  starts: Map<number, string>;
}
export function fakeLiveness(): FakeLiveness {
  const dead = new Set<number>();
  const starts = new Map<number, string>();
  return {
    space: 'one',
    dead,
    starts,
    startTime: (pid) => (dead.has(pid) ? null : (starts.get(pid) ?? `started-${pid}`)),
  };
}

export type ToyStore = Store<ToyEvent>;

export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<ToyStore> {
  const store = await openStore<ToyEvent>({
    dir: options.dir ?? tempDir(),
    driver: driver(1),
    kinds: kindsOf(toyKind),
    liveness: fakeLiveness(),
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

export const fact = (at: number, body: ToyFact): ToyEvent => ({ v: 1, at, ...body });
export const begun = (fields: Partial<Extract<ToyFact, { type: 'toy-begun' }>> & { at?: number } = {}) => {
  const { at = 1, ...more } = fields;
  return fact(at, { type: 'toy-begun', target: 1, workspace: '/work', ...more });
};
export const note = (at: number, n = at): ToyEvent => fact(at, { type: 'counted', n });
/** It waits for this stream from here on. */
export const awaits = (at: number, child: string): ToyEvent =>
  fact(at, { type: 'child-started', child, kind: 'toy' });
export const ended = (at: number): ToyEvent => fact(at, { type: 'toy-ended' });
export const asked = (at: number, key = `key-${at}`): ToyEvent => ({
  v: 1,
  type: 'add-requested',
  at,
  key,
  by: someone.actor,
  amount: 1,
});
export const begin = (store: ToyStore, stream = 'run', ...events: [ToyEvent?, ...ToyEvent[]]) => {
  const [first = begun(), ...rest] = events as ToyEvent[];
  return store.begin(stream, { kind: 'toy', id: 'begin', events: [first, ...rest] });
};
