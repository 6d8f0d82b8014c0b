import { type HookFormat, replying, telling } from '../format.ts';
import { claudeLike } from './claude-code.ts';

/**
 * Gemini CLI, BeforeTool and AfterTool. Its code knows `decision: ask`, its documentation does not, and without a terminal it
 * waits for ever for somebody to answer: so it is denied.
 */
export const gemini: HookFormat = {
  ...claudeLike(() => false, ['dir_path', 'directory']),
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after' ? telling(reason) : replying({ decision: 'deny', reason }),
};
