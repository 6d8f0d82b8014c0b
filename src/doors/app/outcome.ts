import type { RunState, StopReason } from '../../core/contract/index.ts';
import { type ExitCode, exitCodes } from './errors.ts';
import type { Rested } from './streams.ts';

const byReason: Record<StopReason, ExitCode> = {
  completed: exitCodes.done,
  'completed-with-skips': exitCodes.skips,
  'step-failed': exitCodes.failed,
  'approval-denied': exitCodes.failed,
  'agent-error': exitCodes.failed,
  'agent-stuck': exitCodes.limit,
  'agent-aborted': exitCodes.failed,
  cancelled: exitCodes.failed,
  'plan-rejected': exitCodes.failed,
  paused: exitCodes.needsPerson,
  'approval-needed': exitCodes.needsPerson,
  'decision-needed': exitCodes.needsPerson,
  'interrupted-unknown': exitCodes.unknown,
  'limit-time': exitCodes.limit,
  'checkpoint-failed': exitCodes.needsPerson,
  'rolled-back': exitCodes.failed,
  'planning-failed': exitCodes.failed,
  'source-failed': exitCodes.needsPerson,
};

/** How a command that drove or watched a run ends. */
export function exitCodeOf(why: Rested['why'], state: RunState): ExitCode {
  if (state.stopReason !== null) return byReason[state.stopReason];
  if (why === 'unreadable') return exitCodes.usage;
  if (state.status === 'waiting' && state.interrupted !== null) return exitCodes.unknown;
  return exitCodes.needsPerson;
}
