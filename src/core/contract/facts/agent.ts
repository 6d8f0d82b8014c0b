import { z } from 'zod';
import { Correction } from '../correction.ts';
import { Grants } from '../result.ts';
import { answers, attempt, fact } from '../stream/fact.ts';

/** Why a correction was not applied. `denied`: a person said no; `purpose`: it would change what the step was for. */
export const CorrectionRefusal = z.enum([
  'blocked',
  'denied',
  'invalid',
  'no-progress',
  'purpose',
  'added-steps',
]);
export type CorrectionRefusal = z.infer<typeof CorrectionRefusal>;

/** The limits that the agentic loop can run into. */
export const AgentLimit = z.enum([
  'retries-per-step',
  'refused-corrections',
  'corrections',
  'added-steps',
  'money',
  'tokens',
]);
export type AgentLimit = z.infer<typeof AgentLimit>;

const spent = { limit: AgentLimit, used: z.number().min(0), max: z.number().min(0), message: z.string() };
const correctionId = z.string();

export const agentFacts = [
  /** The brain is consulted about this failure. */
  fact('agent-thinking', attempt),
  fact('correction-attempt', {
    ...attempt,
    correctionId,
    correction: Correction,
    /** Names the failure, with what differs from one time to the next left out: the same again is no progress. */
    failure: z.string(),
    /** Why the mind itself would not have it: it is refused, counted, and the brain is told. */
    objection: z
      .strictObject({ code: CorrectionRefusal.extract(['invalid', 'purpose']), message: z.string() })
      .optional(),
  }),
  fact('correction-refused', { correctionId, code: CorrectionRefusal, message: z.string() }),
  fact('correction-success', { correctionId, stepId: z.string() }),
  fact('correction-failed', {
    correctionId,
    stepId: z.string(),
    message: z.string(),
    /** The step failed as it had before; otherwise the correction at least changed something. */
    sameFailure: z.boolean(),
  }),
  /** The failed step is due again; with `notBefore`, after a while. */
  fact('retry-attempt', {
    ...attempt,
    correctionId,
    /** Failed attempts that count, and how many may. */
    failures: z.int().min(0),
    limit: z.int().min(0),
    notBefore: z.number().optional(),
  }),
  /** A sandboxed step needs more than its sandbox gives: it is due again once a person has granted it. */
  fact('grant-wanted', { ...attempt, grants: Grants }),
  /** Nobody could mend what a look told against a step: it is tried all the same. */
  fact('precheck-overruled', { stepId: z.string(), message: z.string() }),
  /** One summary of the oldest attempts and of the summary before it; null: nobody could make one, and digests have to do. */
  fact('context-summarised', { rolled: z.int().min(0), text: z.string().nullable() }),
  fact('budget-warning', spent),
  fact('agent-stuck', { stepId: z.string(), ...spent }),
  fact('agent-error', { stepId: z.string(), message: z.string() }),
  fact('plan-cancelled', { stepId: z.string(), correctionId, reason: z.string() }),
  fact('hint-given', { stepId: z.string(), text: z.string(), answers }),
] as const;
