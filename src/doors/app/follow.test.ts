import { expect, test } from 'vitest';
import type { RunState, StoredEvent } from '../../core/contract/index.ts';
import { play } from '../../core/run/testing/play.ts';
import type { App } from './app.ts';
import { follow } from './follow.ts';

/** A run of so many steps, followed; `looks` is what the view does with each state. Answers which parts were gone through. */
async function followed(looks: (state: RunState) => unknown): Promise<{ arrays: number; seen: unknown[] }> {
  const { events } = await play({ commands: ['a', 'b', 'c'], options: { mode: 'planner' } });
  let arrays = 0;
  const seen: unknown[] = [];
  const value = <T>(part: T): T => {
    if (Array.isArray(part) && part.some((each) => each?.status !== undefined)) arrays += 1;
    return typeof part === 'string' ? (part.replace('g', '[secret]') as T) : part;
  };
  const app = {
    redactorFor: () => ({
      value,
      bytes: () => ({ write: (c: Uint8Array) => c, flush: () => new Uint8Array() }),
    }),
    runs: {
      async *watch(): AsyncGenerator<StoredEvent> {
        yield* events;
      },
    },
    streams: {
      output: {
        async *follow() {},
        read: async () => ({ bytes: new Uint8Array(), next: 0 }),
      },
    },
  };
  const view = {
    event: (_: StoredEvent, state: RunState) => void seen.push(looks(state)),
    output: () => {},
  };
  const following = follow(app as unknown as App, 'r', view);
  await following.caughtUp(events.at(-1)!.seq);
  await following.stop();
  return { arrays, seen };
}

test('what a view does not look at is not gone through, at no event', async () => {
  expect((await followed(() => null)).arrays).toBe(0);
});

test('what it looks at has no secret in it', async () => {
  const { arrays, seen } = await followed((state) => [state.workspace, state.steps.length]);
  expect(seen.at(-1)).toEqual(['/w', 3]);
  expect(arrays).toBeGreaterThan(0);
  expect((await followed((state) => state.status)).seen.at(-1)).toBe('done');
  expect((await followed((state) => ({ ...state }).status)).seen.at(-2)).toBe('runnin[secret]');
});
