import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultOptions } from '../../core/contract/index.ts';
import { parsePlanFile } from '../../core/plan/file/index.ts';
import type { PlannerWork } from '../../core/run/index.ts';
import type { CallLedger } from '../../core/stream/index.ts';
import { confidenceOf } from './confidence.ts';
import { draftFile } from './draft-file.ts';
import { createPlanner, type PlannerOptions } from './planner.ts';
import type { PlannerQuestion, PlannerReply } from './port.ts';
import { envelope, item, tagged } from './testing/outputs.ts';
import { bigModel, noExperience, noReport, rejectedDraft, testPlanning } from './testing/planning.ts';
import { lookAround } from './workspace/look.ts';

const ledger: CallLedger = {
  reserve: async () => ({ ok: true }),
  settle: async () => {},
  fellBack: async () => {},
};
const answer = (text: string): PlannerReply => ({ ok: true, text, model: bigModel, durationMs: 7 });

function plannerThat(
  says: (question: PlannerQuestion) => PlannerReply,
  change: Partial<PlannerOptions> = {},
) {
  const asked: PlannerQuestion[] = [];
  const chain = {
    ask: async (_model: unknown, question: PlannerQuestion) => {
      asked.push(question);
      return says(question);
    },
  };
  const planner = createPlanner({
    models: { planner: chain, fast: chain },
    identity: { name: 'Ada', backstory: 'Careful.' },
    experience: noExperience,
    look: async () => noReport,
    facts: () => ({ exists: () => true, kind: () => 'file', realpath: (path) => join('/w', path) }),
    findSecret: () => null,
    redact: (text) => text.replaceAll('hunter2', '[hidden]'),
    ...change,
  });
  return { planner, asked };
}

const work = (change: Partial<PlannerWork> = {}): PlannerWork => ({
  run: 'r',
  call: 'plan',
  n: 1,
  model: bigModel,
  workspace: '/w',
  options: defaultOptions,
  planning: testPlanning(),
  before: null,
  ...change,
});
const context = { signal: new AbortController().signal, ledger };

describe('one call of the planner', () => {
  it('is a plan with a proposal', async () => {
    const { planner } = plannerThat(() => answer(tagged(envelope())), {
      experience: { ...noExperience, durations: async () => [1500] },
    });
    const made = await planner.perform(work(), context);
    expect(made).toMatchObject({
      kind: 'draft',
      durationMs: 7,
      outcome: {
        is: 'plan',
        how: [],
        plan: { goal: 'greet' },
        proposal: { estimateMs: 1500, confidence: { score: 0.95 } },
      },
    });
  });

  it('is less sure of a plan that had to be written again', async () => {
    const { planner } = plannerThat(() => answer(tagged(envelope())));
    const made = await planner.perform(work({ call: 'repair' }), context);
    expect(made).toMatchObject({
      outcome: {
        is: 'plan',
        how: ['written again by the model'],
        proposal: {
          confidence: {
            score: 0.87,
            doubts: [{ why: expect.stringContaining('written again'), cost: 0.08 }, { cost: 0.05 }],
          },
        },
      },
    });
  });

  it('of a conversation may call the tools that there are, and no others', async () => {
    const tools = async () => [
      { name: 'edit_file', means: 'Replaces.', parameters: {} },
      { name: 'mcp__tracker__close', means: 'Closes one.', parameters: { required: ['number'] } },
    ];
    const outcomeOf = async (action: string, isAwaited: boolean) => {
      const { planner, asked } = plannerThat(() => answer(tagged(envelope({ plan: [item(1, action)] }))), {
        tools,
      });
      const planning = testPlanning(isAwaited ? { isAwaited } : {});
      const made = await planner.perform(work({ planning }), context);
      return { made, system: asked[0]!.system };
    };
    const edit = 'CALL_TOOL edit_file {"path": "a.ts", "old": "two", "new": "2"}';
    const { made, system } = await outcomeOf(edit, true);
    expect(made).toMatchObject({
      outcome: { is: 'plan', plan: { steps: [{ action: { kind: 'call-tool', tool: 'edit_file' } }] } },
    });
    expect(system).toMatch(/call no other:\nedit_file: Replaces[^\n]*\nmcp__tracker__close: Closes one\./);
    const close = 'CALL_TOOL mcp__tracker__close';
    expect((await outcomeOf(`${close} {"number": 7}`, true)).made).toMatchObject({ outcome: { is: 'plan' } });
    for (const [action, code] of [
      [`${close} {"id": 7}`, 'tool-arguments'],
      ['CALL_TOOL mcp__tracker__drop {"number": 7}', 'tool-unknown'],
      ['CALL_TOOL rewrite {}', 'tool-unknown'],
      ['CALL_TOOL edit_file {"path": "a.ts"}', 'tool-arguments'],
    ] as const)
      expect((await outcomeOf(action, true)).made, action).toMatchObject({
        outcome: { is: 'rejected', reasons: [{ code }] },
      });
    // Of a goal alone nobody talks with tools.
    const alone = await outcomeOf(edit, false);
    expect(alone.made).toMatchObject({ outcome: { is: 'rejected' } });
    expect(alone.system).not.toContain('CALL_TOOL');
  });

  it('is asked for, checked and made in the shell that the goal was given with', async () => {
    const says = (command: string) => answer(tagged(envelope({ plan: [item(1, `RUN_COMMAND ${command}`)] })));
    const looked: string[] = [];
    const look = async (_: string, shell: string) => {
      looked.push(shell);
      return noReport;
    };
    const planning = testPlanning({ shell: 'pwsh' });
    const bash = plannerThat(() => says('grep -r x . > out.txt'), { look });
    expect(await bash.planner.perform(work({ planning }), context)).toMatchObject({
      outcome: { is: 'rejected', reasons: [{ code: 'not-native' }] },
    });
    expect(bash.asked[0]!.system).toContain('The shell is PowerShell');
    expect(bash.asked[0]!.system).not.toContain('mkdir -p');
    expect(looked).toEqual(['pwsh']);
    const pwsh = plannerThat(() => says('Get-ChildItem | Out-File out.txt'));
    expect(await pwsh.planner.perform(work({ planning }), context)).toMatchObject({
      outcome: { is: 'plan', plan: { shell: 'pwsh' } },
    });
  });

  it('sends no secret to anybody', async () => {
    const { planner, asked } = plannerThat(() => answer('hunter2'));
    await planner.perform(work({ planning: testPlanning({ goal: 'log in with hunter2' }) }), context);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(asked.map(({ messages }) => messages))).not.toContain('hunter2');
  });

  it('a failed call is data, and a useless restatement is a failed one', async () => {
    const down = plannerThat(() => ({ ok: false, why: 'timeout', message: 'too slow' }));
    expect(await down.planner.perform(work(), context)).toMatchObject({ kind: 'failed', why: 'timeout' });
    const vague = plannerThat(() => answer('OK!'));
    expect(await vague.planner.perform(work({ call: 'restate' }), context)).toMatchObject({
      kind: 'failed',
      why: 'invalid',
    });
  });

  it('tells what changed since the draft before', async () => {
    const before = tagged(envelope({ plan: [item(1, 'RUN_COMMAND echo one')] }));
    const planning = testPlanning({ drafts: [rejectedDraft(1, before, 'no')] });
    const { planner } = plannerThat(() => answer(tagged(envelope())));
    const made = await planner.perform(work({ planning, n: 2 }), context);
    expect(made).toMatchObject({ outcome: { proposal: { diff: expect.stringContaining('echo one') } } });
  });
});

describe('confidence is computed and explained', () => {
  const steps = [{ id: 's1', title: 't', action: { kind: 'manual', text: 'x' } as const, expects: 'exit 0' }];
  const sure = { planning: testPlanning({ restatement: 'WHAT: x' }), how: [], warnings: [], steps };

  it('and is whole where nothing speaks against it', () => {
    expect(confidenceOf(sure)).toEqual({ score: 1, doubts: [] });
  });

  it.each([
    [
      'a rejection',
      { planning: testPlanning({ restatement: 'x', drafts: [rejectedDraft(1, '', 'no')] }) },
      /rejected before/,
    ],
    ['a repair', { how: ['a comma'] }, /repaired: a comma/],
    ['an unknown command', { warnings: [{ code: 'command-not-found', message: '', hint: '' }] }, /not found/],
    [
      'a fallback',
      { planning: testPlanning({ restatement: 'x', position: { planner: 1, fast: 0 } }) },
      /better model/,
    ],
    ['a vague promise', { steps: [{ ...steps[0]!, expects: 'all is well' }] }, /cannot be checked/],
    ['a goal not restated', { planning: testPlanning() }, /not restated/],
  ])('%s lowers it', (_what, change, why) => {
    const { score, doubts } = confidenceOf({ ...sure, ...change });
    expect(score).toBeLessThan(1);
    expect(doubts.map((doubt) => doubt.why).join()).toMatch(why);
  });
});

describe('a rejected draft is given back as a plan file', () => {
  const problems = [{ code: 'x', message: 'Step 1: no.', hint: 'Mend it.' }];
  const options = { goal: 'greet', shell: 'bash' } as const;

  it.each([
    ['a plan', tagged(envelope())],
    ['no actions', tagged(envelope({ plan: [item(1, 'SAY "a: b"')] }))],
    ['no JSON', 'nothing at all'],
  ])('that can be read, or nearly: %s', (_what, raw) => {
    const text = draftFile(raw, problems, options);
    expect(text).toContain('# - Step 1: no. Mend it.');
    const parsed = parsePlanFile(text.replace('SAY', 'MANUAL'), { file: 'draft.yaml' });
    expect(parsed).toMatchObject({ ok: true, plan: { goal: 'greet' } });
  });
});

describe('looking around', () => {
  it('is bounded in a folder of very many files, and finds the guides', async () => {
    const root = mkdtempSync(join(tmpdir(), 'planwright-look-'));
    try {
      for (let n = 0; n < 5000; n += 1) writeFileSync(join(root, `file-${n}`), '');
      mkdirSync(join(root, 'a', 'b'), { recursive: true });
      writeFileSync(join(root, 'a', 'AGENTS.md'), 'the guide of a');
      writeFileSync(join(root, 'a', 'CLAUDE.md'), 'not this one');
      const report = await lookAround(root, process.env, 'bash');
      expect(report.entries.length).toBeLessThanOrEqual(2000);
      expect(report.more).toBe(true);
      const inside = await lookAround(join(root, 'a'), process.env, 'bash');
      expect(inside).toMatchObject({ guides: [{ path: 'AGENTS.md', text: 'the guide of a' }], git: null });
      expect(inside.tools).toContain('git');
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
