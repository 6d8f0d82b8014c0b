import {
  type CorrectionState,
  canonical,
  correctionOf,
  type FactBody,
  type FailureWhy,
  type Grants,
  hashPlan,
  planStep,
  type RunOptions,
  type RunState,
  type StepResult,
  type StepState,
  sha256Hex,
  stepState,
} from '../contract/index.ts';
import { replaceStep } from '../plan/index.ts';
import { applyCorrection } from './apply.ts';
import { stuckAt, warnings } from './limits.ts';
import { cancelsOf, type EndOf, look, type RunEffect, record } from './work.ts';

/**
 * What becomes of a failed step in agentic mode. Null: nothing, it is for people.
 *
 *   its sandbox kept something from it ▶ ask a person for just that
 *   it came of a correction, and was denied or cannot run ▶ give that correction up, tell the brain
 *   a brain has no business with it (a person's no, a person's stop) ▶ null
 *   a limit is reached ▶ agent-stuck
 *   a correction is proposed for it ▶ refuse it, or apply it
 *   else ▶ consult the brain
 */
export function mend(state: RunState, options: RunOptions, step: StepState, now: number): RunEffect | null {
  const { result } = step;
  if (result === null || step.givenUp !== null) return null;
  if (result.why === 'sandbox-denied' && wantsMore(step, result)) {
    const grants = merge(step, result.missing!);
    return record({ type: 'grant-wanted', stepId: step.id, attemptIndex: step.attempts - 1, grants });
  }
  const open = openCorrection(state, step);
  if (open !== undefined && isFinal(result)) return giveUp(state, open, step, codeFor(result));
  if (isFinal(result)) return null;
  const last = state.corrections.at(-1);
  if (last?.status === 'proposed' && isFor(last, step)) return applyCorrection(state, options, last, now);
  // What has not even been tried is not worth a second thought.
  if (result.why === 'precheck' && last !== undefined && isFor(last, step)) return overrule(step);
  const stuck = stuckAt(state, options, step);
  if (stuck !== null && result.why === 'precheck') return overrule(step);
  if (stuck !== null) return record({ type: 'agent-stuck', stepId: step.id, ...stuck });
  return consult(state, options, step);
}

/** Nobody could mend what a look told against it: it is tried all the same. */
export const overrule = (step: StepState): RunEffect =>
  record({
    type: 'precheck-overruled',
    stepId: step.id,
    message: step.result?.message ?? 'a look told against it',
  });

/** Asked and not answered: the step is given up, or, where it is a repair, the correction that it belongs to. */
export function unanswered(state: RunState, step: StepState, message: string): EndOf<'consult'>[] {
  if (step.result?.why === 'precheck') {
    return [{ type: 'precheck-overruled', stepId: step.id, message }];
  }
  const open = insertedBy(state, step);
  if (open !== undefined) return failCorrection(state, open, step);
  return [{ type: 'agent-error', stepId: step.id, message }];
}

/** What the corrections under way have come to, as far as that is known and not yet said. */
export function lesson(state: RunState): RunEffect | null {
  for (const correction of state.corrections) {
    if (correction.status !== 'applied' || correction.correction.action === 'skip') continue;
    const step = stepState(state, correction.stepId);
    if (step?.status === 'done')
      return learn(state, correction, { type: 'correction-success', stepId: step.id });
    if (step?.status !== 'failed' || step.result === null || isFinal(step.result)) continue;
    if (attemptOf(step) <= correction.attemptIndex) continue;
    const message = step.result.message ?? 'the step failed again';
    const sameFailure = nameFailure(step.result) === correction.failure;
    return learn(state, correction, { type: 'correction-failed', stepId: step.id, message, sameFailure });
  }
  return null;
}

type Verdict =
  | Omit<Extract<FactBody, { type: 'correction-success' }>, 'correctionId'>
  | Omit<Extract<FactBody, { type: 'correction-failed' }>, 'correctionId'>;

const learn = (state: RunState, correction: CorrectionState, verdict: Verdict): RunEffect =>
  look({
    kind: 'learn',
    heard: cancelsOf(state),
    correction,
    fact: { ...verdict, correctionId: correction.id },
  });

const attemptOf = (step: StepState): number => Math.max(0, step.attempts - 1);

const isFor = ({ stepId, attemptIndex }: CorrectionState, step: StepState): boolean =>
  stepId === step.id && attemptIndex === attemptOf(step);

function consult(state: RunState, options: RunOptions, stepState: StepState): RunEffect {
  const step = planStep(state, stepState.id)!;
  const attemptIndex = attemptOf(stepState);
  return {
    kind: 'perform',
    intent: [...warnings(state, options), { type: 'agent-thinking', stepId: step.id, attemptIndex }],
    work: { kind: 'consult', state, step, stepState, attemptIndex },
  };
}

/** Steps of others are not for a brain: what a person or the gate decided is not worked around. */
const final: ReadonlySet<FailureWhy | undefined> = new Set<FailureWhy>([
  'denied',
  'blocked',
  'aborted',
  'no-terminal',
  'sandbox-denied',
  'unsupported',
  'internal',
]);
const isFinal = ({ why }: StepResult): boolean => final.has(why);

/** The correction by which this step is as it is, while it is not known to have helped. */
function openCorrection(state: RunState, step: StepState): CorrectionState | undefined {
  const known = correctionOf(state, step.correction);
  return known?.status === 'applied' ? known : undefined;
}

/** The correction under way that this repair is a part of, whatever has become of the repair itself since. */
function insertedBy(state: RunState, { id }: StepState): CorrectionState | undefined {
  const repairs = planStep(state, id)?.repairs;
  // A skip put nothing into the plan: what an earlier one did may be attempted again by a person all the same.
  return state.corrections.findLast(
    ({ stepId, status, correction }) =>
      stepId === repairs && status === 'applied' && correction.action !== 'skip',
  );
}

/** Whether a step was put into the plan to mend this one, or to mend what was. */
function isRepairOf(state: RunState, id: string, mended: string): boolean {
  const repairs = planStep(state, id)?.repairs;
  return repairs !== undefined && (repairs === mended || isRepairOf(state, repairs, mended));
}

const codeFor = ({ why }: StepResult): 'denied' | 'blocked' | 'invalid' => {
  if (why === 'denied' || why === 'sandbox-denied') return 'denied';
  return why === 'blocked' ? 'blocked' : 'invalid';
};

/**
 * A correction that cannot go on is taken back: what it put into the plan is skipped, what it changed is as it was,
 * and the step that it was for has failed as before. The brain is told why.
 */
function giveUp(
  state: RunState,
  correction: CorrectionState,
  step: StepState,
  code: 'denied' | 'blocked' | 'invalid',
): RunEffect {
  const message = step.result?.message ?? 'it could not be done';
  return record(
    { type: 'correction-refused', correctionId: correction.id, code, message },
    ...withdraw(state, correction, message),
  );
}

/** A repair step failed and no brain could mend it: the correction has failed, and the original step with it. */
function failCorrection(state: RunState, correction: CorrectionState, step: StepState): EndOf<'consult'>[] {
  const message = `"${planStep(state, step.id)?.title ?? step.id}" failed: ${step.result?.message ?? 'no reason was given'}`;
  const { id: correctionId, stepId } = correction;
  return [
    { type: 'correction-failed', correctionId, stepId, message, sameFailure: false },
    ...withdraw(state, correction, message),
  ];
}

function withdraw(state: RunState, correction: CorrectionState, detail: string): EndOf<'consult'>[] {
  const skips = state.steps.flatMap((step): EndOf<'consult'>[] =>
    isOpen(step) && isRepairOf(state, step.id, correction.stepId)
      ? [{ type: 'step-skipped', stepId: step.id, reason: 'corrected', detail }]
      : [],
  );
  return [...skips, ...restore(state, correction)];
}

const isOpen = ({ status }: StepState): boolean => status === 'pending' || status === 'failed';

function restore(state: RunState, correction: CorrectionState): EndOf<'consult'>[] {
  const now = planStep(state, correction.stepId);
  // What a person has changed since is theirs.
  const isOurs = stepState(state, correction.stepId)?.correction === correction.id;
  if (now === undefined || !isOurs || canonical(now) === canonical(correction.step)) return [];
  const back = replaceStep(state.plan!, now.id, correction.step);
  if (!back.ok) return [];
  return [
    {
      type: 'plan-revised',
      revision: back.plan.revision,
      patch: back.patch,
      hash: hashPlan(back.plan),
      reason: 'the correction is taken back',
      source: 'planwright',
      correctionId: correction.id,
    },
  ];
}

const wantsMore = (step: StepState, { missing }: StepResult): boolean =>
  missing !== undefined && canonical(merge(step, missing)) !== canonical(merge(step, {}));

/** What was granted or wanted before, and this. */
function merge({ grants, wants }: StepState, more: Grants): Grants {
  const all = [grants ?? {}, wants ?? {}, more];
  const write = [...new Set(all.flatMap((each) => each.write ?? []))].sort();
  return {
    ...(all.some((each) => each.network) ? { network: true } : {}),
    ...(write.length > 0 ? { write } : {}),
    ...(all.some((each) => each.privilege) ? { privilege: true } : {}),
  };
}

/**
 * A name for a failure. Numbers, hashes and times differ from one attempt to the next and are left out, so that
 * the same name means that nothing has changed.
 */
export function nameFailure({ why, exitCode, stderrTail, stdoutTail }: StepResult): string {
  const said = (stderrTail || stdoutTail)
    .slice(-2000)
    .replace(/\b(?:0x)?[0-9a-f]{7,}\b|\d+/gi, '#')
    .replace(/\s+/g, ' ')
    .trim();
  return sha256Hex(canonical([why ?? null, exitCode, said])).slice(0, 16);
}
