import { actionsOf } from '../actions.ts';
import { type HookFormat, noObjection, replying, textIn } from '../format.ts';

/** Copilot CLI, preToolUse and postToolUse: `toolName`, and `toolArgs` as an object or as the JSON of one. */
export const copilot: HookFormat = {
  read(input) {
    const tool = textIn(input, 'toolName', 'tool_name');
    const cwd = textIn(input, 'cwd');
    if (cwd === null) return { problem: 'it names no folder' };
    if (tool === null) return { problem: 'it names no tool' };
    const session = textIn(input, 'sessionId', 'session_id') ?? cwd;
    const args = parsed(input['toolArgs'] ?? input['tool_input']);
    const isAfter = 'toolResult' in input || 'tool_result' in input;
    const call = textIn(input, 'toolCallId') ?? '';
    const common = { session, cwd, base: cwd, root: null, tool, call, given: args, canAsk: true };
    if (isAfter) return { ...common, when: 'after', actions: null };
    const actions = actionsOf(tool, args);
    if (actions !== null && 'problem' in actions) return actions;
    return { ...common, when: 'before', actions };
  },
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after'
      ? noObjection
      : replying({ permissionDecision: answer, permissionDecisionReason: reason }),
};

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
