import type { ProcessGroup, SimpleAction, StepResult } from '../../core/contract/index.ts';
import { type AgentLimits, type AgentMode, agentModes, type Brief } from '../../core/contract/tasks/index.ts';
import { type AgentEnd, readAnswer } from '../../core/tasks/index.ts';

/** What an agent is told about the work it is to do. */
export interface AgentContext {
  /** Names this run: `stop` takes it. */
  run: string;
  task: string;
  mode: AgentMode;
  /** The folder that it works in, and nowhere else. */
  worktree: string;
  branch: string;
  /** How often it was performed in this run: more than once where what it left did not pass. */
  attempt: number;
  prompt: string;
  brief: Brief;
  /** What it goes on from. */
  session: string | null;
  host: AgentHost;
}

/** What the house does for an agent. */
export interface AgentHost {
  /** What the agent can be gone on with, written down before it works. False: somebody else has the run, and it ends. */
  named(session: string): Promise<boolean>;
  /** Commits everything in the worktree as it is now. Answers null where there is nothing, or with the commit. */
  commit(message: string): Promise<string | null>;
  /** A process of the agent's, written down before it runs anything. False: it must not be let run. */
  spawned(group: ProcessGroup): Promise<boolean>;
  /** Whether it may be done: judged like a step, and asked of a person where one has to say. */
  allowed(action: SimpleAction): Promise<Allowed>;
  /** A text file, exactly; null where there is none. Rejects with a sentence where it may not be read. */
  read(path: string): Promise<string | null>;
  /** Does it with the house's own tools: judged, asked for, confined. Never rejects. */
  perform(action: SimpleAction, how?: PerformOptions): Promise<StepResult>;
}

export type Allowed = { ok: true } | { ok: false; message: string };

export interface PerformOptions {
  /** Left out: the worktree. */
  cwd?: string | undefined;
  signal?: AbortSignal | undefined;
  onOutput?: ((chunk: string) => void) | undefined;
}

/** How far it may go, and what becomes of what it has to ask. */
export interface AgentConfig extends AgentLimits {
  onAsk: 'wait' | 'fail' | 'deny';
}

export type AgentRunResult = AgentEnd;

/** A coding agent. What it cannot do it answers with; it never throws. */
export interface Agent {
  readonly type: string;
  execute(
    context: AgentContext,
    config: AgentConfig,
    onOutput?: (chunk: string) => void,
    onLog?: (message: string, data?: Record<string, unknown>) => void,
    onPromptBuilt?: (prompt: string) => void,
  ): Promise<AgentRunResult>;
  /** Ends the run of this id and whatever it has started; nothing where there is none. */
  stop(run: string): Promise<void>;
  isAvailable(): Promise<boolean>;
}

/** Before the prompt of one that goes on with its session. */
export const GO_ON = 'You were interrupted. Look at what is there already, and go on with this:\n\n';

export const nothingSpent = { turns: 0, costUsd: 0, tokens: 0 };

export const failedRun = (
  why: NonNullable<AgentRunResult['why']>,
  message: string,
  so: Partial<AgentRunResult> = {},
): AgentRunResult => ({
  ...nothingSpent,
  exitCode: 1,
  outcome: 'failed',
  payload: {},
  why,
  message,
  ...so,
});

/** What an agent that came to its own end came to, by its last words and what it gave by a schema. */
export function answeredRun(
  mode: AgentMode,
  said: { text: string; structured?: unknown },
  spent: Pick<AgentRunResult, 'turns' | 'costUsd' | 'tokens'>,
): AgentRunResult {
  const { text, structured = null } = said;
  // Work that was committed speaks for itself; a plan or a review that nobody wrote is none.
  if (text.trim() === '' && structured === null && !agentModes[mode].changes)
    return failedRun('error', 'it ended without a word', spent);
  const { outcome, payload, warning } = readAnswer(mode, text, structured);
  const exitCode = outcome === 'failed' ? 1 : 0;
  return { ...spent, exitCode, outcome, payload, why: exitCode === 0 ? null : 'error', message: warning };
}

/** What it has left uncommitted is committed, however it ended; where it asks something it is not through. */
export async function withCommit(
  { mode, brief, host }: AgentContext,
  ended: AgentRunResult,
  onLog: ((message: string, data?: Record<string, unknown>) => void) | undefined,
): Promise<AgentRunResult> {
  if (!agentModes[mode].changes || ended.outcome === 'needs_info') return ended;
  const commit = await host.commit(brief.title);
  if (commit !== null) onLog?.('committed what it had left uncommitted', { commit });
  return ended;
}

/** A failure with the line of the program's standard error that tells most. */
export function failureOf(error: unknown, said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const telling = lines.find((line) => /error\b/i.test(line)) ?? lines.at(-1);
  return `${messageOf(error)}${telling === undefined ? '' : ` (${telling.trim().slice(0, 300)})`}`;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** One controller for each run, by the run's own id: two runs of one task never end each other. */
export function createStops(): {
  begin(run: string): AbortSignal;
  end(run: string): void;
  stop(run: string): Promise<void>;
} {
  const running = new Map<string, { controller: AbortController; ended: PromiseWithResolvers<void> }>();
  return {
    begin(run) {
      const controller = new AbortController();
      running.set(run, { controller, ended: Promise.withResolvers() });
      return controller.signal;
    },
    end(run) {
      running.get(run)?.ended.resolve();
      running.delete(run);
    },
    async stop(run) {
      const found = running.get(run);
      found?.controller.abort();
      await found?.ended.promise;
    },
  };
}
