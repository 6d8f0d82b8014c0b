import type { Tool } from '../desk.ts';
import { diagnose, previewUndo, why } from './mending.ts';
import { judgeCommand, validatePlan } from './plans.ts';
import { attend, cancel, listRuns, listWaiting, runTool, watch } from './runs.ts';

/** All there are, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  judgeCommand,
  validatePlan,
  runTool,
  attend,
  watch,
  listRuns,
  listWaiting,
  why,
  diagnose,
  previewUndo,
  cancel,
];
