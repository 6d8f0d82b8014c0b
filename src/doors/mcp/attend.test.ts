import { expect, test } from 'vitest';
import { initialRunState, type RunState } from '../../core/contract/index.ts';
import { untilRest } from './attend.ts';
import type { Visit } from './desk.ts';

/** A run that ends when it has been read so often, by whatever is read of it. */
function endsAfter(reads: number): Visit {
  let left = reads;
  const isOver = () => left-- <= 0;
  const state = (): RunState =>
    isOver()
      ? { ...initialRunState, seq: 2, status: 'done', stopReason: 'completed', ended: true }
      : { ...initialRunState, seq: 1, status: 'running' };
  const app = {
    runs: { state: async () => state() },
    streams: {
      lastSeq: async () => state().seq,
      row: async () => ({ goesOn: !state().ended, unanswered: [] }),
      // Nothing comes after the end: whoever waits for that waits in vain.
      changed: async (_: string, seq: number) => {
        if (seq >= 2) throw new Error('it waits for what never comes');
        left = 0;
      },
    },
    redactorFor: () => ({ value: <T>(value: T) => value }),
  };
  return {
    desk: { app },
    signal: new AbortController().signal,
    progress: async () => {},
  } as unknown as Visit;
}

test.each([0, 1, 2, 3, 4, 5, 6])(
  'a run that ends while it is looked at is answered as it ended, after %i reads',
  async (reads) => {
    expect(await untilRest(endsAfter(reads), 'run', 600)).toMatchObject({ status: 'done', ended: true });
  },
);
