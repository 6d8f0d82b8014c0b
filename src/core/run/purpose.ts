import {
  type CorrectionState,
  correctionOf,
  type RunState,
  type Step,
  type StepState,
  shellText,
  type Verdict,
} from '../contract/index.ts';
import { keepsPurpose, type Purpose, repairKeepsPurpose } from '../plan/index.ts';

/** What a correction makes of the purpose of the step that it is for, whichever brain it came from. */
export function purposeOf(known: CorrectionState, agreed: Step['action'] | null, step: Step): Purpose {
  const original = shellText(agreed ?? known.step.action) ?? '';
  if (step.id !== known.stepId) return repairKeepsPurpose(original, step.action);
  const text = shellText(step.action);
  return text === null || text === original ? { is: 'kept' } : keepsPurpose(original, text);
}

/** The verdict on a step that a correction made something else of: whatever it does, a person is asked. */
export function asCorrected(verdict: Verdict, state: RunState, step: Step, stepState: StepState): Verdict {
  const known = correctionOf(state, stepState.correction);
  if (known === undefined || verdict.level === 'dangerous' || verdict.level === 'blocked') return verdict;
  const agreed = state.steps.find(({ id }) => id === known.stepId)?.agreed ?? null;
  const purpose = purposeOf(known, agreed, step);
  if (purpose.is === 'kept') return verdict;
  const reason = { rule: 'other-purpose', level: 'dangerous', sentence: purpose.sentence } as const;
  return { ...verdict, level: 'dangerous', reasons: [reason, ...verdict.reasons] };
}
