import { expect, test } from 'vitest';
import { play } from '../../core/run/testing/play.ts';
import { exitCodes } from './errors.ts';
import { exitCodeOf } from './outcome.ts';

test('whoever watches a run ends as its driver does', async () => {
  const asks = await play({ commands: ['rm x'], level: () => 'dangerous', options: { onAsk: 'wait' } });
  const stopped = await play({ commands: ['rm x'], level: () => 'dangerous', options: { onAsk: 'fail' } });
  const failed = await play({ commands: ['a'], attempt: () => 1, options: { mode: 'planner' } });
  const done = await play({ commands: ['a'] });
  const ends = [asks, stopped, failed, done].map(({ state }) => ({
    driver: exitCodeOf(state.ended ? 'finished' : state.status === 'waiting' ? 'waiting' : 'paused', state),
    watcher: exitCodeOf('claimed', state),
  }));
  expect(ends.map(({ driver }) => driver)).toEqual([
    exitCodes.needsPerson,
    exitCodes.needsPerson,
    exitCodes.failed,
    exitCodes.done,
  ]);
  for (const { driver, watcher } of ends) expect(watcher).toBe(driver);
});
