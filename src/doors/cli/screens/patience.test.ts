import { expect, test } from 'vitest';
import { makePlan, tellStory } from '../../../core/contract/told/testing.ts';
import { withPatience } from './patience.ts';
import { silentView } from './run-view.ts';

test('a step that is silent for long is told, less and less often, until it speaks', () => {
  let now = 0;
  let look = () => {};
  let ended = false;
  const clock = {
    now: () => now,
    every: (_ms: number, tick: () => void) => {
      look = tick;
      return () => {
        ended = true;
      };
    },
  };
  const notes: string[] = [];
  const view = withPatience({ ...silentView, note: (text) => void notes.push(text) }, clock);
  const story = tellStory(makePlan('Wait', [{ title: 'Install' }, { title: 'Test' }]))
    .agree()
    .start(1);
  const after = (ms: number) => {
    now += ms;
    look();
    return notes.splice(0);
  };
  view.event(story.events.at(-1)!, story.state);
  expect(after(29_999)).toEqual([]);
  expect(after(1)).toEqual([expect.stringMatching(/^Running step 1 of 2, silent for 30\.0 s: \S/)]);
  expect(after(29_999)).toEqual([]);
  expect(after(1)).toEqual([expect.stringContaining('silent for 1m 00s')]);
  view.output(new Uint8Array(1));
  expect(after(29_999)).toEqual([]);
  expect(after(1)).toHaveLength(1);
  // A run that rests waits for nothing that a line could name.
  view.event(story.events.at(-1)!, story.tell({ type: 'run-paused', reason: 'paused' }).state);
  expect(after(100_000)).toEqual([]);
  view.finish(story.state, []);
  expect(ended).toBe(true);
});
