import { actionsOf } from '../actions.ts';
import { type HookFormat, isFields, replying, telling, textIn } from '../format.ts';

const befores = new Set(['PreToolUse', 'BeforeTool', 'preToolUse']);
const afters = new Set(['PostToolUse', 'PostToolUseFailure', 'AfterTool', 'postToolUse']);

/**
 * Hooks whose input has `session_id`, `tool_name` and `tool_input`: Claude Code, and those that took its format over. `asks`:
 * whether it can ask a person, given how it was started. `folders`: by what name its shell is told to start elsewhere.
 */
export const claudeLike = (
  asks: (mode: string | null) => boolean,
  folders: readonly string[],
): Pick<HookFormat, 'read'> => ({
  read(input, env) {
    const event = textIn(input, 'hook_event_name');
    const session = textIn(input, 'session_id', 'conversation_id');
    const cwd = textIn(input, 'cwd');
    if (event === null) return { problem: 'it does not say what happens' };
    if (session === null) return { problem: 'it names no session' };
    if (cwd === null) return { problem: 'it names no folder' };
    const isBefore = befores.has(event) || (!afters.has(event) && 'tool_name' in input);
    const when = isBefore ? 'before' : afters.has(event) ? 'after' : 'other';
    const common = {
      when,
      session,
      cwd,
      base: cwd,
      root: textIn(env as Record<string, unknown>, 'CLAUDE_PROJECT_DIR'),
    } as const;
    const canAsk = asks(textIn(input, 'permission_mode'));
    if (when === 'other') return { ...common, call: '', given: null, tool: event, actions: null, canAsk };
    const tool = textIn(input, 'tool_name');
    if (tool === null) return { problem: 'it names no tool' };
    const given = input['tool_input'];
    const actions = actionsOf(tool, given);
    if (actions !== null && 'problem' in actions) return actions;
    // A shell may be started elsewhere than the agent is.
    const own = actions?.some(({ kind }) => kind.startsWith('run-')) && isFields(given) ? given : {};
    const [place, other] = new Set(folders.map((name) => textIn(own, name)).filter((at) => at !== null));
    if (other !== undefined) return { problem: 'it names two folders' };
    const at = place === undefined ? cwd : place.startsWith('/') ? place : `${cwd}/${place}`;
    const call = textIn(input, 'tool_use_id', 'call_id') ?? '';
    return { ...common, cwd: at, call, given, tool, actions, canAsk };
  },
});

/** Claude Code, PreToolUse and PostToolUse. Where it was told to skip questions, nobody would be asked. */
export const claudeCode: HookFormat = {
  ...claudeLike((mode) => mode !== 'bypassPermissions' && mode !== 'dontAsk', []),
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after' ? telling(reason) : preToolUse(answer, reason),
};

export const preToolUse = (permissionDecision: 'ask' | 'deny', permissionDecisionReason: string) =>
  replying({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
  });
