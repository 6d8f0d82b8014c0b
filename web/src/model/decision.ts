import {
  type Action,
  type ApprovalState,
  isUndoable,
  type RunState,
  type Step,
  stepState,
  unknownPathsWords,
  type Verdict,
} from '@contract';
import { placeOf } from './numbering.ts';
import { groupPaths, leaves, type PathGroup } from './paths.ts';
import { count } from './words.ts';

/** What somebody deciding needs beside the command itself. */
export interface Decision {
  /** The button that does it, named by what it does: `Delete 214 files`. */
  approveLabel: string;
  proposer: string;
  reasons: { sentence: string; strong: boolean }[];
  undo: string;
  ifDenied: string;
  folder: string;
  paths: { count: number; groups: PathGroup[] } | null;
  /** Why the paths are not all that it touches. */
  unknownPaths: string | null;
  needs: string | null;
  warning: string | null;
}

export function decisionOf(state: RunState, step: Step, approval: ApprovalState): Decision {
  const { verdict, subject } = approval;
  const paths = leaves(subject.paths.length > 0 ? subject.paths : verdict.paths);
  const needs = verdict.needs.map((need) => (need === 'network' ? 'the network' : 'higher rights'));
  return {
    approveLabel: approveLabel(subject.action, paths.length, verdict),
    proposer: proposerOf(state, step),
    reasons: verdict.reasons
      // Said of everything that is not proved harmless: beside a real reason it says nothing.
      .filter(({ rule }) => rule !== 'not-proven-safe' || verdict.reasons.length === 1)
      .map(({ sentence, level }) => ({ sentence, strong: level === 'dangerous' || level === 'blocked' })),
    undo: undoWords(state, approval),
    ifDenied: ifDenied(state, step),
    folder: subject.cwd,
    paths: paths.length === 0 ? null : { count: paths.length, groups: groupPaths(paths, state.workspace) },
    unknownPaths: subject.unknownPaths === undefined ? null : unknownPathsWords(subject.unknownPaths),
    needs: needs.length === 0 ? null : `It needs ${needs.join(' and ')}.`,
    warning: approval.warning,
  };
}

/** What stands between this and for ever. A checkpoint holds the workspace, and nothing outside of it. */
function undoWords(state: RunState, approval: ApprovalState): string {
  if (approval.verdict.reversible) return 'Undo can bring back what it changes in the workspace.';
  if (!isUndoable(approval, state)) return 'This cannot be undone.';
  return 'A checkpoint of the workspace is taken first: undo can bring back what it holds.';
}

function proposerOf(state: RunState, step: Step): string {
  if (step.repairs !== undefined) {
    return `proposed ${byWhom(state, step)} to mend ${placeOf(state.plan, step.repairs)}`;
  }
  if (step.source !== undefined) return `written in ${step.source.file}:${step.source.line}`;
  return 'part of the plan';
}

function byWhom(state: RunState, step: Step): string {
  const id = stepState(state, step.id)?.correction;
  const source = state.corrections.find((correction) => correction.id === id)?.correction.source;
  if (source === undefined) return 'by the brain';
  return source.brain === 'rule'
    ? `by the rule ${source.name}`
    : source.brain === 'remembered'
      ? 'from memory'
      : source.brain === 'program'
        ? 'by your brain program'
        : `by ${source.name}`;
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
