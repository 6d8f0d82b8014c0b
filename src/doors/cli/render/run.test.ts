import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunState } from '../../../core/contract/index.ts';
import { docsPlan, makePlan, tellStory } from '../../../core/contract/told/testing.ts';
import { renderRun } from './run.ts';
import { createStyle } from './style.ts';
import { displayWidth } from './text/width.ts';
import { windowAround } from './window.ts';

const plain = createStyle({ env: { LANG: 'C.UTF-8', NO_COLOR: '1' }, isTTY: true });
const colored = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: true });
const ascii = createStyle({ env: { TERM: 'dumb' }, isTTY: true });

const running = () =>
  tellStory(docsPlan())
    .agree()
    .start(1)
    .finish(1, 40)
    .start(2)
    .finish(2, 11_200)
    .start(3)
    .finish(3, 1900)
    .start(4)
    .wait(6300);
const draw = (story: { state: RunState; now: number }, width: number, height: number, tail: string[] = []) =>
  renderRun(story.state, { style: plain, now: story.now, tail, width, height, title: '0193a7c2' }).join('\n');
const tail = [
  'rendered guide/install.md',
  '\x1b[32mrendered\x1b[0m guide/日本語.md and a line that is too long',
  '10%\r87%',
];

test('a run at 80 columns', () => {
  expect(draw(running(), 80, 24, tail)).toBe(
    ` Build the docs site, serve it on 8080 and check every page            0193a7c2
 ◉ Running step 4 of 9 · 3 done                                          19.4 s
 ━━━━━━━━━━━━━━━━━━━━━━━━━━────────────────────────────────────────────────────

 ● 1  Make the output folder                                              0.0 s
 ● 2  Install dependencies                                               11.2 s
 ● 3  Lint the Markdown                                                   1.9 s
 ⠦ 4  Render pages                                                        6.3 s
 │    rendered guide/install.md
 │    rendered guide/日本語.md and a line that is too long
 │    87%
 ○ 5  Publish into build/
 ○ 6  Serve build/ on port 8080
 ○ 7  Check that every page answers
 ○ 8  Write the report
 ○ 9  Tell the docs channel by hand

 Ctrl-C to rest and resume later, twice to cancel`,
  );
});

test('a run at 40 columns and 15 lines', () => {
  expect(draw(running(), 40, 15, tail)).toBe(
    ` Build the docs site, serve it on 8080…
 ◉ Running step 4 of 9 · 3 done  19.4 s
 ━━━━━━━━━━━━──────────────────────────

 ● 1  Make the output folder      0.0 s
 ● 2  Install dependencies       11.2 s
 ● 3  Lint the Markdown           1.9 s
 ⠦ 4  Render pages                6.3 s
 │    rendered guide/install.md
 │    rendered guide/日本語.md and a l…
 │    87%
 ○ 5  Publish into build/
      … 4 more below

 Ctrl-C to rest, twice to cancel`,
  );
});

test('at 200 columns durations stay near their titles, output uses the width', () => {
  const lines = draw(running(), 200, 24, [`x${'-'.repeat(300)}`]).split('\n');
  expect(displayWidth(lines[5]!)).toBe(99);
  expect(displayWidth(lines[8]!)).toBe(199);
});

test('without a locale the frame is ASCII', () => {
  const story = running();
  const lines = renderRun(story.state, { style: ascii, now: story.now, tail: ['ok'], width: 60, height: 20 });
  expect(lines.join('\n')).toMatch(/^[\x0a\x20-\x7e]*$/);
  expect(lines[4]).toMatch(/^ \* 1 {2}Make the output folder +0\.0 s$/);
});

test('colours say states, and removing them changes nothing else', () => {
  const story = running();
  const frame = { now: story.now, tail, width: 80, height: 24, title: '0193a7c2' };
  const painted = renderRun(story.state, { ...frame, style: colored }).join('\n');
  expect(painted).toContain('\x1b[32m●\x1b[39m');
  expect(painted.replaceAll(/\x1b\[\d+m/g, '')).toBe(draw(story, 80, 24, tail));
});

test('attempts, failures, skips and questions stand beside the title', () => {
  const story = tellStory(docsPlan(), { onFailure: 'continue', excluded: ['s3'] }).agree();
  story
    .start(1)
    .fail(1, 300, { exitCode: 17, message: 'no' })
    .start(2)
    .fail(2, 100, {})
    .ask({ type: 'retry-requested', stepId: 's2' });
  story.tell({ type: 'step-reset', stepId: 's2', answers: story.state.seq }).start(2).wait(500);
  story.tell({ type: 'step-skipped', stepId: 's4', reason: 'dependency', detail: 's1' });
  const lines = draw(story, 80, 24).split('\n');
  expect(lines[1]).toBe(' ◉ Running step 2 of 9, attempt 2 · 0 done · 1 failed                     0.9 s');
  expect(lines.slice(4, 8)).toEqual([
    ' ✗ 1  Make the output folder  exit 17                                     0.3 s',
    expect.stringMatching(/^ \S 2 {2}Install dependencies {2}attempt 2 +0\.5 s$/),
    ' – 3  Lint the Markdown  not selected',
    ' – 4  Render pages  skipped: needs step 1',
  ]);
});

test('a repair is indented, has no number, and renumbers nothing', () => {
  const plan = makePlan('Mend', [
    { title: 'First' },
    { title: 'Make room', repairs: 's3' },
    { title: 'Second' },
  ]);
  const story = tellStory(plan).agree().start(1).finish(1, 10).start(2).wait(200);
  const lines = draw(story, 80, 24).split('\n');
  expect(lines[1]).toMatch(/^ ◉ Mending step 2 of 2 · 1 done /);
  expect(lines[5]).toMatch(/^ \S {6}Make room +0\.2 s$/);
  expect(lines[6]).toBe(' ○ 2  Second');
  const frame = { now: story.now, tail: [], width: 80, height: 24, style: colored };
  expect(renderRun(story.state, frame).join('\n')).toContain('\x1b[35mMake room\x1b[39m');
});

test('keys that were pressed change what the keys do', () => {
  const story = running().ask({ type: 'pause-requested' });
  expect(draw(story, 80, 24)).toContain('Running step 4 of 9, then resting');
  expect(draw(story, 80, 24)).toContain('Ctrl-C again ends the step and cancels the run');
  expect(draw(story.ask({ type: 'cancel-requested' }), 80, 24)).not.toContain('Ctrl-C');
});

const long = tellStory(
  makePlan(
    'Long',
    Array.from({ length: 5000 }, (_, i) => ({ title: `Do thing ${i + 1} 日本語` })),
  ),
).agree();
long.start(2500).wait(500);

test('of 5,000 steps those around the current one are shown', () => {
  const lines = draw(long, 80, 24, tail).split('\n');
  expect(lines[4]).toMatch(/ … 249\d more above$/);
  expect(lines.some((line) => / 2500 {2}Do thing 2500 /.test(line))).toBe(true);
  expect(lines.length).toBe(24);
});

test('no frame exceeds its width or its height', () => {
  const size = (max: number) => fc.integer({ min: 0, max });
  const stories = [
    long,
    running(),
    tellStory(docsPlan()),
    running().fail(4, 10, {}).tell({ type: 'run-paused', reason: 'step-failed' }),
  ];
  const output = fc.array(fc.string({ unit: 'binary', maxLength: 120 }), { maxLength: 9 });
  fc.assert(
    fc.property(
      fc.constantFrom(...stories),
      size(130),
      size(40),
      output,
      size(6),
      (story, width, height, printed, tailRows) => {
        for (const style of [plain, ascii, colored]) {
          const lines = renderRun(story.state, {
            style,
            now: story.now,
            tail: printed,
            width,
            height,
            tailRows,
          });
          expect(lines.length).toBeLessThanOrEqual(height);
          for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        }
      },
    ),
  );
});

test('a window has the focus in it, fills its rows, and hides no single step', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.nat(59),
      fc.integer({ min: 1, max: 20 }),
      (total, at, rows) => {
        const focus = at % total;
        const { from, to, above, below } = windowAround(total, focus, rows);
        expect(from <= focus && focus < to).toBe(true);
        if (rows < 3 && total > rows) return;
        expect(to - from + Number(above > 0) + Number(below > 0)).toBe(Math.min(total, rows));
        expect([above, below]).toEqual([from, total - to]);
        expect(above).not.toBe(1);
        expect(below).not.toBe(1);
      },
    ),
  );
});
