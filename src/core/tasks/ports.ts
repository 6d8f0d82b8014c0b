import type { Place } from '../contract/index.ts';
import type {
  AgentFact,
  AgentGiven,
  AgentMode,
  AgentPayload,
  AgentRunState,
  Brief,
  CheckResult,
  MergeHow,
  TaskState,
} from '../contract/tasks/index.ts';
import type { CallLedger, Children } from '../stream/index.ts';

/** Planwright's own agent, whose work is a conversation: a stream of its own. */
export const BUILT_IN = 'planwright';

/** Whether an agent may begin now. */
export type Admission =
  | { ok: true }
  /** All that may work at once are at work. */
  | { ok: false; until: number; why: string }
  /** What the task or its project may cost, or take, is used up. */
  | { ok: false; until: null; why: string };

export interface MergeResult {
  ok: boolean;
  commit: string | null;
  code: string | null;
  message: string;
  conflicts: string[];
  pullRequest?: { url: string; commit: string };
}

/** The project's folder on this machine, as whatever was left of the task elsewhere makes it. */
export type TakenProject = { ok: true; place: Place } | { ok: false; message: string };

/** What a task needs of the world. Nothing here throws but what the store does. */
export interface TaskPorts {
  take(state: TaskState, signal: AbortSignal): Promise<TakenProject>;
  children: Children;
  /** Those of these tasks that are not through. */
  openDependencies(tasks: readonly string[]): Promise<string[]>;
  /** Who is to work, and what the project says about it now. */
  given(state: TaskState, mode: AgentMode): Promise<{ agent: string; given: AgentGiven }>;
  agentRun(run: string): Promise<AgentRunState>;
  /** Merges the commit that was seen of the branch into its base, whole or not at all. Done twice it is done once. */
  merge(state: TaskState, how: MergeHow, signal: AbortSignal): Promise<MergeResult>;
}

export type Prepared =
  | { ok: true; worktree: NonNullable<AgentRunState['worktree']> }
  | { ok: false; code: string; message: string };

/** What an agent is given to do. */
export interface AgentWork {
  run: string;
  task: string;
  mode: AgentMode;
  agent: string;
  epoch: number;
  attempt: number;
  prompt: string;
  /** The folder that it works in, and nowhere else. */
  worktree: string;
  branch: string;
  /** The commit that its work is compared with. */
  base: string;
  given: AgentGiven;
  brief: Brief;
  /** What it goes on from. */
  session: string | null;
}

export interface AgentEnd {
  exitCode: number;
  /** What it came to: one of its mode, or anything else, which is reported. */
  outcome: string;
  payload: AgentPayload;
  /** Why it did not come to its own end. */
  why: 'timeout' | 'stopped' | 'limit' | 'error' | 'unavailable' | null;
  message: string | null;
  turns: number;
  costUsd: number;
  tokens: number;
}

/** What an agent tells while it works. Each resolves false where its driver has been overtaken: it ends then. */
export interface AgentHooks {
  signal: AbortSignal;
  ledger: CallLedger;
  record(facts: AgentFact[]): Promise<boolean>;
  /** Resolves once a person has decided, or when the signal aborts, which is a no. */
  decided(approvalId: string): Promise<{ granted: boolean; reason: string | null }>;
}

/** What an agent left: on its branch, which is at `head`, and elsewhere, where it was put back. */
export interface LeftOnBranch {
  commits: number;
  files: number;
  foreign: string[];
  head: string | null;
}

/** What was handed on to other machines. */
export type Released = Omit<Extract<AgentFact, { type: 'worktree-released' }>, 'type'>;

/** What an agent run needs of the world. Nothing here throws. */
export interface AgentPorts {
  /** Of two that ask at the same time, the one that was begun first has its turn first. */
  admit(state: AgentRunState): Promise<Admission>;
  prepare(state: AgentRunState, signal: AbortSignal): Promise<Prepared>;
  /** Runs commands in the worktree, confined like the agent, until one fails. */
  check(state: AgentRunState, commands: readonly string[], signal: AbortSignal): Promise<CheckResult[]>;
  /** The template of a person for this mode; a warning where there is one that cannot be used. */
  template(state: AgentRunState): Promise<{ text: string | null; warning: string | null }>;
  perform(work: AgentWork, hooks: AgentHooks): Promise<AgentEnd>;
  /** Ends whatever is left of a performance whose driver is gone. */
  endLeftovers(state: AgentRunState, signal: AbortSignal): Promise<string>;
  changes(state: AgentRunState): Promise<LeftOnBranch>;
  /** Lets go of the worktree, and hands on what is in it where there are others who could go on. */
  release(state: AgentRunState): Promise<Released>;
  take(state: AgentRunState, signal: AbortSignal): Promise<TakenProject>;
  decided: (approvalId: string, signal: AbortSignal) => ReturnType<AgentHooks['decided']>;
}
