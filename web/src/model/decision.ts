import {
  type Action,
  type ApprovalState,
  isUndoable,
  type RiskReason,
  type RunState,
  type Step,
  stepState,
  type Verdict,
} from '@contract';
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
  paths: PathLists | null;
  /** Why the paths are not all that it touches. */
  unknownPaths: string | null;
  needs: string | null;
  warning: string | null;
  /** All steps of the correction that it belongs to, where there are several. */
  parts: readonly CorrectionPart[];
  /** What a look at the world has against it. */
  looks: readonly string[];
}

export function decisionOf(state: RunState, step: Step, approval: ApprovalState): Decision {
  const { verdict, subject } = approval;
  const paths = leaves(subject.paths.length > 0 ? subject.paths : verdict.paths);
  return {
    approveLabel: approveLabel(subject.action, paths.length, verdict),
    proposer: proposerOf(step, state),
    reasons: weighty(verdict),
    undo: undoWords(approval, state),
    lasting: !isUndoable(approval, state),
    ifDenied: ifDenied(state, step),
    folder: subject.cwd,
    paths: paths.length === 0 ? null : pathLists(state.workspace, paths),
    unknownPaths: subject.unknownPaths === undefined ? null : unknownPathsWords(subject.unknownPaths),
    needs: needsWords(verdict),
    looks: lookWords(state, step.id),
    ...wholeOf(approval, state),
  };
}

function ifDenied(state: RunState, step: Step): string {
  const left = (state.options?.limits.corrections ?? 0) - state.corrections.length;
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
