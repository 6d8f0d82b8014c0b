import { z } from 'zod';
import { answerSchemas } from '../../../../core/contract/tasks/index.ts';
import { answerForm } from '../../../../core/tasks/index.ts';
import type { ProgramPeer } from '../../../../world/process/peer.ts';
import {
  type Agent,
  type AgentConfig,
  type AgentContext,
  type AgentHost,
  type AgentRunResult,
  answeredRun,
  createStops,
  failedRun,
  failureOf,
  GO_ON,
  messageOf,
  withCommit,
} from '../../agent.ts';
import { type StartClaude, StartingProcess } from './process.ts';
import {
  ClaudeMessage,
  type ClaudeOptions,
  type ClaudeResult,
  type ClaudeSdk,
  type HookAnswer,
  HookInput,
} from './sdk.ts';
import { claudeAction } from './wanted.ts';

export interface ClaudeCode {
  /** Null where it is not installed. */
  load(): Promise<ClaudeSdk | null>;
  start: StartClaude;
  env: Readonly<Record<string, string>>;
  /** Settings, hooks and servers of the repository count in a folder that is trusted, and nowhere else. */
  isTrusted: boolean;
}

/** A person may take a week to decide. */
const GATE_SECONDS = 7 * 24 * 3600;

/**
 * Claude Code, by its SDK. Every call of a tool, its own agents' too, comes to our hook before it is made: its permission
 * rules would come first otherwise, and may allow anything.
 */
export function createClaudeCodeAgent(type: string, claude: ClaudeCode): Agent {
  const stops = createStops();
  return {
    type,
    isAvailable: async () => (await claude.load()) !== null,
    stop: stops.stop,
    async execute(context, config, onOutput = () => {}, onLog = () => {}, onPromptBuilt) {
      const signal = stops.begin(context.run);
      const peers: ProgramPeer[] = [];
      const end = () => Promise.all(peers.map((peer) => peer.end()));
      const onAbort = () => void end();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        const sdk = await claude.load();
        if (sdk === null) return failedRun('unavailable', 'Claude Code is not installed');
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        const goesOn = context.session !== null && context.attempt === 1;
        const prompt = `${goesOn ? GO_ON : ''}${context.prompt}\n\n${answerForm(context.mode)}`;
        onPromptBuilt?.(prompt);
        const start: StartClaude = async (command, asked) => {
          const peer = await claude.start(command, asked);
          peers.push(peer);
          if (signal.aborted || !(await context.host.spawned(peer.group))) await peer.end();
          else peer.open();
          return peer;
        };
        const options = optionsOf(context, config, claude, start, onLog);
        signal.addEventListener('abort', () => options.abortController.abort(), { once: true });
        const result = await listen(sdk.query({ prompt, options }), context, { onOutput, signal });
        await end();
        if (signal.aborted) return failedRun('stopped', 'it was stopped', spentOf(result));
        return await withCommit(context, endOf(context, result), onLog);
      } catch (error) {
        if (signal.aborted) return failedRun('stopped', 'it was stopped');
        return failedRun('error', failureOf(error, peers.map((peer) => peer.said()).join('\n')));
      } finally {
        await end();
        stops.end(context.run);
      }
    },
  };
}

function optionsOf(
  { mode, worktree, session, attempt, host }: AgentContext,
  { turns, money }: AgentConfig,
  { env, isTrusted }: ClaudeCode,
  start: StartClaude,
  onLog: (message: string) => void,
): ClaudeOptions {
  return {
    ...{ cwd: worktree, env, maxTurns: turns, permissionMode: 'default' },
    abortController: new AbortController(),
    ...(money > 0 ? { maxBudgetUsd: money } : {}),
    settingSources: isTrusted ? ['user', 'project', 'local'] : [],
    // Nobody is there to be asked; a question ends the run and parks the task.
    disallowedTools: ['AskUserQuestion'],
    // A review has its verdict in words.
    ...(mode === 'review' ? {} : { outputFormat: { type: 'json_schema', schema: schemaOf(mode) } }),
    // What an interrupted run has spent nobody was told; what a finished one has, everybody.
    ...(session !== null && attempt === 1 ? { resume: session } : {}),
    hooks: {
      PreToolUse: [
        { hooks: [(input) => gate(host, input, onLog)], timeout: GATE_SECONDS, onFailure: 'block' },
      ],
    },
    spawnClaudeCodeProcess: (asked) => new StartingProcess(start, asked),
    stderr: () => {},
  };
}

/** Its reader of schemas is of another draft, and takes no name of one. */
function schemaOf(mode: AgentContext['mode']): object {
  const { $schema: _, ...schema } = z.toJSONSchema(answerSchemas[mode], { target: 'draft-7' });
  return schema;
}

/** Allowed or not, and never left to other rules. */
async function gate(host: AgentHost, input: unknown, onLog: (message: string) => void): Promise<HookAnswer> {
  const answer = (permissionDecision: 'allow' | 'deny', reason?: string): HookAnswer => ({
    hookSpecificOutput: {
      ...{ hookEventName: 'PreToolUse', permissionDecision },
      ...(reason === undefined ? {} : { permissionDecisionReason: reason }),
    },
  });
  try {
    const { tool_name: tool, tool_input: given } = HookInput.parse(input);
    const action = claudeAction(tool, given);
    const allowed = action === null ? { ok: true as const } : await host.allowed(action);
    if (allowed.ok) return answer('allow');
    onLog(`refused: ${tool}: ${allowed.message}`);
    return answer('deny', allowed.message);
  } catch (error) {
    return answer('deny', `it could not be judged: ${messageOf(error)}`);
  }
}

async function listen(
  messages: AsyncIterable<unknown>,
  { host }: AgentContext,
  { onOutput, signal }: { onOutput(chunk: string): void; signal: AbortSignal },
): Promise<(ClaudeResult & { said: string }) | null> {
  let said = '';
  for await (const message of messages) {
    if (signal.aborted) return null;
    const read = ClaudeMessage.safeParse(message).data;
    if (read?.type === 'system' && !(await host.named(read.session_id))) return null;
    if (read?.type === 'assistant')
      for (const block of read.message.content) {
        const text = block.type === 'text' && 'text' in block ? String(block.text) : null;
        if (text !== null && text.trim() !== '') said = text;
        if (text !== null) onOutput(`${text.trimEnd()}\n`);
        if (block.type === 'tool_use') onOutput(`▸ ${'name' in block ? String(block.name) : 'a call'}\n`);
      }
    if (read?.type === 'result') return { ...read, said };
  }
  return null;
}

const spentOf = (result: ClaudeResult | null) => ({
  turns: result?.num_turns ?? 0,
  costUsd: result?.total_cost_usd ?? 0,
  tokens: (result?.usage.input_tokens ?? 0) + (result?.usage.output_tokens ?? 0),
});

function endOf({ mode }: AgentContext, result: (ClaudeResult & { said: string }) | null): AgentRunResult {
  if (result === null) return failedRun('error', 'it ended without saying what it came to');
  const spent = spentOf(result);
  switch (result.subtype) {
    case 'success':
      if (result.is_error === true) return failedRun('error', result.result ?? 'it failed', spent);
      return answeredRun(
        mode,
        { text: result.result || result.said, structured: result.structured_output ?? null },
        spent,
      );
    case 'error_max_turns':
      return failedRun('limit', 'it took as many turns as it may', spent);
    case 'error_max_budget_usd':
      return failedRun('limit', 'it cost as much as it may', spent);
    default:
      return failedRun('error', result.errors?.[0] ?? `it ended as ${result.subtype}`, spent);
  }
}
