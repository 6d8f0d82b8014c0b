import {
  type DraftState,
  freshPlanning,
  type ModelName,
  type PlanningState,
} from '../../../core/contract/index.ts';

import type { Experience } from '../port.ts';
import type { WorkspaceReport } from '../workspace/report.ts';

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

export const noExperience: Experience = {
  durations: async (actions) => actions.map(() => null),
  wentWrong: async () => [],
};

export const noReport: WorkspaceReport = {
  os: 'unknown',
  shell: 'bash',
  entries: [],
  more: false,
  git: null,
  guides: [],
  tools: [],
};
