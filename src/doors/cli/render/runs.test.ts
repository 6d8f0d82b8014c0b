import { expect, test } from 'vitest';
import { noCost, project, type RunRow } from '../../../core/contract/index.ts';
import { docsPlan, epoch, tellStory } from '../../../core/contract/told/testing.ts';
import { renderRunDetails } from './details.ts';
import { renderRunsTable, shortIds } from './runs.ts';
import { createStyle } from './style.ts';
import { displayWidth } from './text/width.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });
const now = epoch + 3 * 3_600_000;

const row = (id: string, change: Partial<RunRow> = {}): RunRow => ({
  id,
  kind: 'run',
  state: 'done',
  goal: 'Build the docs site, serve it on 8080 and check every page',
  mode: 'planner',
  workspace: '/home/ada/work',
  stopReason: null,
  waitingFor: null,
  currentStep: null,
  stepsTotal: 9,
  stepsDone: 9,
  createdAt: epoch,
  updatedAt: epoch,
  endedAt: null,
  wakeAt: null,
  goesOn: false,
  awaits: null,
  unanswered: [],
  services: [],
  ...noCost,
  ...change,
});

const rows = [
  row('0193a7c2-8f11'),
  row('0193a7c1-77aa', { state: 'failed', stepsDone: 4, goal: 'Move the 日本語 pages' }),
  row('0193a7c1-2b00', {
    state: 'waiting',
    waitingFor: 'approval',
    stepsDone: 12,
    stepsTotal: 5000,
    updatedAt: now,
  }),
  row('0193a7bf-0000', { state: 'running', stepsDone: 1, goal: 'a\nb' }),
];

test('runs at 80 columns', () => {
  expect(renderRunsTable(rows, { style, width: 80, now }).join('\n')).toBe(
    ` Run         State         Steps  When      Goal
 0193a7c2-8  ● done          9/9  3 h ago   Build the docs site, serve it on 8…
 0193a7c1-7  ✗ failed        4/9  3 h ago   Move the 日本語 pages
 0193a7c1-2  ◆ approve?  12/5000  just now  Build the docs site, serve it on 8…
 0193a7bf-0  ◉ running       1/9  3 h ago   a\\nb`,
  );
});

test('a run that did without a step is not listed like one that did all', () => {
  const skipped = row('0193a7c2-8f11', { stopReason: 'completed-with-skips', stepsDone: 8 });
  expect(renderRunsTable([skipped], { style, width: 80, now })[1]).toContain('● done, not all    8/9');
});

test('a narrow terminal keeps what tells runs apart; a pipe keeps everything', () => {
  const narrow = renderRunsTable(rows, { style, width: 40, now });
  expect(narrow[1]).toBe(' 0193a7c2-8  ● done      Build the doc…');
  for (const line of narrow) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  const piped = renderRunsTable(rows, { style, width: Number.POSITIVE_INFINITY, now });
  expect(piped[1]).toContain('Build the docs site, serve it on 8080 and check every page');
});

test('without runs it says how to start one', () => {
  expect(renderRunsTable([], { style, width: 80, now })).toEqual([
    ' No runs here yet. `planwright run FILE` starts one.',
  ]);
});

test('short ids tell runs apart', () => {
  expect(shortIds(['abcdefghij', 'abcdefghxx'])).toEqual(['abcdefghi', 'abcdefghx']);
  expect(shortIds(['one', 'two'])).toEqual(['one', 'two']);
  expect(shortIds(['abcdefghij', 'abcdefghij'])).toEqual(['abcdefgh', 'abcdefgh']);
});

test('show has everything about a run on one page', () => {
  const story = tellStory(docsPlan(), { excluded: ['s3'] })
    .agree()
    .start(1)
    .finish(1, 40)
    .start(2);
  story.fail(2, 61_000, { exitCode: 17, message: 'The command exited with 17.\nSee the log.' });
  story.tell({ type: 'run-paused', reason: 'step-failed', message: 'The command exited with 17.' });
  let projected: RunRow | null = null;
  for (const event of story.events) projected = project(projected, event);
  const lines = renderRunDetails(projected!, story.state, { style, width: 70, now, home: '/home/ada' });
  expect(lines.filter((line) => !line.startsWith(' Started')).join('\n')).toBe(
    ` Build the docs site, serve it on 8080 and check every page

 Run      0193a7c2-run
 State    Step 2 of 9 failed
 Why      The command exited with 17.
 Steps    1 of 9 done
 Mode     planner
 Where    ~/work/docs-site
 Took     1m 01s
 Resume   planwright resume 0193a7c2-run

 ● 1  Make the output folder                                    0.0 s
 ✗ 2  Install dependencies  exit 17                            1m 01s
 │    The command exited with 17.
 – 3  Lint the Markdown  not selected
 ○ 4  Render pages
 ○ 5  Publish into build/
 ○ 6  Serve build/ on port 8080
 ○ 7  Check that every page answers
 ○ 8  Write the report
 ○ 9  Tell the docs channel by hand`,
  );
});

test('the clock of a step that nobody drives stands still, as that of its run does', () => {
  const story = tellStory(docsPlan()).agree().start(1);
  let projected: RunRow | null = null;
  for (const event of story.events) projected = project(projected, event);
  const since = story.events.at(-1)!.event.at + 2000;
  const look = { style, width: 70, now, home: '/home/ada' };
  const lines = renderRunDetails({ ...projected!, undrivenSince: since }, story.state, look);
  expect(lines.find((line) => line.includes('1  Make the output folder'))).toMatch(/ 2\.0 s$/);
});
