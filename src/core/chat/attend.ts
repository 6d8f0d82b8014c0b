import type { ChatFact, ChatState } from '../contract/index.ts';
import type { Attention } from '../stream/index.ts';
import type { ChatWork } from './work.ts';

/**
 * What becomes of work that is under way. Pure.
 *
 *   ask, calls, judge, compact ▶ a stop ends it
 *   all else                   ▶ is brought to its end
 */
export function attend({ inbox }: ChatState, { kind }: ChatWork): Attention<ChatFact> {
  const canStop = kind === 'ask' || kind === 'calls' || kind === 'judge' || kind === 'compact';
  const isStopped = inbox.some(
    ({ request: { type } }) => type === 'stop-requested' || type === 'close-requested',
  );
  return canStop && isStopped ? { kind: 'abort', why: 'cancelled' } : { kind: 'await', until: null };
}
