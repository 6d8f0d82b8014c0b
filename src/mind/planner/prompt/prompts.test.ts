import { describe, expect, it } from 'vitest';
import type { PlanningState, StepState } from '../../../core/contract/index.ts';
import { actionUsages, parseAction } from '../../../core/plan/index.ts';
import { rejectedDraft, testPlanning } from '../testing/planning.ts';
import { describeWorkspace, type WorkspaceReport } from '../workspace/report.ts';
import { readHints, readRestatement } from './answers.ts';
import {
  MAX_PROMPT,
  type PlanMaterial,
  planPrompt,
  reflectPrompt,
  repairPrompt,
  restatePrompt,
} from './prompts.ts';

const report: WorkspaceReport = {
  os: 'Linux 6.1',
  shell: 'bash',
  entries: ['AGENTS.md', 'site/', 'site/index.html'],
  more: false,
  git: { branch: 'main', changed: 2, remotes: ['origin'] },
  guides: [{ path: 'AGENTS.md', text: 'Serve with python.' }],
  tools: ['git', 'python3'],
};

const material = (planning: PlanningState, workspace = describeWorkspace(report)): PlanMaterial => ({
  rules: {
    identity: { name: 'Planwright', backstory: 'A careful planner.' },
    shell: 'bash',
    mode: 'planner',
    allowedActions: actionUsages.map(({ kind }) => kind),
  },
  planning,
  workspace,
  before: null,
  past: ['A run for "serve the folder" failed: port 8080 was in use.'],
});

const busy = testPlanning({
  goal: 'serve this folder on port 8080 and check it',
  restatement: 'WHO: me\nWHAT: serve the folder',
  drafts: [rejectedDraft(1, '{"plan": "no"}', '`plan` is text, not a list of steps.')],
  hints: ['Write `plan` as a list.'],
  answers: [{ question: 'Which port?', answer: '8080' }],
  feedback: [{ stepId: 's2', step: 'Delete the cache', reason: 'keep the cache' }],
});

const longRun = (long: string): PlanMaterial['before'] => {
  const steps = Array.from({ length: 300 }, (_, n) => `s${n}`);
  const action = { kind: 'run-command', command: long } as const;
  const done = { status: 'failed', result: { message: long } } as unknown as StepState;
  return {
    plan: { goal: long, shell: 'bash', revision: 0, steps: steps.map((id) => ({ id, title: long, action })) },
    steps: steps.map((id) => ({ ...done, id })),
  };
};

const text = ({ system, messages }: ReturnType<typeof planPrompt>) =>
  [system, ...messages.map(({ content }) => content)].join('\n---\n');

describe('the prompt of the planner', () => {
  it('is as it was', () => {
    expect(text(planPrompt(material(busy)))).toMatchSnapshot();
  });

  it('of the other calls too', () => {
    expect(text(restatePrompt(busy))).toMatchSnapshot();
    expect(text(reflectPrompt(busy, 1))).toMatchSnapshot();
    expect(repairPrompt(material(busy), 1).messages).toMatchSnapshot();
  });

  it('tells every action that the parser reads, in a form that it reads', () => {
    const { system } = planPrompt(material(busy));
    for (const { usage, keyword } of actionUsages) {
      expect(system).toContain(usage);
      const line = usage.replace('DO action', 'DO RUN_COMMAND true').replace('{"json": "args"}', '{"a": 1}');
      expect(parseAction(line), usage).toMatchObject({ ok: true });
      expect(line.startsWith(keyword)).toBe(true);
    }
  });

  it('leaves out an action that may not be used', () => {
    const { rules, ...rest } = material(busy);
    const allowedActions = rules.allowedActions.filter((kind) => kind !== 'call-tool');
    expect(planPrompt({ ...rest, rules: { ...rules, allowedActions } }).system).not.toContain('CALL_TOOL');
  });

  it('has no hints and no rejections of a draft that a plan was made after', () => {
    const { drafts } = busy;
    const planned = {
      ...busy,
      hints: [],
      drafts: [...drafts, { ...drafts[0]!, n: 2, status: 'proposed' as const }],
    };
    const prompt = text(planPrompt(material(planned)));
    expect(prompt).not.toContain('RETRY_HINTS');
    expect(prompt).not.toContain('RECENT REJECTIONS');
    expect(text(planPrompt(material(testPlanning({ goal: 'something else' }))))).not.toContain('RETRY_HINTS');
  });

  it('is bounded, whatever is in it', () => {
    const long = 'x'.repeat(200_000);
    const entries = Array.from({ length: 100_000 }, (_, n) => `folder-${n}/${'y'.repeat(200)}`);
    const huge: WorkspaceReport = {
      os: long,
      shell: long,
      entries,
      more: true,
      git: { branch: long, changed: 1e9, remotes: Array(5000).fill(long.slice(0, 50)) },
      guides: Array.from({ length: 500 }, (_, n) => ({ path: `${n}/AGENTS.md`, text: long })),
      tools: Array(5000).fill('tool'),
    };
    const draft = rejectedDraft(1, long, long);
    const many = { ...draft, reasons: Array(500).fill(draft.reasons[0]) };
    const planning = testPlanning({
      goal: long,
      restatement: long,
      drafts: Array.from({ length: 50 }, (_, n) => ({ ...many, n: n + 1 })),
      hints: Array(100).fill(long),
      answers: Array(100).fill({ question: long, answer: long }),
      feedback: Array(100).fill({ stepId: 's1', step: long, reason: long }),
    });
    const full = {
      ...material(planning, describeWorkspace(huge)),
      past: Array(100).fill(long),
      before: longRun(long),
    };
    const prompts = [
      planPrompt(full),
      repairPrompt(full, 1),
      reflectPrompt(planning, 1),
      restatePrompt(planning),
    ];
    for (const prompt of prompts) expect(text(prompt).length).toBeLessThanOrEqual(MAX_PROMPT);
    // Nothing is pushed out by its neighbours.
    for (const title of ['GOAL', 'WORKSPACE', 'RECENT REJECTIONS', 'RETRY_HINTS', 'FEEDBACK']) {
      expect(text(prompts[0]!)).toContain(title);
    }
    expect(text(prompts[0]!)).toMatch(/as one JSON object between <json> and <\/json>\.$/);
  });
});

describe('answers of the fast model', () => {
  it('a restatement is its five lines and nothing else', () => {
    const said =
      'Sure!\n**WHO:** the user\n- WHAT: serve it\nWHEN: now\nWHERE - here\nWHY: to see\nShall I plan?';
    expect(readRestatement(said)).toBe('WHO: the user\nWHAT: serve it\nWHEN: now\nWHERE: here\nWHY: to see');
    expect(readRestatement('I will do it')).toBeNull();
  });

  it('hints are short lines, each once', () => {
    const said = 'Here are some hints:\n- Use bash.\n2. Quote it.\n* Use bash.\n```\n{}\n```';
    expect(readHints(said)).toEqual(['Use bash.', 'Quote it.']);
    expect(readHints('Use bash.\n\nQuote it.')).toEqual(['Use bash.', 'Quote it.']);
    expect(readHints('{"hints": []}')).toEqual([]);
    expect(readHints(`- ${'x'.repeat(5000)}`)[0]!.length).toBeLessThanOrEqual(240);
  });
});
