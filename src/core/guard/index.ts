import type { GuardedAgent } from '../contract/guard/index.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { copilot } from './agents/copilot.ts';
import { cursor } from './agents/cursor.ts';
import { gemini } from './agents/gemini.ts';
import { opencode } from './agents/opencode.ts';
import type { HookFormat } from './format.ts';

export { shellOf, typedOf } from './actions.ts';
export { answerTo, reasonFor, unkeptReason } from './decide.ts';
export {
  type Fields,
  type HookCall,
  type HookFormat,
  type HookReply,
  isFields,
  namedIn,
  UNREADABLE,
} from './format.ts';

/** How each agent speaks with its hooks. */
export const hookFormats: Readonly<Record<GuardedAgent, HookFormat>> = {
  'claude-code': claudeCode,
  codex,
  gemini,
  cursor,
  copilot,
  opencode,
};
