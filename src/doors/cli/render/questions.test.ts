import { expect, test } from 'vitest';
import {
  ApprovalDecision,
  applyPatch,
  hashPlan,
  type PlanPatch,
  RequestEvent,
} from '../../../core/contract/index.ts';
import {
  agreementChoices,
  approvalChoices,
  interruptChoices,
  offerChoices,
  openQuestion,
  plannedChoices,
} from '../../../core/contract/told/index.ts';
import { command, dangerous, docsPlan, printAction, tellStory } from '../../../core/contract/told/testing.ts';
import { renderChoices } from './choices.ts';
import { renderAgreement, renderApproval, renderInterrupt, renderOffer } from './questions.ts';
import { createStyle } from './style.ts';
import { markedLines } from './text/marked.ts';

const style = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: false });
const look = { style, printAction, width: 60, home: '/home/ada' };
const cwd = '/home/ada/work/docs-site';

function approval(text: string, paths: string[] = [], reach: { unknownPaths?: string } = {}) {
  const story = tellStory(docsPlan()).agree();
  const subject = { run: 'r', stepId: 's5', revision: 0, action: command(text), cwd, paths, ...reach };
  story.tell({ type: 'approval-needed', approvalId: 's5.1', verdict: dangerous, subject, fingerprint: 'f' });
  const needed = openQuestion(story.state);
  if (needed?.kind !== 'approval') throw new Error('no approval is needed');
  return { state: story.state, needed };
}

test('an approval shows what would run, where, why it is dangerous, and what it touches', () => {
  const paths = Array.from({ length: 71 }, (_, i) => `${cwd}/build/guide/${i}.html`).concat(
    Array.from({ length: 3 }, (_, i) => `${cwd}/build/api/${i}.html`),
  );
  const { state, needed } = approval('find build -type f -delete', paths);
  expect(renderApproval(needed, state, look).join('\n')).toBe(
    ` ▲ Step 5 of 9 is dangerous: Publish into build/

   │ find build -type f -delete

   ▲ Deletes files.
   In ~/work/docs-site
   Written in docs.plan.yaml:19
   Would touch 74 paths:
     71  build/guide/
      3  build/api/
   Checkpoints are off: it cannot be undone.

   d  Deny: it is not run                       Enter
   r  Deny, and say why
   s  Skip it: the run goes on without it
   a  Approve exactly this, once
   e  Edit it: it is judged again
   w  Always allow exactly this in this folder
   x  Cancel the run`,
  );
});

test('an approval says that it cannot know what is touched, beside paths and without any', () => {
  const unknownPaths = 'What `xargs` hands to \u001b[2J`rm` is only known when it runs.';
  for (const paths of [[], [`${cwd}/list`]]) {
    const { state, needed } = approval('xargs rm < list', paths, { unknownPaths });
    const said = renderApproval(needed, state, look).join('\n');
    expect(said.replaceAll(/\s+/g, ' ')).toMatch(
      /Not all that it touches can be shown. What `xargs` hands to \S*`rm` is/,
    );
    expect(said).not.toContain('\u001b');
    expect(said.includes('Would touch 1 path:')).toBe(paths.length === 1);
  }
});

test('what earned the verdict is marked, with and without colours', () => {
  const { state, needed } = approval('find build -type f -delete');
  const reasons = [
    { rule: 'x', level: 'dangerous' as const, sentence: 'Deletes.', span: [19, 26] as [number, number] },
  ];
  const marked = { ...needed, approval: { ...needed.approval, verdict: { ...dangerous, reasons } } };
  expect(renderApproval(marked, state, look).slice(2, 4)).toEqual([
    '   │ find build -type f -delete',
    '   │                    ^^^^^^^',
  ]);
  const colored = createStyle({ env: { LANG: 'C.UTF-8' }, isTTY: true });
  const lines = renderApproval(marked, state, { ...look, style: colored });
  expect(lines[2]).toContain('find build -type f \x1b[4m-delete\x1b[24m');
  expect(lines[3]).toBe('');
});

test('marks survive wrapping, line breaks and wide text', () => {
  const stretches = (text: string, from: number, to: number, width: number) =>
    markedLines(text, [[from, to]], width).map((line) =>
      line.map((s) => (s.marked ? `[${s.text}]` : s.text)).join(''),
    );
  expect(stretches('abcdef', 2, 5, 4)).toEqual(['ab[cd]', '[e]f']);
  expect(stretches('a\n日本\x07b', 2, 4, 10)).toEqual(['a', '[日本]\\x07b']);
  expect(stretches('日本', 0, 1, 1)).toEqual(['[日]', '本']);
  expect(stretches('a\r\nb', 0, 0, 9)).toEqual(['a\\r', 'b']);
});

test('what is approved is never cut, and nothing in it hides', () => {
  const text = `echo ${'a b'.repeat(100)} \u202e && rm -rf /`;
  const { state, needed } = approval(text);
  const shown = renderApproval(needed, state, { ...look, width: 40 })
    .filter((line) => line.startsWith('   │ '))
    .map((line) => line.slice(5));
  expect(shown.join('')).toBe(text.replace('\u202e', '\\u{202e}'));
});

test('teacher mode offers a step with its reasons', () => {
  const { state } = tellStory(docsPlan(), { mode: 'teacher' })
    .agree()
    .tell({ type: 'step-offered', stepId: 's2' });
  const step = { ...docsPlan().steps[1]!, why: 'The renderer needs its libraries.' };
  expect(
    renderOffer(step, state, {
      ...look,
      explanation: ['npm ci: installs exactly what the lock file says'],
    }).join('\n'),
  ).toBe(
    ` ◆ Step 2 of 9: Install dependencies

   │ npm ci --no-audit --no-fund

   npm ci: installs exactly what the lock file says
   Why: The renderer needs its libraries.
   Afterwards: dir exists node_modules
   In ~/work/docs-site

   r  Run it                   Enter
   m  I did it myself
   e  Edit it first
   s  Skip it
   x  Stop here, resume later`,
  );
});

test('what a look has against a step stands in its question, with the folder that it is done in', () => {
  const subject = {
    run: 'r',
    stepId: 's2',
    revision: 0,
    action: command('npm ci'),
    cwd: `${cwd}/sub`,
    paths: [],
  };
  const warnings = [{ message: './build.sh is not there.', said: 'x', exitCode: 127 }];
  const verdict = { ...dangerous, level: 'safe' as const, reasons: [], reversible: true };
  const { state } = tellStory(docsPlan(), { mode: 'teacher' })
    .agree()
    .tell({ type: 'step-judged', verdict, subject, fingerprint: 'f', warnings })
    .tell({ type: 'step-offered', stepId: 's2' });
  const lines = renderOffer(docsPlan().steps[1]!, state, look);
  expect(lines).toContain('   ◆ Before it runs: ./build.sh is not there.');
  expect(lines).toContain('   In ~/work/docs-site/sub');
});

test.each([
  [[`${cwd}/build`], 'A checkpoint is taken first: undo brings back what it holds.'],
  [['/etc/hosts'], 'It cannot be undone: undo does not cover /etc/hosts (outside the workspace).'],
])('an offer says of %j what its approval will say', (paths, words) => {
  const action = command('rm -rf x');
  const subject = { run: 'r', stepId: 's2', revision: 0, action, cwd, paths };
  const { state } = tellStory(docsPlan(), { mode: 'teacher', checkpoints: 'auto' })
    .agree()
    .tell({ type: 'step-judged', verdict: dangerous, subject, fingerprint: 'f' })
    .tell({ type: 'step-offered', stepId: 's2' });
  expect(renderOffer(docsPlan().steps[1]!, state, { ...look, width: 120 })).toContain(`   ${words}`);
});

test('a correction of several steps is asked about as a whole, as a list and once', () => {
  const story = tellStory(docsPlan(), { mode: 'agentic' }).agree().start(1).fail(1, 5, { exitCode: 1 });
  const source = { brain: 'program', name: 'p' } as const;
  const correction = { action: 'insert_steps', reasoning: 'Old files.', confidence: 1, source } as const;
  const steps = [
    { id: 's1-r1-1', title: 'Prepare', action: command('echo prep'), repairs: 's1' },
    { id: 's1-r1-2', title: 'Clear build', action: command('rm -rf build'), repairs: 's1' },
  ];
  const patch: PlanPatch = [{ op: 'insert', before: 's1', steps }];
  const revised = applyPatch(docsPlan(), patch);
  if ('misfit' in revised) throw new Error(revised.misfit);
  const action = steps[1]!.action;
  const subject = { run: 'r', stepId: 's1-r1-2', revision: 1, action, cwd, paths: [] };
  const safe = { ...dangerous, level: 'safe' as const, reasons: [] };
  story.tell(
    { type: 'agent-thinking', stepId: 's1', attemptIndex: 0 },
    {
      type: 'correction-attempt',
      stepId: 's1',
      attemptIndex: 0,
      correctionId: 'c1',
      correction,
      failure: 'f',
    },
    {
      type: 'plan-revised',
      revision: 1,
      patch,
      hash: hashPlan(revised.plan),
      reason: 'r',
      source: 'program',
      correctionId: 'c1',
    },
    { type: 'retry-attempt', stepId: 's1', attemptIndex: 1, correctionId: 'c1', failures: 1, limit: 3 },
    {
      type: 'step-judged',
      verdict: safe,
      subject: { ...subject, stepId: 's1-r1-1', action: steps[0]!.action },
      fingerprint: 'e',
    },
    { type: 'step-judged', verdict: dangerous, subject, fingerprint: 'f' },
    {
      type: 'approval-needed',
      approvalId: 'a',
      verdict: dangerous,
      subject,
      fingerprint: 'f',
      warningMessage: 'Proposed by program p: Old files. The whole of it: Prepare, then Clear build.',
    },
  );
  const needed = openQuestion(story.state);
  if (needed?.kind !== 'approval') throw new Error('no approval is needed');
  const text = renderApproval(needed, story.state, look).join('\n');
  expect(text).toContain(`   Proposed by program p: Old files.
   The whole correction, in this order:
     1. ○ Prepare: RUN_COMMAND echo prep
     2. ▲ Clear build: RUN_COMMAND rm -rf build
   ▲ Deletes files.`);
  expect(text).not.toContain('The whole of it');
  expect(text, 'one of them is not left out by itself').not.toContain('Skip it');
});

test('an interrupted step is asked about with what is known', () => {
  const detail = 'its process is gone and left no result';
  const story = tellStory(docsPlan()).agree().start(1);
  story.tell({ type: 'step-interrupted', stepId: 's1', attemptIndex: 0, finding: 'unknown', detail });
  story.tell({ type: 'interrupt-asked', stepId: 's1', attemptIndex: 0, detail });
  const question = openQuestion(story.state);
  if (question?.kind !== 'interrupt') throw new Error('nothing is asked');
  expect(renderInterrupt(question, story.state, look).join('\n')).toBe(
    ` ◌ Was step 1 of 9 done? Make the output folder

   │ mkdir -p out

   Its process is gone and left no result
   If it was done: dir exists out

   d  It was done: go on after it
   r  It was not: run it again
   s  Skip it
   x  Stop here, look first        Enter`,
  );
});

test('a script is shown line by line', () => {
  const step = {
    ...docsPlan().steps[0]!,
    action: { kind: 'run-script' as const, script: 'set -e\n\n\techo hi\n' },
  };
  const lines = renderOffer(step, tellStory(docsPlan()).state, look);
  expect(lines.slice(2, 5)).toEqual(['   │ set -e', '   │ ', '   │ \\techo hi']);
});

const nothingDangerous = { dangerous: 0, isTaught: false };

test('the plan is agreed to once', () => {
  const asked = { steps: 1, workspace: `${cwd}`, dangerous: [] };
  expect(renderAgreement(asked, agreementChoices(nothingDangerous), look)).toEqual([
    ' ◆ Run 1 step in ~/work/docs-site?',
    '',
    '   y  Run all steps     Enter',
    '   s  Run step by step',
    '   n  Run nothing',
  ]);
});

test('what a yes approves is named, and is no default', () => {
  const dangerous = ['rm -rf out', 'sudo reboot\u202e', 'c', 'd'];
  const choices = agreementChoices({ dangerous: 4, isTaught: false });
  expect(renderAgreement({ steps: 9, workspace: cwd, dangerous }, choices, { ...look, width: 200 })).toEqual([
    ' ◆ Run 9 steps in ~/work/docs-site, including 4 dangerous steps: rm -rf out, sudo reboot\\u{202e}, c',
    '   and 1 more?',
    '',
    '   y  Run all steps, the 4 dangerous ones included',
    '   a  Run all steps, and ask again at the 4 dangerous ones',
    '   s  Run step by step',
    '   n  Run nothing',
  ]);
  const planned = plannedChoices({ dangerous: 1, isTaught: false });
  expect([...choices, ...planned].filter((choice) => choice.default)).toEqual([]);
  // Teacher mode decides on each step when it is shown.
  const taught = agreementChoices({ dangerous: 0, isTaught: true });
  expect(taught.map(({ key }) => key)).toEqual(['y', 'n']);
});

test('every decision has a choice, every question one default, and every key is its own', () => {
  const decisions = (type: string) => {
    const { shape } = RequestEvent.options.find((option) => option.shape.type.value === type)!;
    return ('decision' in shape ? shape.decision.options : []) as readonly string[];
  };
  for (const [choices, all] of [
    [approvalChoices, [...ApprovalDecision.options, 'deny-why', 'edit', 'always']],
    [agreementChoices(nothingDangerous), decisions('plan-decided')],
    [offerChoices, [...decisions('step-decided'), 'edit']],
    [interruptChoices, decisions('interrupt-decided')],
  ] as const) {
    expect(choices.map(({ decision }) => decision as string).sort()).toEqual([...all].sort());
    expect(new Set(choices.map(({ key }) => key)).size).toBe(choices.length);
    expect(choices.filter((choice) => choice.default)).toHaveLength(1);
  }
});

test('choices are broken between words where the terminal is narrow, the key of Enter beside the first line', () => {
  const choices = [
    { key: 'y', label: 'Run all steps, the dangerous one included', decision: 'y', default: true as const },
    { key: 'n', label: 'Run nothing, and keep it for later', decision: 'n' },
  ];
  expect(renderChoices(choices, { ...look, width: 36 })).toEqual([
    'y  Run all steps, the       Enter',
    '   dangerous one included',
    'n  Run nothing, and keep it for',
    '   later',
  ]);
});
