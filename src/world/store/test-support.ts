import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Driver, EventOf, RunEvent } from '../../core/contract/index.ts';
import type { Clock } from '../../core/stream/index.ts';
import type { Liveness } from './liveness.ts';
import { openStore, type Store, type StoreOptions } from './store.ts';

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

export async function openTestStore(options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({
    dir: options.dir ?? tempDir(),
    driver: driver(1),
    liveness: fakeLiveness(),
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

export const planCreated = (fields: { at?: number; goal?: string; workspace?: string } = {}): RunEvent => {
  const { at = 1, goal = 'a goal', workspace = '/work' } = fields;
  const plan = { revision: 1, goal, mode: 'planner', shell: 'bash', steps: [] };
  const options = { mode: 'planner' };
  return {
    v: 1,
    type: 'plan-created',
    at,
    plan,
    hash: 'hash',
    place: { host: 'here', boot: 'boot-1', workspace },
    options,
  } as unknown as EventOf<'plan-created'>;
};
export const finished = (at: number, outcome: 'done' | 'failed' | 'cancelled' = 'done'): RunEvent => ({
  v: 1,
  type: 'run-finished',
  at,
  outcome,
  reason: 'completed',
});
export const note = (at: number, stepId = 'step'): RunEvent => ({ v: 1, type: 'step-offered', at, stepId });
export const cancel = (at: number, key = `key-${at}`): RunEvent => ({
  v: 1,
  type: 'cancel-requested',
  at,
  key,
  by: 'test',
});
