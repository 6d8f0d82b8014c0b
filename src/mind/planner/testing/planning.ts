import {
  type DraftState,
  freshPlanning,
  type ModelName,
  type PlanningState,
} from '../../../core/contract/index.ts';

export const bigModel: ModelName = { provider: 'test', model: 'big' };
export const fastModel: ModelName = { provider: 'test', model: 'fast' };

/** Planning that has just begun, but for what is said. */
export const testPlanning = (change: Partial<PlanningState> = {}): PlanningState => ({
  ...freshPlanning('greet', { planner: [bigModel], fast: [fastModel] }),
  restated: true,
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
