import type { TurnOutcome } from '../../../core/contract/index.ts';
import { agentModes } from '../../../core/contract/tasks/index.ts';
import { answerForm, BUILT_IN } from '../../../core/tasks/index.ts';
import {
  type Agent,
  type AgentConfig,
  type AgentContext,
  type AgentRunResult,
  answeredRun,
  createStops,
  failedRun,
  GO_ON,
  messageOf,
  withCommit,
} from '../agent.ts';

/** What one message of a conversation came to. */
export interface TurnSaid {
  outcome: TurnOutcome;
  /** The last thing that the model said. */
  text: string;
  message: string | null;
  /** What it asked the person, where it did and waits. */
  question: string | null;
  rounds: number;
  costUsd: number;
  tokens: number;
}

export interface Saying {
  signal: AbortSignal;
  onOutput: (chunk: string) => void;
  /** What the conversation has cost so far has been told: only what comes on top is. */
  isCounted: boolean;
}

/** Conversations, as the agent needs them: journalled, gated and gone on with like any other. */
export interface Conversing {
  hasModel(): Promise<boolean>;
  /** The same run and attempt begin the same one. */
  begin(run: string, folder: string, config: AgentConfig, mayChange: boolean): Promise<string>;
  /** Resolves when the message has been answered, or when the signal has ended it. */
  say(chat: string, text: string, saying: Saying): Promise<TurnSaid>;
}

/** Planwright's own: a conversation in the worktree, with the tools and the models that conversations have. */
export function createBuiltInAgent(conversing: Conversing): Agent {
  const stops = createStops();
  return {
    type: BUILT_IN,
    isAvailable: () => conversing.hasModel(),
    stop: stops.stop,
    async execute(context, config, onOutput = () => {}, onLog, onPromptBuilt) {
      const { run, mode, worktree, session, attempt, host } = context;
      const signal = stops.begin(run);
      try {
        const { changes } = agentModes[mode];
        const chat = session ?? (await conversing.begin(run, worktree, config, changes));
        if (!(await host.named(chat))) return failedRun('stopped', 'somebody else has the run');
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        onLog?.('conversation', { chat });
        const goesOn = session !== null && attempt === 1;
        const prompt = `${goesOn ? GO_ON : ''}${context.prompt}\n\n${answerForm(mode)}`;
        onPromptBuilt?.(prompt);
        // What an interrupted run spent nobody has told.
        const said = await conversing.say(chat, prompt, { signal, onOutput, isCounted: attempt > 1 });
        return await withCommit(context, resultOf(said, context), onLog);
      } catch (error) {
        return failedRun(signal.aborted ? 'stopped' : 'error', messageOf(error));
      } finally {
        stops.end(run);
      }
    },
  };
}

function resultOf(said: TurnSaid, { mode }: AgentContext): AgentRunResult {
  const spent = { turns: said.rounds, costUsd: said.costUsd, tokens: said.tokens };
  if (said.question !== null) {
    const payload = { question: said.question };
    return { ...spent, exitCode: 0, outcome: 'needs_info', payload, why: null, message: null };
  }
  switch (said.outcome) {
    case 'answered':
    case 'planned':
      return answeredRun(mode, said, spent);
    case 'stopped':
      return failedRun('stopped', 'it was stopped', spent);
    case 'limit':
    case 'rounds':
      return failedRun('limit', said.message ?? 'it came to a limit', spent);
    case 'no-model':
      return failedRun('unavailable', 'there is no model that could do this', spent);
    case 'failed':
    case 'correction-failed':
    case 'decision-needed':
    case 'checkpoint-failed':
      return failedRun('error', said.message ?? `the conversation ended as ${said.outcome}`, spent);
  }
}
