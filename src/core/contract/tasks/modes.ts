import { z } from 'zod';
import { said } from './limits.ts';

/** What a coding agent is asked to do for a task. */
export const AgentMode = z.enum([
  'plan',
  'plan_revision',
  'investigate',
  'implement',
  'request_changes',
  'review',
]);
export type AgentMode = z.infer<typeof AgentMode>;

interface ModeFacts {
  /** What an agent that ended well and said nothing else came to. */
  outcome: string;
  turns: number;
  timeMs: number;
  /** It is to leave commits: what it left is validated, and nothing left is `no_changes`. */
  changes: boolean;
  /** What is kept of it for later prompts. */
  entry: string;
  /** The field of its answer that says it in short. */
  summary: 'planSummary' | 'investigationSummary' | 'summary';
  title: string;
}

const MINUTE = 60_000;

/** Everything that differs from mode to mode, once. */
export const agentModes: Record<AgentMode, ModeFacts> = {
  plan: {
    outcome: 'plan_complete',
    turns: 100,
    timeMs: 5 * MINUTE,
    changes: false,
    entry: 'plan_summary',
    summary: 'planSummary',
    title: 'Plan',
  },
  plan_revision: {
    outcome: 'plan_complete',
    turns: 100,
    timeMs: 5 * MINUTE,
    changes: false,
    entry: 'plan_revision_summary',
    summary: 'planSummary',
    title: 'Revise the plan',
  },
  investigate: {
    outcome: 'investigation_complete',
    turns: 100,
    timeMs: 5 * MINUTE,
    changes: false,
    entry: 'investigation_summary',
    summary: 'investigationSummary',
    title: 'Investigate',
  },
  implement: {
    outcome: 'pr_ready',
    turns: 200,
    timeMs: 10 * MINUTE,
    changes: true,
    entry: 'implementation_summary',
    summary: 'summary',
    title: 'Implement',
  },
  request_changes: {
    outcome: 'pr_ready',
    turns: 200,
    timeMs: 10 * MINUTE,
    changes: true,
    entry: 'fix_summary',
    summary: 'summary',
    title: 'Make the changes',
  },
  review: {
    outcome: 'approved',
    turns: 50,
    timeMs: 10 * MINUTE,
    changes: false,
    entry: 'review_feedback',
    summary: 'summary',
    title: 'Review',
  },
};

/**
 * What an agent run can come to. The list is not closed: an agent may say something else, which is then reported.
 * `interrupted`: its driver was gone; `validation_failed`: what it left did not pass, however often it tried.
 */
export const knownOutcomes = [
  'plan_complete',
  'investigation_complete',
  'pr_ready',
  'no_changes',
  'approved',
  'changes_requested',
  'needs_info',
  'failed',
  'interrupted',
  'stopped',
  'validation_failed',
] as const;

/** Which kind of entry a run leaves in the task's context. */
export const entryTypeOf = (mode: AgentMode, outcome: string): string =>
  mode === 'review' && outcome === 'approved' ? 'review_approved' : agentModes[mode].entry;

/** Whose words they are, for later prompts. */
export const entrySourceOf = (mode: AgentMode): 'agent' | 'reviewer' =>
  mode === 'review' ? 'reviewer' : 'agent';

export const TaskContextEntry = z.strictObject({
  run: z.string().nullable(),
  source: z.enum(['agent', 'reviewer']),
  entryType: z.string(),
  summary: said('summary'),
  at: z.number(),
});
export type TaskContextEntry = z.infer<typeof TaskContextEntry>;

/** What an agent came to, as it says it. Everything but the outcome may be missing. */
export const AgentPayload = z.strictObject({
  plan: z.string().optional(),
  planSummary: z.string().optional(),
  investigationSummary: z.string().optional(),
  subtasks: z.array(z.string()).optional(),
  summary: z.string().optional(),
  comments: z.array(z.string()).optional(),
  /** Of `needs_info`. */
  question: z.string().optional(),
});
export type AgentPayload = z.infer<typeof AgentPayload>;

/** What its answer has to look like, for agents that take a schema. */
export const answerSchemas: Record<AgentMode, z.ZodType<AgentPayload>> = (() => {
  const plan = z.strictObject({ plan: z.string(), planSummary: z.string(), subtasks: z.array(z.string()) });
  const investigation = z.strictObject({
    plan: z.string(),
    investigationSummary: z.string(),
    subtasks: z.array(z.string()),
  });
  const change = z.strictObject({ summary: z.string() });
  return {
    plan,
    plan_revision: plan,
    investigate: investigation,
    implement: change,
    request_changes: change,
    review: z.strictObject({ summary: z.string(), comments: z.array(z.string()) }),
  };
})();
