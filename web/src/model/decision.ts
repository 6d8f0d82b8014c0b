import {
  type Action,
  type ApprovalState,
  allowedCorrections,
  type ChatApproval,
  type ChatState,
  isUndoable,
  type Kept,
  type RiskReason,
  type RunState,
  type ShownStep,
  type Step,
  stepState,
  usedCorrections,
  type Verdict,
} from '@contract';
import type { AgentRunState } from '@tasks';
import {
  type CorrectionPart,
  count,
  lookWords,
  needsWords,
  type PathLists,
  pathLists,
  proposerOf,
  undoWords,
  unknownPathsWords,
  weighty,
  wholeOf,
} from '@told';
import { leaves } from './paths.ts';

/** What somebody deciding needs beside the command itself. */
export interface Decision {
  /** The button that does it, named by what it does: `Delete 214 files`. */
  approveLabel: string;
  proposer: string;
  reasons: RiskReason[];
  undo: string;
  /** It cannot be undone. */
  lasting: boolean;
  ifDenied: string;
  folder: string;
  workspace: string;
  paths: PathLists | null;
  /** Every path that it would touch. */
  every: readonly string[];
  /** Why the paths are not all that it touches. */
  unknownPaths: string | null;
  needs: string | null;
  warning: string | null;
  /** All steps of the correction that it belongs to, where there are several. */
  parts: readonly CorrectionPart[];
  /** What a look at the world has against it. */
  looks: readonly string[];
}

export const decisionOf = (state: RunState, step: Step, approval: ApprovalState): Decision => ({
  ...shownOf(approval, state),
  proposer: proposerOf(step, state),
  ifDenied: ifDenied(state, step),
  looks: lookWords(state, step.id),
  ...wholeOf(approval, state),
});

const whyAsked: Record<ChatApproval['why'], string> = {
  dangerous: 'The model called it.',
  'first-change': 'The first change for this message: others that are not dangerous follow unasked.',
  teacher: 'In teacher mode you make each call, or have it made.',
};

/** The same of a call in a conversation. */
export const callDecision = (state: ChatState, approval: ChatApproval): Decision => ({
  ...shownOf(approval, state),
  proposer: whyAsked[approval.why],
  ifDenied: 'the call is not made, and the model is told so.',
  looks: [],
  parts: [],
  warning: approval.warning,
});

/** The same of what the agent of a task wants to do. */
export const agentDecision = (
  state: AgentRunState,
  approval: AgentRunState['approvals'][number],
): Decision => ({
  // What it commits stays in its branch; nothing else of it is kept.
  ...shownOf(approval, { workspace: state.worktree?.path ?? state.place.workspace, options: null }),
  proposer: `${state.begun?.agent ?? 'The agent'} wants to do it.`,
  ifDenied: 'the agent is told so, and looks for another way.',
  looks: [],
  parts: [],
  warning: approval.warning,
});

/** What is the same whoever asks. */
function shownOf(shown: ShownStep, state: Kept) {
  const { verdict, subject } = shown;
  const every = leaves(subject.paths.length > 0 ? subject.paths : verdict.paths);
  return {
    approveLabel: approveLabel(subject.action, every.length, verdict),
    reasons: weighty(verdict),
    undo: undoWords(shown, state),
    lasting: !isUndoable(shown, state),
    folder: subject.cwd,
    workspace: state.workspace,
    paths: every.length === 0 ? null : pathLists(state.workspace, every),
    every,
    unknownPaths: subject.unknownPaths === undefined ? null : unknownPathsWords(subject.unknownPaths),
    needs: needsWords(verdict),
  };
}

function ifDenied(state: RunState, step: Step): string {
  const limits = state.options?.limits ?? { corrections: 0 };
  const left = Math.max(0, allowedCorrections(state, limits) - usedCorrections(state));
  const corrected = step.repairs !== undefined || stepState(state, step.id)?.correction !== null;
  if (corrected && state.options?.mode === 'agentic')
    return `the brain is told why and looks for another way; ${count(left, 'correction')} remain.`;
  if (state.options?.onFailure === 'continue') return 'the step is not run; the run goes on without it.';
  return 'the step is not run and the run stops here; it can be resumed.';
}

const deletes = /^(rm|rmdir|unlink|shred)\b|\bfind\b.*\s-delete\b|\bgit\s+clean\b/;

function approveLabel(action: Action, paths: number, verdict: Verdict): string {
  const command = action.kind === 'run-command' ? action.command : '';
  if (action.kind === 'delete-path' || deletes.test(command.trim())) {
    const files = verdict.reasons
      .map(({ sentence }) => sentence.match(/touch ([\d,]+ files?)\b/)?.[1])
      .find(Boolean);
    if (files !== undefined) return `Delete ${files}`;
    return paths > 0 ? `Delete ${count(paths, 'path')}` : 'Delete';
  }
  if (action.kind === 'run-command') {
    const [word = ''] = command.trim().split(/\s+/);
    const name = word === 'sudo' ? (command.trim().split(/\s+/)[1] ?? word) : word;
    return /^[\w./-]{1,24}$/.test(name) ? `Run ${name.split('/').at(-1)} once` : 'Run it once';
  }
  if (action.kind === 'run-script') return 'Run this script once';
  if (action.kind === 'for-each' || action.kind === 'repeat') return 'Run it for every item';
  if (paths > 0) return `Change ${count(paths, 'path')}`;
  return 'Do it once';
}
