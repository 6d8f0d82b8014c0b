import { expect, test } from 'vitest';
import { FailureWhy, project, type RunRow, type RunState, StopReason } from '../index.ts';
import { failureNote, failureWords, furtherWords, stopWords } from './reasons.ts';
import { rowSentence, sentenceOf } from './sentence.ts';
import { stepNote } from './steps.ts';
import { dangerous, docsPlan, makePlan, type Story, succeeded, tellStory } from './testing.ts';

const told = (story: Story) => `${sentenceOf(story.state).tone}: ${sentenceOf(story.state).text}`;
const begun = () => tellStory(docsPlan()).agree();

test('a run says what it is doing', () => {
  expect(told(tellStory(docsPlan()))).toBe('wait: Waiting for you to agree on 9 steps');
  expect(told(begun())).toBe('going: Preparing step 1 of 9');
  const story = begun().start(1);
  expect(told(story)).toBe('going: Running step 1 of 9');
  story.ask({ type: 'pause-requested' });
  expect(told(story)).toBe('going: Running step 1 of 9, then resting');
  story.ask({ type: 'cancel-requested' });
  expect(told(story)).toBe('quiet: Cancelling');
  const again = begun()
    .start(1)
    .fail(1, 5, {})
    .tell({ type: 'agent-thinking', stepId: 's1', attemptIndex: 0 });
  expect(told(again)).toBe('mind: Finding out why step 1 of 9 failed');
  expect(told(begun().tell({ type: 'step-offered', stepId: 's2' }))).toBe('wait: Your turn: step 2 of 9');
});

test('a repair has no number of its own, and does not renumber the plan', () => {
  const steps = [{ title: 'a' }, { title: 'fix', repairs: 's3' }, { title: 'b' }];
  const story = tellStory(makePlan('x', steps)).agree().start(1).finish(1, 5).start(2);
  expect(told(story)).toBe('mind: Mending step 2 of 2');
  expect(told(story.finish(2, 5).start(3))).toBe('going: Running step 2 of 2');
  const deep = makePlan('x', [
    { title: 'fix the fix', repairs: 's2' },
    { title: 'fix', repairs: 's3' },
    { title: 'b' },
  ]);
  expect(told(tellStory(deep).agree().start(1))).toBe('mind: Mending a repair of step 1');
});

test('a run that does not go on says why, and at which step', () => {
  const failed = () => begun().start(1).finish(1, 5).start(2).fail(2, 5, {});
  const paused = (reason: StopReason, story = failed()) => told(story.tell({ type: 'run-paused', reason }));
  expect(paused('step-failed')).toBe('fail: Step 2 of 9 failed');
  expect(paused('agent-stuck')).toBe('fail: Step 2 of 9 failed, and the limits for mending it are reached');
  expect(paused('approval-denied')).toBe('quiet: Step 2 of 9 was denied');
  expect(paused('step-failed', failed().start(3).fail(3, 5, {}))).toBe('fail: 2 of 9 steps failed');
  expect(paused('paused', begun())).toBe('quiet: Paused before step 1 of 9');
  const lost = begun().start(4);
  lost.tell({ type: 'step-interrupted', stepId: 's4', attemptIndex: 0, finding: 'unknown', detail: 'gone' });
  expect(paused('interrupted-unknown', lost)).toBe('wait: Nobody knows whether step 4 of 9 was done');
});

test('a run that was cancelled at a question says so, and what was asked', () => {
  const story = begun().start(1).finish(1, 5);
  const { action } = story.state.plan!.steps[1]!;
  const subject = { run: 'r', stepId: 's2', revision: 0, action, cwd: '/', paths: [] };
  const asked = { approvalId: 'a', verdict: dangerous, subject, fingerprint: 'f' };
  story.tell({ type: 'approval-needed', ...asked }, { type: 'approval-denied', approvalId: 'a' });
  expect(told(story.tell({ type: 'run-paused', reason: 'approval-denied' }))).toBe(
    'quiet: Step 2 of 9 was denied',
  );
  const end = { type: 'run-finished', outcome: 'cancelled', reason: 'approval-denied' } as const;
  expect(told(story.tell(end))).toBe('quiet: Cancelled: step 2 of 9 was denied');
});

test('a run that is done says how much of it', () => {
  const plan = makePlan('x', [{ title: 'a' }, { title: 'b' }]);
  const finished = { type: 'run-finished', outcome: 'done', reason: 'completed' } as const;
  const all = tellStory(plan).agree().start(1).finish(1, 5).start(2).finish(2, 5);
  expect(told(all.tell(finished))).toBe('done: Done: all 2 steps succeeded');
  const some = tellStory(plan).agree().start(1).finish(1, 5);
  some.tell({ type: 'step-skipped', stepId: 's2', reason: 'requested' }, finished);
  expect(told(some)).toBe('done: Done: 1 of 2 steps succeeded, the others were skipped');
});

test('every stop reason and every failure has words of its own, not its code', () => {
  const stops = StopReason.options.map((reason) => stopWords(reason));
  expect(new Set(stops).size).toBe(stops.length);
  for (const words of stops) expect(words).toMatch(/^[A-Z][a-z ]/);
  const failures = FailureWhy.options.map((why) => failureNote({ why, exitCode: 17, signal: 'SIGKILL' }));
  expect(new Set(failures).size).toBe(failures.length);
  expect(failures.slice(0, 3)).toEqual(['exit 17', 'ended by SIGKILL', 'timed out']);
  for (const words of [...stops, ...failures]) expect(words).not.toMatch(/[a-z]-[a-z]|undefined|null/);
  expect(failureWords({ ...succeeded, why: 'timeout' })).toBe('failed: timed out');
  expect(failureWords(null)).toBe('failed');
});

test('a row tells the same as its run, as far as it knows', () => {
  const rowOf = ({ events }: Story) =>
    events.reduce<RunRow | null>((row, event) => project(row, event), null)!;
  expect(rowSentence(rowOf(tellStory(docsPlan())), 0)).toEqual({ text: 'Agree?', tone: 'wait' });
  const decided = { ...rowOf(tellStory(docsPlan())), unanswered: [{ seq: 2, at: 0 }] };
  expect(rowSentence(decided, 0)).toEqual({ text: 'Decided, not acted on yet', tone: 'quiet' });
  expect(rowSentence(rowOf(begun().start(2)), 0)).toEqual({ text: 'Running step 2 of 9', tone: 'going' });
  const story = begun().start(2).fail(2, 5, {});
  story.tell({ type: 'run-paused', reason: 'step-failed' });
  expect(rowSentence(rowOf(story), 0)).toEqual({ text: 'Step 2 of 9 failed', tone: 'fail' });
  const done = begun().tell({ type: 'run-finished', outcome: 'done', reason: 'completed' });
  expect(rowSentence(rowOf(done), 0)).toEqual({ text: 'Done', tone: 'done' });
});

test('a run that nobody drives says so, and for how long', () => {
  const story = begun().start(2);
  const row = story.events.reduce<RunRow | null>((row, event) => project(row, event), null)!;
  const now = 1000 + 187_000;
  const text = 'Running step 2 of 9: no driver for 3m 07s';
  expect(rowSentence({ ...row, undrivenSince: 1000 }, now)).toEqual({ text, tone: 'wait' });
  expect(sentenceOf(story.state, { since: 1000, now })).toEqual({ text, tone: 'wait' });
  const done = story.tell({ type: 'run-finished', outcome: 'done', reason: 'completed' });
  expect(sentenceOf(done.state, { since: 1000, now }).text).not.toContain('driver');
});

test('a step says beside its title what is special about it', () => {
  const steps = [
    { title: 'a' },
    { title: 'b', after: ['s1'] },
    { title: 'c', action: { kind: 'manual', text: 't' } as const },
  ];
  const story = tellStory(makePlan('x', steps)).agree();
  const notes = ({ plan, steps, ...rest }: RunState) =>
    steps.map((state, at) => stepNote(plan!.steps[at]!, state, { plan, steps, ...rest }));
  expect(notes(story.state)).toEqual(['', '', 'by hand']);
  story.start(1).fail(1, 5, { exitCode: 3 }).start(1).fail(1, 5, { why: 'timeout' });
  story.tell({ type: 'step-skipped', stepId: 's2', reason: 'dependency', detail: 's1' });
  expect(notes(story.state)).toEqual(['timed out, attempt 2', 'skipped: needs step 1', 'by hand']);
});

test('a run that did without a step that failed says so, and not in the tone of one that is done', () => {
  const story = begun().start(1).fail(1, 5, {});
  story.tell(
    { type: 'step-skipped', stepId: 's1', reason: 'requested' },
    { type: 'run-finished', outcome: 'done', reason: 'completed-with-skips' },
  );
  expect(told(story)).toMatch(/^wait: Done without a step that failed: 0 of 9 steps succeeded/);
});

test('what the note of a failure says is not said again', () => {
  expect(furtherWords({ message: 'exited with code 17' })).toBeNull();
  expect(furtherWords({ message: 'exited with code 127: npm is not installed' })).toMatch(/npm/);
  expect(furtherWords(null)).toBeNull();
});
