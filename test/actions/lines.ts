import type { SimpleAction, StepResult } from '../../src/core/contract/index.ts';
import { parseAction } from '../../src/core/plan/index.ts';
import type { Performer } from '../../src/core/run/index.ts';
import { type Performance, performAll, stepOf } from '../../src/world/actions/testing.ts';

/** An action as a plan file writes it. */
export function actionOf(line: string): SimpleAction {
  const parsed = parseAction(line);
  if (!parsed.ok) throw new Error(`not an action: ${line}`);
  return parsed.action as SimpleAction;
}

/** Judges and attempts it in this workspace; of a loop, each item until one fails. */
export const act = (
  performer: Performer,
  workspace: string,
  line: string,
  more: Partial<Performance> = {},
): Promise<StepResult[]> => performAll({ performer, step: stepOf(actionOf(line)), workspace, ...more });
