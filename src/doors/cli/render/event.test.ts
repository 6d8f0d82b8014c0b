import { expect, test } from 'vitest';
import { eventTypes, type RunEvent } from '../../../core/contract/index.ts';
import { command, dangerous, makePlan, succeeded, tellStory } from '../../../core/contract/told/testing.ts';
import { isBookkeeping, renderEventLine } from './event.ts';

const plan = makePlan('Publish', [
  { title: 'Build' },
  { title: 'Make room', repairs: 's3' },
  { title: 'Copy', after: ['s1'] },
]);
const { state } = tellStory(plan);
const subject = { run: 'r', stepId: 's3', revision: 0, action: command('rm -rf x'), cwd: '/w', paths: [] };
const first = { stepId: 's1', attemptIndex: 0 };
const again = { stepId: 's3', attemptIndex: 2 };
const model = { provider: 'local', model: 'big' };
const group = { pgid: 4242, startTime: '1', boot: 'b' };
const failed = { ...succeeded, exitCode: 17, durationMs: 200, why: 'exit-code', message: 'two\nlines' };

const mkdir = {
  action: 'insert_steps',
  newSteps: [{ step: 'Make it', action: 'CREATE_DIR out' }],
  reasoning: 'The folder is\nmissing.',
  confidence: 0.9,
  source: { brain: 'rule', name: 'missing-parents' },
};

/** The lines that people grep for: a change here is a change for them. */
const lines: [Record<string, unknown> & { type: string }, string][] = [
  [
    { type: 'plan-created', plan, options: { mode: 'planner' }, place: { workspace: '/w' } },
    'run created: Publish (3 steps, planner mode, in /w)',
  ],
  [{ type: 'plan-confirmed', revision: 0 }, 'plan agreed (revision 0)'],
  [{ type: 'plan-rejected', revision: 0, reason: 'not now' }, 'plan rejected (revision 0): not now'],
  [
    { type: 'plan-revised', revision: 1, source: 'cli', reason: 'a typo' },
    'plan revised by cli (revision 1): a typo',
  ],
  [
    { type: 'driver-claimed', epoch: 2, driver: { pid: 7, host: 'box', boot: 'b' } },
    'run taken by process 7 on box (epoch 2)',
  ],
  [
    { type: 'environment-differs', added: [], removed: ['DEPLOY_TOKEN'], changed: ['HOME', 'PATH'] },
    'warning: the environment is not the one that the run was given: HOME, PATH are others; DEPLOY_TOKEN is missing',
  ],
  [
    {
      type: 'plan-created',
      plan,
      options: { mode: 'planner' },
      place: { workspace: '' },
      gitSource: { url: 'https://example.org/r.git', commit: '0123456789abcdef' },
    },
    'run created: Publish (3 steps, planner mode, from https://example.org/r.git at 0123456789ab)',
  ],
  [{ type: 'place-taken', place: { host: 'box', workspace: '/c/r' } }, 'run taken up on box (in /c/r)'],
  [
    { type: 'work-carried', parcel: { bytes: 2_000_000 } },
    'what it changed is kept for other machines (2.0 MB)',
  ],
  [
    { type: 'work-carried', parcel: null, message: 'it is too much' },
    'warning: the run cannot go on elsewhere: it is too much',
  ],
  [{ type: 'step-offered', stepId: 's1' }, 'step 1/2 offered: Build'],
  [{ type: 'step-accepted', stepId: 's1' }, 'step 1/2 accepted: Build'],
  [{ type: 'step-judged', verdict: dangerous, subject }, 'step 2/2 judged dangerous: Copy'],
  [
    { type: 'approval-needed', approvalId: 's3.1', verdict: dangerous, subject },
    'step 2/2 needs approval: Copy (s3.1, dangerous: Deletes files.)',
  ],
  [{ type: 'approval-granted', approvalId: 's3.1' }, 'approval s3.1 granted'],
  [{ type: 'approval-denied', approvalId: 's3.1', reason: 'too much' }, 'approval s3.1 denied: too much'],
  [{ type: 'step-started', ...first }, 'step 1/2 started: Build'],
  [{ type: 'step-started', ...again }, 'step 2/2 started (attempt 3): Copy'],
  [{ type: 'step-started', stepId: 's2', attemptIndex: 0 }, 'repair of step 2/2 started: Make room'],
  [{ type: 'step-started', stepId: 'gone', attemptIndex: 0 }, 'step gone started: gone'],
  [{ type: 'process-spawned', ...first, group }, 'step 1/2 has process group 4242: Build'],
  [
    { type: 'step-completed', ...first, result: { ...succeeded, durationMs: 11_240 }, by: 'driver' },
    'step 1/2 done: Build (11.2 s)',
  ],
  [
    { type: 'step-completed', ...first, result: succeeded, by: 'person' },
    'step 1/2 done: Build (0.0 s, by a person)',
  ],
  [
    { type: 'step-failed', ...again, result: failed },
    'step 2/2 failed (attempt 3): Copy (exit 17, 0.2 s): two\\nlines',
  ],
  [
    { type: 'step-interrupted', ...first, finding: 'unknown', detail: 'gone' },
    'step 1/2 interrupted, unknown: Build: gone',
  ],
  [{ type: 'interrupt-asked', ...first, detail: 'gone' }, 'step 1/2 was it done: Build: gone'],
  [
    { type: 'interrupt-resolved', ...first, decision: 'rerun' },
    'step 1/2 interruption resolved, rerun: Build',
  ],
  [
    { type: 'step-skipped', stepId: 's3', reason: 'dependency', detail: 's1' },
    'step 2/2 skipped: Copy (dependency: step 1/2)',
  ],
  [{ type: 'step-skipped', stepId: 's3', reason: 'requested' }, 'step 2/2 skipped: Copy (requested)'],
  [{ type: 'step-reset', stepId: 's3' }, 'step 2/2 to be attempted again: Copy'],
  [{ type: 'mode-changed', mode: 'teacher' }, 'mode changed: teacher'],
  [{ type: 'run-paused', reason: 'step-failed', message: 'exit 17' }, 'run paused: step-failed: exit 17'],
  [{ type: 'run-resumed' }, 'run resumed'],
  [
    { type: 'processes-released', groups: [group], services: ['web'] },
    'ended 1 leftover process group, 1 service',
  ],
  [{ type: 'loop-frozen', stepId: 's1', count: 3 }, 'step 1/2 goes through 3 items: Build'],
  [{ type: 'question-asked', stepId: 's1', kind: 'ask', text: 'Which?' }, 'step 1/2 asks: Build: Which?'],
  [{ type: 'services-surveyed', gone: [] }, 'services are running'],
  [{ type: 'services-surveyed', gone: ['web'] }, 'services gone: web'],
  [
    { type: 'service-missed', stepId: 's1', name: 'web' },
    'step 1/2 begins again: its service web is gone: Build',
  ],
  [
    { type: 'step-listens', ...first, ports: [3000] },
    'step 1/2 serves port 3000 and will not end by itself: Build',
  ],
  [{ type: 'services-stopped', services: ['web'] }, 'services stopped: web'],
  [
    { type: 'services-stopped', services: [], stuck: ['web'] },
    'no service was stopped (could not be ended: web)',
  ],
  [{ type: 'change-prepared', ...first, changes: [] }, 'step 1/2 is about to change 0 paths: Build'],
  [
    { type: 'item-completed', ...first, item: 0, result: { durationMs: 100 } },
    'step 1/2 item 1 done: Build (0.1 s)',
  ],
  [{ type: 'answer-given', stepId: 's1', value: 'x' }, 'requested by ana on the page: step 1/2 is answered'],
  [{ type: 'run-finished', outcome: 'done', reason: 'completed' }, 'run done: completed'],
  [
    { type: 'request-refused', answers: 9, code: 'stale-revision', message: 'edited meanwhile' },
    'request 9 refused: stale-revision: edited meanwhile',
  ],
  [
    {
      type: 'refused-at-door',
      asked: 'approval-decided',
      from: { run: 'r', step: 's1', pid: 7 },
      message: 'it may only look',
    },
    'refused: approval-decided by ana: it may only look',
  ],
  [
    {
      type: 'model-call-started',
      provider: 'openai',
      model: 'm',
      purpose: 'mend step s1',
      reserved: { usd: 0.25, tokens: 9 },
    },
    'asks openai/m to mend step s1 (at most $0.25)',
  ],
  [
    {
      type: 'model-call-finished',
      outcome: 'ok',
      usage: { inputTokens: 10, outputTokens: 5 },
      usd: 0.0012,
      durationMs: 1500,
    },
    'model answered: ok (15 tokens, $0.0012, 1.5 s)',
  ],
  [
    {
      type: 'model-call-finished',
      outcome: 'timeout',
      usage: null,
      usd: null,
      durationMs: 100,
      message: 'late',
    },
    'model answered: timeout (cost not known, the worst case is counted, 0.1 s): late',
  ],
  [
    {
      type: 'model-fell-back',
      from: { provider: 'openai', model: 'm' },
      to: { provider: 'ollama', model: 'n' },
      reason: 'rate-limited',
      message: 'try again in 60 s',
    },
    'openai/m rate-limited, goes on with ollama/n: try again in 60 s',
  ],
  [{ type: 'context-summarised', rolled: 0, text: 'All went well.' }, 'what happened so far is summed up'],
  [
    { type: 'precheck-overruled', stepId: 's3', message: 'no brain is sure' },
    'step 2/2 is tried all the same: Copy: no brain is sure',
  ],
  [{ type: 'agent-thinking', ...first }, 'step 1/2 is looked at by the brain: Build'],
  [
    { type: 'correction-attempt', ...again, correctionId: 'c1', correction: mkdir, failure: 'f' },
    'step 2/2 has a correction: Copy (c1: rule missing-parents, add a step before it): The folder is\\nmissing.',
  ],
  [
    { type: 'correction-refused', correctionId: 'c1', code: 'blocked', message: 'It deletes everything.' },
    'correction c1 refused, blocked: It deletes everything.',
  ],
  [
    { type: 'correction-success', correctionId: 'c1', stepId: 's3' },
    'step 2/2 mended by correction c1: Copy',
  ],
  [
    { type: 'correction-failed', correctionId: 'c1', stepId: 's3', message: 'exit 17', sameFailure: true },
    'correction c1 did not help: exit 17',
  ],
  [
    { type: 'step-retried', ...again, retry: 1, times: 3 },
    'step 2/2 is attempted again, as its plan says: Copy (1 of 3)',
  ],
  [
    { type: 'step-retried', ...again, retry: 2, times: 3, notBefore: 5000 },
    'step 2/2 is attempted again, as its plan says: Copy (2 of 3, in 5.0 s)',
  ],
  [
    { type: 'retry-attempt', ...again, correctionId: 'c1', failures: 2, limit: 3 },
    'step 2/2 is attempted again: Copy (2 of 4 attempts failed)',
  ],
  [
    { type: 'retry-attempt', ...again, correctionId: 'c1', failures: 2, limit: 3, notBefore: 5000 },
    'step 2/2 is attempted again: Copy (2 of 4 attempts failed, in 5.0 s)',
  ],
  [
    { type: 'grant-wanted', stepId: 's2', attemptIndex: 0, grants: { network: true, write: ['/etc'] } },
    'repair of step 2/2 wants more than its sandbox gives, to use the network, to write to /etc: Make room',
  ],
  [
    {
      type: 'budget-warning',
      limit: 'corrections',
      used: 8,
      max: 10,
      message: '2 of 10 corrections are left',
    },
    'budget: 2 of 10 corrections are left',
  ],
  [
    {
      type: 'agent-stuck',
      stepId: 's3',
      limit: 'corrections',
      used: 10,
      max: 10,
      message: 'all are used up',
    },
    'step 2/2 is stuck: Copy (corrections: all are used up)',
  ],
  [
    { type: 'agent-error', stepId: 's3', message: 'no brain is sure' },
    'step 2/2 was given up: Copy: no brain is sure',
  ],
  [
    { type: 'plan-cancelled', stepId: 's3', correctionId: 'c1', reason: 'it cannot be done' },
    'plan cancelled by c1: it cannot be done',
  ],
  [
    { type: 'hint-given', stepId: 's3', text: 'use port 81', answers: 3 },
    'step 2/2 has a hint for the brain: Copy (use port 81)',
  ],
  [
    { type: 'hint-requested', stepId: 's3', text: 'use port 81' },
    'requested by ana on the page: a hint for step 2/2: use port 81',
  ],
  [
    { type: 'checkpoint-taken', ...first, when: 'after', checkpoint: 'c1', late: true },
    'step 1/2 checkpoint after it, late: Build',
  ],
  [
    {
      type: 'checkpoint-taken',
      ...first,
      when: 'before',
      checkpoint: 'c1',
      uncovered: { count: 2, shown: [{ path: 'dist', why: 'ignored' }] },
    },
    'step 1/2 checkpoint before it: Build (not covered by undo: dist (ignored) and 1 more)',
  ],
  [
    { type: 'checkpoint-failed', ...first, when: 'before', code: 'data-unwritable', message: 'full' },
    'step 1/2 has no checkpoint before it: Build (data-unwritable: full)',
  ],
  [{ type: 'rollback-started', stepId: 's1' }, 'step 1/2 is being taken back: Build'],
  [
    { type: 'rolled-back', stepId: 's1', restored: 3, left: [], leftCount: 1 },
    'step 1/2 taken back: 3 paths, 1 path left as they are: Build',
  ],
  [{ type: 'cancel-requested', reason: 'enough' }, 'requested by ana on the page: cancel the run: enough'],
  [{ type: 'pause-requested' }, 'requested by ana on the page: rest the run'],
  [{ type: 'resume-requested' }, 'requested by ana on the page: resume the run'],
  [{ type: 'service-stop-requested', name: 'web' }, 'requested by ana on the page: stop service web'],
  [
    { type: 'serve-requested', stepId: 's3', port: 3000 },
    'requested by ana on the page: keep step 2/2 as a service on port 3000',
  ],
  [{ type: 'mode-requested', mode: 'agentic' }, 'requested by ana on the page: agentic mode'],
  [
    { type: 'edit-requested', baseRevision: 3, patch: [], reason: 'a typo' },
    'requested by ana on the page: edit the plan at revision 3: a typo',
  ],
  [{ type: 'skip-requested', stepId: 's3' }, 'requested by ana on the page: skip step 2/2'],
  [{ type: 'retry-requested', stepId: 's3' }, 'requested by ana on the page: attempt step 2/2 again'],
  [
    { type: 'plan-decided', revision: 0, decision: 'all' },
    'requested by ana on the page: agree to the plan (revision 0)',
  ],
  [
    { type: 'approval-decided', approvalId: 's3.1', decision: 'deny' },
    'requested by ana on the page: deny s3.1',
  ],
  [
    { type: 'step-decided', stepId: 's1', decision: 'did-it' },
    'requested by ana on the page: count as done by hand: step 1/2',
  ],
  [
    { type: 'interrupt-decided', ...first, decision: 'done' },
    'requested by ana on the page: interrupted step 1/2, done',
  ],
  [
    { type: 'goal-given', goal: 'Publish', options: { mode: 'planner' }, place: { workspace: '/w' } },
    'goal given: Publish (planner mode, in /w)',
  ],
  [{ type: 'planner-called', n: 2, call: 'plan', model }, 'local/big is asked to plan (draft 2)'],
  [{ type: 'planner-called', n: 1, call: 'restate', model }, 'local/big is asked to restate the goal'],
  [
    { type: 'planner-call-failed', n: 2, call: 'plan', model, why: 'timeout', message: 'no answer' },
    'local/big did not plan: timeout: no answer',
  ],
  [
    { type: 'goal-restated', restatement: 'WHO: Ada\nWHAT: publish', durationMs: 900 },
    'goal restated (0.9 s): WHO: Ada · WHAT: publish',
  ],
  [{ type: 'goal-restated', restatement: null, message: 'no model' }, 'goal not restated: no model'],
  [
    { type: 'draft-received', n: 2, model, length: 812, durationMs: 4200 },
    'draft 2 from local/big (812 characters, 4.2 s)',
  ],
  [{ type: 'draft-unreadable', n: 2, message: 'no JSON' }, 'draft 2 cannot be read: no JSON'],
  [{ type: 'draft-repaired', n: 2, how: ['a comma'] }, 'draft 2 repaired: a comma'],
  [
    {
      type: 'draft-rejected',
      n: 2,
      model,
      reasons: [{ message: 'Step 1: no.' }, { message: 'Step 2: no.' }],
    },
    'draft 2 rejected: Step 1: no. Step 2: no.',
  ],
  [
    { type: 'hints-given', n: 2, hints: ['Use bash', 'One line'] },
    'hints for the next draft: Use bash · One line',
  ],
  [
    { type: 'precheck-overruled', stepId: 's1', message: 'the brain had nothing better' },
    'step 1/2 is tried all the same: Build: the brain had nothing better',
  ],
  [{ type: 'planning-question', n: 3, question: 'Which port?' }, 'the planner asks: Which port?'],
  [{ type: 'planning-answered', value: '80' }, 'the planner was answered'],
  [{ type: 'planning-answered', value: null }, 'nobody was there to answer the planner'],
  [
    { type: 'plan-proposed', n: 3, model, proposal: { confidence: { score: 0.75 } } },
    'draft 3 is a plan (confidence 75 %)',
  ],
  [
    { type: 'feedback-given', stepId: 's1', step: 'Build', reason: 'not here' },
    'step declined: Build: not here',
  ],
  [{ type: 'planning-failed', message: 'none passed' }, 'no plan: none passed'],
  [{ type: 'answer-given', value: '80' }, 'requested by ana on the page: the planner is answered'],
  [
    { type: 'replan-requested', stepId: 's1', reason: 'not here' },
    'requested by ana on the page: decline step 1/2 and plan again: not here',
  ],
  [{ type: 'plan-given', plan }, 'requested by ana on the page: use this plan of 3 steps'],
];

test.each(lines)('%j', (event, line) => {
  expect(
    renderEventLine(
      { v: 1, at: 0, key: 'k', by: { person: 'ana', door: 'page' }, ...event } as unknown as RunEvent,
      state,
    ),
  ).toBe(line);
});

test('every event has its line', () => {
  expect(new Set(lines.map(([{ type }]) => type))).toEqual(new Set(eventTypes));
});

test('an event of a later version is a line too', () => {
  const event = { v: 2, type: 'step-\nteleported', at: 0 } as unknown as RunEvent;
  expect(renderEventLine(event, state)).toBe('event step-\\nteleported v2: not known to this version');
});

test('what only a driver needs can be left out', () => {
  const quiet = eventTypes.filter((type) => isBookkeeping({ type } as RunEvent));
  expect(quiet).toEqual([
    'driver-claimed',
    'step-judged',
    'process-spawned',
    'change-prepared',
    'processes-released',
    'context-summarised',
    'checkpoint-taken',
  ]);
});
