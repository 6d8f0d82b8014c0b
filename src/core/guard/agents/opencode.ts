import { type HookFormat, noObjection, replying } from '../format.ts';
import { claudeLike } from './claude-code.ts';

/** opencode has plugins in its own process; ours (`settings/opencode-plugin.ts`) writes this, and throws at `deny`. */
export const opencode: HookFormat = {
  ...claudeLike(() => false, ['workdir']),
  reply: (answer, reason, call) =>
    answer === 'none' || call?.when === 'after' ? noObjection : replying({ decision: 'deny', reason }),
};
