import { z } from 'zod';
import type { ModelCall, ModelCallEnd } from '../models.ts';
import type { Limits } from '../options.ts';
import { dollars } from './dollars.ts';

const reserved = { usd: z.number().nullable(), tokens: z.int() };

/** What the model calls of a run have cost. Whatever is not known counts as the worst that it can be. */
export const Spending = z.strictObject({
  /** Of settled calls. Those of unknown price are not in it: their tokens count instead. */
  usd: z.number(),
  tokens: z.int(),
  unpricedTokens: z.int(),
  calls: z.int(),
  /** Calls that are not settled, with their worst case. An interrupted one stays for ever: it may have been charged. */
  open: z.record(z.string(), z.strictObject({ ...reserved, interrupted: z.boolean() })),
});
export type Spending = z.infer<typeof Spending>;

export const noSpending: Spending = { usd: 0, tokens: 0, unpricedTokens: 0, calls: 0, open: {} };

export const callStarted = (before: Spending, { callId, reserved }: Started): Spending => ({
  ...before,
  calls: before.calls + 1,
  open: { ...before.open, [callId]: { ...reserved, interrupted: false } },
});

/** Of a call that was never started, or is settled already, nothing is counted. */
export function callFinished(before: Spending, end: Finished): Spending {
  const { [end.callId]: reserved, ...open } = before.open;
  if (reserved === undefined) return before;
  if (end.replayed) return { ...before, open };
  const tokens = end.usage === null ? reserved.tokens : end.usage.inputTokens + end.usage.outputTokens;
  const usd = (end.usage === null ? null : end.usd) ?? reserved.usd;
  return {
    ...before,
    open,
    tokens: before.tokens + tokens,
    usd: before.usd + (usd ?? 0),
    unpricedTokens: before.unpricedTokens + (usd === null ? tokens : 0),
  };
}

/** Another driver has taken over: nobody will hear how the calls of the last one ended. */
export function callsInterrupted(before: Spending): Spending {
  const open = Object.entries(before.open);
  if (open.every(([, call]) => call.interrupted)) return before;
  return {
    ...before,
    open: Object.fromEntries(open.map(([id, call]) => [id, { ...call, interrupted: true }])),
  };
}

/** What counts against the limits: what was spent, and what open and interrupted calls may have cost. */
export function committed(spending: Spending): { usd: number; tokens: number; unpricedTokens: number } {
  let { usd, tokens, unpricedTokens } = spending;
  for (const call of Object.values(spending.open)) {
    tokens += call.tokens;
    if (call.usd === null) unpricedTokens += call.tokens;
    else usd += call.usd;
  }
  return { usd, tokens, unpricedTokens };
}

/** Null where the call may be sent; otherwise a sentence that says what stands against it. */
export function canSpend(
  spending: Spending,
  limits: Pick<Limits, 'money' | 'tokens'>,
  { reserved, provider, model }: Pick<ModelCall, 'reserved' | 'provider' | 'model'>,
): string | null {
  const so = committed(spending);
  if (reserved.usd !== null) {
    if (so.usd + reserved.usd <= limits.money) return null;
    return `A call of ${provider}/${model} may cost ${dollars(reserved.usd)}, and ${dollars(so.usd)} of ${dollars(limits.money)} are spent or reserved. Raise limits.money and resume.`;
  }
  if (so.unpricedTokens + reserved.tokens <= limits.tokens) return null;
  return `A call of ${provider}/${model}, whose price is not known, may take ${reserved.tokens} tokens, and ${so.unpricedTokens} of ${limits.tokens} are used or reserved. Raise limits.tokens and resume.`;
}

type Started = Pick<ModelCall, 'callId' | 'reserved'>;
type Finished = Pick<ModelCallEnd, 'callId' | 'usage' | 'usd' | 'replayed'>;
