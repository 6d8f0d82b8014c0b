import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

/** What is used of `@anthropic-ai/claude-agent-sdk`, which is the person's own and is not there for us to be compiled against. */
export interface ClaudeSdk {
  query(asked: { prompt: string; options: ClaudeOptions }): AsyncIterable<unknown>;
}

export interface ClaudeOptions {
  cwd: string;
  env: Readonly<Record<string, string>>;
  abortController: AbortController;
  maxTurns: number;
  maxBudgetUsd?: number;
  permissionMode: 'default';
  /** Which settings of files count. None: those of a repository that nobody trusts run nothing. */
  settingSources: readonly ('user' | 'project' | 'local')[];
  disallowedTools: readonly string[];
  outputFormat?: { type: 'json_schema'; schema: unknown };
  resume?: string;
  hooks: {
    PreToolUse: readonly {
      hooks: readonly ((input: unknown) => Promise<HookAnswer>)[];
      /** Seconds. */
      timeout: number;
      /** A gate that fails is shut. */
      onFailure: 'block';
    }[];
  };
  spawnClaudeCodeProcess(options: ClaudeSpawn): ClaudeProcess;
  stderr(text: string): void;
}

export interface ClaudeSpawn {
  command: string;
  args: string[];
  cwd?: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** A process, as the SDK wants it. */
export interface ClaudeProcess extends EventEmitter {
  stdin: Writable;
  stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  kill(signal: NodeJS.Signals): boolean;
}

export interface HookAnswer {
  hookSpecificOutput: {
    hookEventName: 'PreToolUse';
    permissionDecision: 'allow' | 'deny';
    permissionDecisionReason?: string;
  };
}

export const HookInput = z.looseObject({ tool_name: z.string(), tool_input: z.unknown() });

const Block = z.union([
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('tool_use'), name: z.string() }),
  z.looseObject({ type: z.string() }),
]);

/** Those of its messages that are looked at; others are passed over. */
export const ClaudeMessage = z.union([
  z.looseObject({ type: z.literal('system'), subtype: z.literal('init'), session_id: z.string() }),
  z.looseObject({ type: z.literal('assistant'), message: z.looseObject({ content: z.array(Block) }) }),
  z.looseObject({
    type: z.literal('result'),
    subtype: z.string(),
    is_error: z.boolean().optional(),
    result: z.string().optional(),
    structured_output: z.unknown().optional(),
    errors: z.array(z.string()).optional(),
    num_turns: z.int().min(0).catch(0),
    total_cost_usd: z.number().min(0).catch(0),
    usage: z
      .looseObject({ input_tokens: z.int().catch(0), output_tokens: z.int().catch(0) })
      .catch({ input_tokens: 0, output_tokens: 0 }),
  }),
]);
export type ClaudeResult = Extract<z.infer<typeof ClaudeMessage>, { type: 'result' }>;
