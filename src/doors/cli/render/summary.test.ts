import { expect, test } from 'vitest';
import { docsPlan, makePlan, succeeded, tellStory } from '../../../core/contract/told/testing.ts';
import { createStyle } from './style.ts';
import { renderFinal, renderSummary } from './summary.ts';
import { displayWidth } from './text/width.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });
const look = { style, width: 80, id: '0193a7c2' };

const failing = (onFailure: 'stop' | 'continue' = 'stop') =>
  tellStory(docsPlan(), { onFailure })
    .agree()
    .start(1)
    .finish(1, 40)
    .start(2)
    .fail(2, 200, {
      exitCode: 17,
      message: 'The command exited with 17.',
      stderrTail: `${Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')}\n\x1b[31mno space left\x1b[0m\n`,
    });

test('a run that succeeded says so in one sentence', () => {
  const story = tellStory(makePlan('x', [{ title: 'One' }, { title: 'Two' }])).agree();
  story
    .start(1)
    .finish(1, 100)
    .start(2)
    .finish(2, 61_000)
    .tell({ type: 'run-finished', outcome: 'done', reason: 'completed' });
  expect(renderSummary(story.state, { ...look, now: story.now + 99_999 })).toEqual([
    ' ● Done: all 2 steps succeeded in 1m 01s.',
    '',
    '   Log     planwright logs 0193a7c2',
  ]);
});

test('a failed step is shown with its message, its last output and the way on', () => {
  const story = failing().tell({
    type: 'run-paused',
    reason: 'step-failed',
    message: 'The command exited with 17.',
  });
  expect(renderSummary(story.state, { ...look, now: story.now }).join('\n')).toBe(
    ` ✗ Step 2 of 9 failed: Install dependencies
   1 done · 1 failed · 7 to go · 0.2 s

   The command exited with 17.
   │ line 13
   │ line 14
   │ line 15
   │ line 16
   │ line 17
   │ line 18
   │ line 19
   │ no space left

   Log     planwright logs 0193a7c2 --failed
   Resume  planwright resume 0193a7c2`,
  );
});

test('of several failures the first is shown and the others are counted', () => {
  const story = failing('continue').start(3).fail(3, 10, {});
  story.tell({ type: 'run-finished', outcome: 'failed', reason: 'step-failed' });
  const lines = renderSummary(story.state, { ...look, now: story.now });
  expect(lines[0]).toBe(' ✗ 2 of 9 steps failed.');
  expect(lines).toContain('   Install dependencies');
  expect(lines).toContain('   1 more step failed.');
  expect(lines.some((line) => line.includes('resume'))).toBe(false);
});

test.each([
  [
    { type: 'run-paused', reason: 'paused' },
    ' ◆ Paused before step 2 of 9.',
    'Resume  planwright resume 0193a7c2',
  ],
  [
    { type: 'run-paused', reason: 'approval-needed', message: 'nobody was there' },
    ' ◆ Paused before step 2 of 9: it needs an approval.',
    'nobody was there',
  ],
  [
    { type: 'run-paused', reason: 'limit-time' },
    ' ◆ The run used up its time before step 2 of 9.',
    'Resume  planwright resume 0193a7c2',
  ],
  [
    { type: 'run-finished', outcome: 'cancelled', reason: 'cancelled' },
    ' – Cancelled.',
    '1 done · 8 to go · 0.0 s',
  ],
] as const)('%j', (fact, first, line) => {
  const story = tellStory(docsPlan()).agree().start(1).finish(1, 40).tell(fact);
  const lines = renderSummary(story.state, { ...look, now: story.now });
  expect(lines[0]).toBe(first);
  expect(lines).toContain(`   ${line}`);
});

test('what the run has changed is named, and of much the rest is counted', () => {
  const story = tellStory(docsPlan()).agree().start(1).finish(1, 40);
  const said = (...kinds: ('added' | 'removed' | 'modified')[]) =>
    renderSummary(story.state, {
      ...look,
      now: story.now,
      changes: kinds.map((kind, at) => ({ path: `f${at}`, kind })),
    }).filter((line) => line.includes('Changed'));
  expect(said('added', 'removed', 'modified')).toEqual(['   Changed f0 (new), f1 (deleted), f2.']);
  expect(said(...Array.from({ length: 9 }, () => 'modified' as const))).toEqual([
    '   Changed f0, f1, f2, f3, f4 and 4 more.',
  ]);
  expect(said()).toEqual([]);
  const below = [
    { path: 'out', kind: 'added' },
    { path: 'out/a/b.txt', kind: 'added' },
    { path: 'outer.txt', kind: 'added' },
    { path: 'src', kind: 'mode' },
    { path: 'src/a.ts', kind: 'modified' },
  ] as const;
  const whole = renderSummary(story.state, { ...look, now: story.now, changes: below }).join('\n');
  expect(whole).toContain('Changed out (new), outer.txt (new), src (its mode), src/a.ts.');
});

test('the final view has the whole spine, with long untouched stretches folded', () => {
  const steps = Array.from({ length: 5000 }, (_, i) => ({ title: `Thing ${i + 1}` }));
  const story = tellStory(makePlan('Long', steps)).agree();
  for (let i = 1; i <= 30; i += 1) story.start(i).finish(i, 10);
  story.tell({ type: 'run-paused', reason: 'paused' });
  const lines = renderFinal(story.state, { ...look, now: story.now });
  expect(lines.filter((line) => line.startsWith(' ●'))).toHaveLength(30);
  expect(lines).toContain('         … 4,970 steps not started');
  for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
});

test('the final view has what steps printed where it is little, and the end of what the last one did', () => {
  const story = tellStory(
    makePlan('Print', [{ title: 'Say' }, { title: 'Flood' }, { title: 'List' }]),
  ).agree();
  const print = (number: number, stdoutTail: string, outputBytes = stdoutTail.length) => {
    const attempt = { stepId: `s${number}`, attemptIndex: 0 };
    const result = { ...succeeded, stdoutTail, outputBytes };
    story.start(number).tell({ type: 'step-completed', ...attempt, result, by: 'driver' });
  };
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}\n`).join('');
  print(1, 'hello\n\x1b[31mworld\x1b[0m\n');
  print(2, 'the end of much\n', 100_000);
  print(3, numbered(30));
  const lines = renderFinal(story.state, { ...look, now: story.now }).map((line) => line.trim());
  expect(lines).toContain('│    hello');
  expect(lines).toContain('│    world');
  expect(lines.join('\n')).not.toContain('the end of much');
  expect(lines.filter((line) => /line \d+$/.test(line))).toHaveLength(20);
  expect(lines).toContain('│    line 30');
  const taught = { ...story.state, options: { ...story.state.options!, mode: 'teacher' as const } };
  expect(renderFinal(taught, { ...look, now: story.now }).join('\n')).not.toContain('hello');
});
