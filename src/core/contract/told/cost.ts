import type { ModelCall, ModelCallEnd } from '../index.ts';
import { dollars } from '../stream/dollars.ts';
import { count } from './text.ts';

/** What one call of a model cost; of one that has not ended, or whose use nobody knows, the most it can have. */
export function costWords(
  end: Pick<ModelCallEnd, 'usage' | 'usd' | 'replayed'> | null,
  call?: ModelCall,
): string {
  if (end?.replayed) return 'replayed, nothing sent';
  if (end?.usage == null)
    return call === undefined ? 'cost not known, the worst case is counted' : worstCase(call.reserved);
  const tokens = count(end.usage.inputTokens + end.usage.outputTokens, 'token');
  return end.usd === null ? tokens : `${tokens}, ${dollars(end.usd)}`;
}

/** The most that a call can cost. */
export const worstCase = ({ usd, tokens }: ModelCall['reserved']): string =>
  `at most ${usd === null ? count(tokens, 'token') : dollars(usd)}`;
