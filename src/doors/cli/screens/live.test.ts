import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { docsPlan, tellStory } from '../../../core/contract/told/testing.ts';
import type { Context } from '../context.ts';
import { createLive } from './live.ts';

const verdict = { level: 'safe', reasons: [], reversible: true, needs: [], paths: [] } as const;

/** What a live view writes when a look has something against the second step. */
function shown(mode: 'planner' | 'teacher'): string {
  const writes: string[] = [];
  const stderr = Object.assign(new EventEmitter(), {
    write: (text: string) => writes.push(text),
    columns: 80,
    rows: 24,
    isTTY: true,
    writableNeedDrain: false,
  });
  const context = { env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, cwd: '/', stderr } as unknown as Context;
  const step = docsPlan().steps[1]!;
  const subject = { run: 'r', stepId: step.id, revision: 0, action: step.action, cwd: '/', paths: [] };
  const warnings = [{ message: './build.sh is not there.', said: 'x', exitCode: 127 }];
  const judged = { type: 'step-judged' as const, verdict, subject, fingerprint: 'f', warnings };
  const story = tellStory(docsPlan(), { mode })
    .agree()
    .tell(judged as never);
  const live = createLive(context, 'r');
  live.event({ seq: 9, event: { ...judged, v: 1, at: 1 } } as never, story.state);
  live.finish(story.state, []);
  return writes.join('');
}

test('what a look has against a step stays in the scrollback of the live view', () => {
  expect(shown('planner')).toContain('./build.sh is not there.');
});

test('a teacher has it in the question, and not twice', () => {
  expect(shown('teacher')).not.toContain('./build.sh is not there.');
});
