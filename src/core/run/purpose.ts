import {
  type CorrectionState,
  canonical,
  correctionOf,
  type RunState,
  type Step,
  type StepState,
  shellText,
  type Verdict,
} from '../contract/index.ts';
import { keepsPurpose, namesGrave, type Purpose, repairKeepsPurpose } from '../plan/index.ts';
import { changesMeaning, isSlip } from '../plan/nearest.ts';

/** What a correction makes of the purpose of the step that it is for, whichever brain it came from. */
export function purposeOf(known: CorrectionState, agreed: Step['action'] | null, step: Step): Purpose {
  const was = agreed ?? known.step.action;
  const original = shellText(was);
  if (step.id !== known.stepId) return repairKeepsPurpose(original ?? '', step.action);
  // The same elsewhere is the same, unless what it does there cannot be taken back.
  if (step.cwd !== known.step.cwd && (original ?? 'rm').split(/\s+/).some(namesGrave))
    return { is: 'changed', sentence: 'It works in another folder.' };
  if (canonical(was) === canonical(step.action)) return { is: 'kept' };
  const text = shellText(step.action);
  return original !== null && text !== null ? keepsPurpose(original, text) : actionKeeps(was, step.action);
}

/** Of what is no command: the same kind of action with the same content, at most with another path by a slip. */
function actionKeeps(was: Step['action'], is: Step['action']): Purpose {
  const { kind, ...words } = was;
  const now: Record<string, unknown> = { ...is };
  const other = Object.entries(words).find(([name, value]) => {
    const said = now[name];
    if (canonical(value ?? null) === canonical(said ?? null)) return false;
    const isText = typeof value === 'string' && typeof said === 'string';
    return !isText || !isSlip(value, said) || changesMeaning(value, said);
  });
  if (kind === is.kind && other === undefined) return { is: 'kept' };
  return { is: 'changed', sentence: 'It is another action than was agreed on.' };
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
