import { expect, test } from 'vitest';
import type { RunState, StoredEvent } from '../../core/contract/index.ts';
import { play } from '../../core/run/testing/play.ts';
import type { App } from './app.ts';
import { follow } from './follow.ts';

const noBytes = async () => ({ bytes: new Uint8Array(), next: 0 });

/** Where these events are those of a run, and `read` reads what its steps said. */
const appWith = (events: Iterable<StoredEvent>, value: <T>(part: T) => T, read = noBytes) => {
  const bytes = () => ({ write: (c: Uint8Array) => c, flush: () => new Uint8Array() });
  async function* watch(): AsyncGenerator<StoredEvent> {
    yield* events;
  }
  const app = {
    redactorFor: () => ({ value, bytes }),
    runs: { watch },
    streams: { output: { async *follow() {}, read } },
  };
  return app as unknown as App;
};

/** A run of so many steps, followed; `looks` is what the view does with each state. Answers which parts were gone through. */
async function followed(looks: (state: RunState) => unknown): Promise<{ arrays: number; seen: unknown[] }> {
  const { events } = await play({ commands: ['a', 'b', 'c'], options: { mode: 'planner' } });
  let arrays = 0;
  const seen: unknown[] = [];
  const value = <T>(part: T): T => {
    if (Array.isArray(part) && part.some((each) => each?.status !== undefined)) arrays += 1;
    return typeof part === 'string' ? (part.replace('g', '[secret]') as T) : part;
  };
  const view = {
    event: (_: StoredEvent, state: RunState) => void seen.push(looks(state)),
    output: () => {},
  };
  const following = follow(appWith(events, value), 'r', view);
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

test('it has caught up once the view was told, and not while the output before that is being read', async () => {
  const { events } = await play({ commands: ['a'], options: { mode: 'planner' } });
  const outcome = events.find(({ event }) => event.type === 'step-completed')!.seq;
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const read = () => {
    asked.resolve();
    return answer.promise.then(noBytes);
  };
  let told = 0;
  const view = { event: ({ seq }: StoredEvent) => void (told = seq), output: () => {} };
  const following = follow(
    appWith(events, (part) => part, read),
    'r',
    view,
  );
  await asked.promise;
  const toldThen = following.caughtUp(outcome).then(() => told);
  // Were it wrong, it would be said by now.
  await new Promise(setImmediate);
  answer.resolve();
  expect(await toldThen).toBeGreaterThanOrEqual(outcome);
  await following.stop();
});

test('whoever stopped, or came too late to be told, is not kept waiting', async () => {
  const following = follow(
    appWith([], (part) => part),
    'r',
    { event: () => {}, output: () => {} },
  );
  await following.nextEvent(AbortSignal.abort());
  const waiting = following.caughtUp(1);
  await following.stop();
  await waiting;
  await following.caughtUp(1);
});
