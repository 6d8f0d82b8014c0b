import { z } from 'zod';
import { OnAsk } from '../options.ts';

export const AgentLimits = z.strictObject({
  turns: z.int().min(1),
  timeMs: z.int().positive(),
  money: z.number().min(0),
  tokens: z.int().min(0),
});
export type AgentLimits = z.infer<typeof AgentLimits>;

/** Where its work is done and what it is compared with. */
export const Repository = z.strictObject({
  path: z.string(),
  /** Left out: whatever the repository has checked out. */
  baseBranch: z.string().optional(),
  remote: z.string().nullable(),
  /** The branch of the task, where it has one already. */
  branch: z.string().nullable(),
  /** Where any machine of a fleet clones it from, and pushes this branch to. */
  gitSource: z.string().optional(),
});
export type Repository = z.infer<typeof Repository>;

export const RelatedTask = z.strictObject({ task: z.string(), title: z.string(), description: z.string() });

/** A program that speaks the Agent Client Protocol, as a person has set it up. */
export const AgentProgram = z.strictObject({
  /** A command line that starts it. */
  command: z.string().min(1),
  /** Hosts that it may talk to from its sandbox, with `:PORT` where that is not 443: those of its model. */
  hosts: z.array(z.string().regex(/^[\w.-]+(:\d+)?$/)).optional(),
  /** Files and folders besides its worktree that it may write: where its login lies. `~` is the home. */
  writes: z.array(z.string().min(1)).optional(),
  /** Variables that look like secrets and that it is given all the same. */
  variables: z.array(z.string().regex(/^[A-Za-z_]\w*$/)).optional(),
  /** A person lets it work outside of the sandbox, in the worktree itself, whether or not it asks before it does things. */
  ungated: z.boolean().optional(),
});
export type AgentProgram = z.infer<typeof AgentProgram>;

/** What the project's settings were when an agent run was begun: it keeps to them. */
export const AgentGiven = z.strictObject({
  repository: Repository,
  limits: AgentLimits,
  setupCommands: z.array(z.string()),
  validationCommands: z.array(z.string()),
  maxValidationRetries: z.int().min(0),
  related: RelatedTask.nullable(),
  onAsk: OnAsk,
  /** How the agent is started, where it is a program. */
  program: AgentProgram.optional(),
});
export type AgentGiven = z.infer<typeof AgentGiven>;
