import type { DraftState, ModelName, PlanningState } from '../../../core/contract/index.ts';

export const bigModel: ModelName = { provider: 'test', model: 'big' };
export const fastModel: ModelName = { provider: 'test', model: 'fast' };

/** Planning that has just begun, but for what is said. */
export const testPlanning = (change: Partial<PlanningState> = {}): PlanningState => ({
  goal: 'greet',
  chain: { planner: [bigModel], fast: [fastModel] },
  active: true,
  restated: true,
  restatement: null,
  position: { planner: 0, fast: 0 },
  strikes: 0,
  asked: 0,
  drafts: [],
  hints: [],
  reflectedOn: 0,
  question: null,
  answers: [],
  feedback: [],
  failures: [],
  inFlight: null,
  proposal: null,
  failed: null,
  ...change,
});

export const rejectedDraft = (n: number, raw: string, message: string): DraftState => ({
  n,
  model: bigModel,
  raw,
  digest: `${n}`,
  durationMs: 1,
  status: 'rejected',
  repairing: false,
  how: [],
  reasons: [{ code: 'wrong-type', message, hint: 'Write it as asked.' }],
});
