import { actionsOf } from '../actions.ts';
import { type HookFormat, noObjection, replying, textIn } from '../format.ts';

const afters = new Set(['afterShellExecution', 'afterFileEdit', 'postToolUse', 'postToolUseFailure']);

/**
 * Cursor: shell commands come by `beforeShellExecution`, which can ask; all else by `preToolUse`, which cannot (it takes the
 * word, and does not act on it).
 */
export const cursor: HookFormat = {
  read(input) {
    const event = textIn(input, 'hook_event_name');
    if (event === null) return { problem: 'it does not say what happens' };
    const session = textIn(input, 'conversation_id', 'session_id');
    if (session === null) return { problem: 'it names no conversation' };
    const roots = input['workspace_roots'];
    const all = Array.isArray(roots) ? roots.filter((one) => typeof one === 'string') : [];
    const cwd = textIn(input, 'cwd') ?? all[0];
    if (cwd === undefined) return { problem: 'it names no folder' };
    const root = all.find((one) => cwd === one || cwd.startsWith(`${one}/`)) ?? all[0] ?? null;
    const isShell = /ShellExecution$/.test(event);
    const when = /^(?:beforeShellExecution|preToolUse)$/.test(event)
      ? 'before'
      : afters.has(event)
        ? 'after'
        : 'other';
    const tool = isShell ? 'Shell' : (textIn(input, 'tool_name') ?? (when === 'after' ? 'Edit' : event));
    const call = textIn(input, 'tool_use_id') ?? '';
    const given = isShell ? input['command'] : input['tool_input'];
    const common = { when, session, cwd, base: cwd, root, tool, call, given, canAsk: isShell } as const;
    // Of a shell command the other event tells.
    if (when !== 'before' || (!isShell && tool === 'Shell')) return { ...common, actions: null };
    const actions = actionsOf(tool, isShell ? input : (input['tool_input'] ?? {}));
    if (actions !== null && 'problem' in actions) return actions;
    return { ...common, actions };
  },
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after'
      ? noObjection
      : replying({ permission: answer, user_message: reason, agent_message: reason }),
};
