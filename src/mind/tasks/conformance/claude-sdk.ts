import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ClaudeSdk } from '../agents/claude-code/sdk.ts';

/** What a stand-in for the SDK does: the messages and the hook are those of the real one, as recorded from version 0.3. */
export type ClaudeStep =
  | { say: string }
  /** Calls a tool: by the hook first, as the program does; `does` where it may. */
  | { tool: string; input: unknown; does?: () => void }
  | { hang: true }
  | { fail: string }
  | { result: string; structured?: unknown };

export function standInSdk(steps: readonly ClaudeStep[]): ClaudeSdk & { decisions: string[] } {
  const decisions: string[] = [];
  return {
    decisions,
    async *query({ options }) {
      const { abortController, cwd, env, hooks } = options;
      const program = options.spawnClaudeCodeProcess({ command: 'sleep', args: ['1000'], cwd, env });
      const session_id = options.resume ?? randomUUID();
      yield { type: 'system', subtype: 'init', session_id, tools: [] };
      let turns = 0;
      const assistant = (content: unknown[]) => ({
        type: 'assistant',
        message: { role: 'assistant', content },
        session_id,
      });
      for (const step of steps) {
        if ('say' in step) yield assistant([{ type: 'text', text: step.say }]);
        if ('tool' in step) {
          turns += 1;
          yield assistant([{ type: 'tool_use', id: `toolu_${turns}`, name: step.tool, input: step.input }]);
          const [matcher] = hooks.PreToolUse;
          const { hookSpecificOutput } = await matcher!.hooks[0]!({
            hook_event_name: 'PreToolUse',
            tool_name: step.tool,
            tool_input: step.input,
          });
          decisions.push(`${step.tool} ${hookSpecificOutput.permissionDecision}`);
          if (hookSpecificOutput.permissionDecision === 'allow') step.does?.();
        }
        if ('hang' in step) {
          if (!abortController.signal.aborted) await once(abortController.signal, 'abort');
          throw new Error('Claude Code process aborted by user');
        }
        if ('fail' in step) throw new Error(step.fail);
        if ('result' in step)
          yield {
            type: 'result',
            subtype: 'success',
            is_error: false,
            result: step.result,
            num_turns: turns + 1,
            total_cost_usd: 0.02,
            usage: { input_tokens: 100, output_tokens: 20 },
            session_id,
            ...(step.structured === undefined ? {} : { structured_output: step.structured }),
          };
      }
      program.kill('SIGTERM');
    },
  };
}
