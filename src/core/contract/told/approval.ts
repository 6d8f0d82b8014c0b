import type { ShownStep } from '../approval.ts';
import type { ApprovalState, RiskLevel, RunState, Step, Verdict } from '../index.ts';
import { partsOf } from '../run/agent.ts';
import { judgementOf, stepState } from '../run/steps.ts';
import { isOutside, isUndoable, type Kept } from '../run/undo.ts';
import { sourceWords } from './correction.ts';
import { stepName } from './numbering.ts';
import { listed } from './text.ts';

/** What somebody who decides on a dangerous step needs besides the step itself. */

/** The reasons that earned a verdict its level: beside them the lesser ones only distract. */
export function weighty({ level, reasons }: Pick<Verdict, 'level' | 'reasons'>): Verdict['reasons'] {
  const own = reasons.filter((reason) => reason.level === level);
  // Said of everything that is not proved harmless: beside a real reason it says nothing.
  const real = own.filter(({ rule }) => rule !== 'not-proven-safe');
  // Two words of a command may earn the same sentence.
  const sentences = new Map((real.length > 0 ? real : own).map((reason) => [reason.sentence, reason]));
  return [...sentences.values()];
}

const needs: Record<Verdict['needs'][number], string> = { network: 'the network', privilege: 'privilege' };

/** A sentence; null where it needs nothing in particular. */
export const needsWords = (verdict: Pick<Verdict, 'needs'>): string | null =>
  verdict.needs.length === 0 ? null : `It needs ${verdict.needs.map((need) => needs[need]).join(' and ')}.`;

/** `/etc/hosts, /etc/fstab and 3 more (outside the workspace)`. */
export const outsideWords = (paths: readonly string[]): string =>
  `${listed(paths, 3)} (outside the workspace)`;

/** What stands between this and for ever. A checkpoint holds the workspace, and nothing outside of it. */
export function undoWords(shown: ShownStep, state: Kept): string {
  const { verdict, subject } = shown;
  const { checkpoints = 'off' } = state.options ?? {};
  if (verdict.reversible) return 'What it changes in the workspace can be undone.';
  if (isUndoable(shown, state)) return 'A checkpoint is taken first: undo brings back what it holds.';
  if (checkpoints === 'off') return 'Checkpoints are off: it cannot be undone.';
  const outside = subject.paths.filter((path) => isOutside(state.workspace, path));
  return outside.length === 0
    ? 'It cannot be undone.'
    : `It cannot be undone: undo does not cover ${outsideWords(outside)}.`;
}

/** The verdict for a person: what a checkpoint holds can be taken back. */
export const shownVerdict = (shown: ShownStep, state: RunState): Verdict => ({
  ...shown.verdict,
  reversible: isUndoable(shown, state),
});

/** Who wants this step as it is now: the plan, or a brain that no person has seen at work. */
export function proposerOf(step: Step, state: RunState): string {
  const id = stepState(state, step.id)?.correction;
  const correction = state.corrections.find((each) => each.id === id)?.correction;
  const brain = correction === undefined ? 'the brain' : sourceWords(correction);
  if (step.repairs !== undefined) return `proposed by ${brain} to mend ${stepName(state.plan, step.repairs)}`;
  if (id != null) return `changed by ${brain}`;
  return step.source === undefined
    ? 'part of the plan'
    : `written in ${step.source.file}:${step.source.line}`;
}

/** A correction of several steps, in a sentence. */
export const wholeWords = (titles: readonly string[]): string =>
  `The whole of it: ${titles.join(', then ')}.`;

/** One step of a correction that is decided on as a whole. */
export interface CorrectionPart {
  step: Step;
  /** Null where it has not been looked at. */
  level: RiskLevel | null;
  /** The one that the question is about. */
  asked: boolean;
}

/** What else comes with an approval: all steps of the correction, where there are several, and what remains of its warning. */
export function wholeOf({ stepId, warning }: ApprovalState, state: RunState) {
  const parts = partsOf(state, stepState(state, stepId)?.correction ?? null);
  if (parts.length < 2) return { parts: [], warning };
  const listed = wholeWords(parts.map(({ step }) => step.title));
  return {
    parts: parts.map(
      ({ step }): CorrectionPart => ({
        step,
        level: judgementOf(state, step.id)?.verdict.level ?? null,
        asked: step.id === stepId,
      }),
    ),
    warning: warning?.replace(listed, '').trim() || null,
  };
}
