import { z } from 'zod';
import { AgentMode, AgentPayload, agentModes, type Brief } from '../../../core/contract/tasks/index.ts';

/** One thing that a scripted agent does. */
export const ScriptStep = z.union([
  z.strictObject({ say: z.string() }),
  z.strictObject({ write: z.string().min(1), text: z.string() }),
  z.strictObject({ remove: z.string().min(1) }),
  z.strictObject({ commit: z.string().min(1) }),
  /** Until this file is in the worktree: somebody lets it go on. */
  z.strictObject({ await: z.string().min(1) }),
  z.strictObject({ fail: z.string() }),
  z.strictObject({ finish: z.string().min(1), payload: AgentPayload.optional() }),
]);
export type ScriptStep = z.infer<typeof ScriptStep>;

const Steps = z.array(ScriptStep);

/** What a scripted agent does in each mode; several lists are for the first time, the second, and so on. */
export const Script = z.partialRecord(AgentMode, z.union([Steps, z.array(Steps).min(1)]));
export type Script = z.infer<typeof Script>;

const plan = {
  plan: '# Plan\n\n1. Write it.\n2. Test it.',
  planSummary: 'It is written, and then tested.',
  subtasks: ['Write it', 'Test it'],
};

export const happyPlan: ScriptStep[] = [
  { say: 'Looking at the code.\n' },
  { finish: 'plan_complete', payload: plan },
];
export const happyInvestigate: ScriptStep[] = [
  { say: 'Looking for the cause.\n' },
  {
    finish: 'investigation_complete',
    payload: {
      plan: '# Report\n\nThe cause was found.',
      investigationSummary: 'The cause was found.',
      subtasks: ['Mend it'],
    },
  },
];
export const happyImplement: ScriptStep[] = [
  { say: 'Writing.\n' },
  { write: 'done-by-script.txt', text: 'done\n' },
  { commit: 'Do what the task asks' },
  { finish: 'pr_ready', payload: { summary: 'One file was written.' } },
];
export const happyReview: ScriptStep[] = [
  { say: 'REVIEW_VERDICT: APPROVED\n' },
  { finish: 'approved', payload: { summary: 'It does what the task asks.', comments: [] } },
];
export const humanInTheLoop: ScriptStep[] = [
  { finish: 'needs_info', payload: { question: 'Which of the two do you mean?' } },
];
/** Says that it works, so many times, and fails then. */
export const failAfterSteps = (steps: number): ScriptStep[] => [
  ...Array.from({ length: steps }, (_, at) => ({ say: `Step ${at + 1}\n` })),
  { fail: `failed after ${steps} steps` },
];

const happy: Script = {
  plan: happyPlan,
  plan_revision: happyPlan,
  investigate: happyInvestigate,
  implement: happyImplement,
  request_changes: [
    { write: 'changed-by-script.txt', text: 'changed\n' },
    { commit: 'Make the changes' },
    { finish: 'pr_ready', payload: { summary: 'The changes were made.' } },
  ],
  review: happyReview,
};
const inEvery = (steps: ScriptStep[]): Script =>
  Object.fromEntries(AgentMode.options.map((mode) => [mode, steps])) as Script;

/** Those that come with the program, by the name after `scripted:`. */
export const builtInScripts: Readonly<Record<string, Script>> = {
  happy,
  fails: inEvery(failAfterSteps(2)),
  asks: { ...happy, plan: [humanInTheLoop, happyPlan], investigate: [humanInTheLoop, happyInvestigate] },
  picky: {
    ...happy,
    review: [
      [
        {
          finish: 'changes_requested',
          payload: { summary: 'Nearly.', comments: ['Say why in the commit', 'Test the empty case'] },
        },
      ],
      happyReview,
    ],
  },
};

/** What it does this time. A task that asked a question, or was reviewed, comes to a mode again. */
export function stepsFor(script: Script, mode: AgentMode, brief: Brief): readonly ScriptStep[] {
  const given = script[mode] ?? [{ finish: agentModes[mode].outcome }];
  if (given.length === 0 || !Array.isArray(given[0])) return given as readonly ScriptStep[];
  const before = timesBefore(mode, brief);
  return (given as ScriptStep[][])[Math.min(before, given.length - 1)]!;
}

const timesBefore = (mode: AgentMode, { reviewRounds, answers, context }: Brief): number =>
  mode === 'review'
    ? reviewRounds
    : answers.length + context.filter(({ entryType }) => entryType === agentModes[mode].entry).length;
