import type { ActionKind, Plan, RejectionReason, Verdict } from '../../core/contract/index.ts';
import { actionUsages } from '../../core/plan/index.ts';
import type { PlannedTool } from './port.ts';
import { type ReadOptions, readDraft } from './read/draft.ts';
import { type CheckOptions, checkDraft } from './validate.ts';

/** What a planner may write where there are no tools to call. */
export const plannedActions = actionUsages.map(({ kind }) => kind).filter((kind) => kind !== 'call-tool');

/** What it may write with these tools. */
export const actionsWith = (tools: readonly PlannedTool[]): readonly ActionKind[] =>
  tools.length === 0 ? plannedActions : [...plannedActions, 'call-tool'];

/** What became of a planner's raw answer. `how` says what had to be mended; empty: nothing. */
export type Assessment =
  | { is: 'unreadable'; message: string }
  | { is: 'rejected'; reasons: RejectionReason[]; how: string[] }
  | { is: 'question'; question: string; how: string[] }
  | {
      is: 'accepted';
      plan: Plan;
      summary: string;
      reflection: string;
      how: string[];
      warnings: RejectionReason[];
      verdicts: Verdict[];
    };

/** Reads and checks one raw answer. Never throws, whatever a model wrote. */
export async function assessDraft(raw: string, options: ReadOptions & CheckOptions): Promise<Assessment> {
  const read = readDraft(raw, options);
  if (read.is !== 'draft') return read;
  const { plan, summary, reflection, how } = read;
  const { errors, warnings, verdicts } = await checkDraft(plan, options);
  if (errors.length > 0) return { is: 'rejected', reasons: errors, how };
  return { is: 'accepted', plan, summary, reflection, how, warnings, verdicts };
}
