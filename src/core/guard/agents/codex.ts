import { type HookFormat, telling } from '../format.ts';
import { claudeLike, preToolUse } from './claude-code.ts';

/** Codex, PreToolUse and PostToolUse. It refuses `ask`, and runs what was to be asked about: so it is denied. */
export const codex: HookFormat = {
  ...claudeLike(() => false, ['workdir']),
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after' ? telling(reason) : preToolUse('deny', reason),
};
