import type { ModelName, PlannerChain, Proposal } from '../../src/core/contract/index.ts';
import type { DraftOutcome, Planner, PlannerAnswer } from '../../src/core/run/index.ts';
import { randomPlan } from './plans.ts';
import { promise } from './promise.ts';
import type { Random } from './random.ts';

const model = (name: string): ModelName => ({ provider: 'simulated', model: name });

export const randomChain = (random: Random): PlannerChain => ({
  planner: ['large', 'middle', 'small'].slice(0, random.int(4)).map(model),
  fast: random.chance(0.7) ? [model('fast'), model('fast-too')] : [],
});

const proposal: Proposal = {
  summary: 'because',
  reflection: '',
  confidence: { score: 0.5, doubts: [] },
  estimateMs: null,
  warnings: [],
};

/** Answers as models do: seldom well, sometimes not at all, and at times the same nonsense twice. */
export const simulatedPlanner = (
  random: Random,
  meanwhile: (signal: AbortSignal) => Promise<void>,
): Planner => ({
  async perform({ call, n, planning, model }, { signal }): Promise<PlannerAnswer> {
    promise(
      [...planning.chain.planner, ...planning.chain.fast].some((each) => each.model === model.model),
      'only a model of the chain is asked',
    );
    await meanwhile(signal);
    const durationMs = random.int(1000);
    if (signal.aborted) return { kind: 'failed', why: 'aborted', message: 'ended', durationMs };
    const roll = random.next();
    if (roll < 0.12) {
      const why = random.pick(['error', 'error', 'timeout', 'limit']);
      return { kind: 'failed', why, message: 'no answer', durationMs };
    }
    if (call === 'restate') return { kind: 'restated', text: 'WHO: somebody', durationMs };
    if (call === 'reflect') return { kind: 'hints', hints: [`mend draft ${n}`], durationMs };
    const raw = `draft ${random.int(4)}`;
    return { kind: 'draft', raw, outcome: outcomeOf(random), durationMs };
  },
});

function outcomeOf(random: Random): DraftOutcome {
  const roll = random.next();
  const how = random.chance(0.3) ? ['a comma was taken out'] : [];
  if (roll < 0.15) return { is: 'unreadable', message: 'it is no JSON' };
  if (roll < 0.45) {
    return { is: 'rejected', how, reasons: [{ code: 'made-up', message: 'not good', hint: 'better' }] };
  }
  if (roll < 0.6) return { is: 'question', question: 'which one?', how };
  return { is: 'plan', plan: randomPlan(random).plan, proposal, how };
}
