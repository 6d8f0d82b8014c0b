import type { z } from 'zod';
import { ModelCall, ModelCallEnd, ModelHop } from '../models.ts';
import { fact } from '../stream/fact.ts';

export const modelFacts = [
  /** Durable before the call is sent: what it may cost is counted from here on. */
  fact('model-call-started', ModelCall.shape),
  fact('model-call-finished', ModelCallEnd.shape),
  fact('model-fell-back', ModelHop.shape),
] as const;

type ModelFact = z.infer<(typeof modelFacts)[number]>;
/** What a ledger writes, whatever kind of stream it belongs to. */
export type ModelFactBody = ModelFact extends infer F
  ? F extends ModelFact
    ? Omit<F, 'v' | 'at'>
    : never
  : never;
