import {
  type CorrectionRefusal,
  type CorrectionState,
  canonical,
  type FactBody,
  hashPlan,
  type RunOptions,
  type RunState,
  shellText,
  stepState,
  stepsIn,
} from '../contract/index.ts';
import { changesPlan, correctPlan } from '../plan/index.ts';
import { judgeAction } from '../risk/index.ts';
import { rollBack } from './checkpoint.ts';
import { failuresOf } from './limits.ts';
import { goOn, purposeOf } from './purpose.ts';
import { hasToRelease, type RunEffect, record, release } from './work.ts';

/**
 * The gate of corrections. What the mind objects to, what only pretends to do the work, what is blocked, what has been
 * tried in vain, and what goes beyond the limits is refused; the rest becomes the plan's next revision. What is
 * dangerous, or something else than the step was for, is asked for when its turn comes, like any step.
 */
export function applyCorrection(
  state: RunState,
  options: RunOptions,
  proposal: CorrectionState,
  now: number,
): RunEffect {
  const { correction, objection, id, stepId } = proposal;
  const refuse: Applying['refuse'] = (code, message) =>
    record({ type: 'correction-refused', correctionId: id, code, message });
  const applying: Applying = { state, options, proposal, now, refuse };
  if (objection !== null) return refuse(objection.code, objection.message);
  const { action } = correction;
  if (proposal.result?.why === 'precheck' && (action === 'skip' || action === 'abort'))
    return refuse('purpose', 'the step has not been tried yet');
  const before = repeatOf(state, proposal);
  if (before !== undefined) {
    const again = 'the same correction was tried for the same failure, and nothing changed';
    return refuse('no-progress', before.status === 'refused' ? 'the same correction was refused' : again);
  }
  const going = goOn(proposal);
  if (going !== correction) return revise({ ...applying, proposal: { ...proposal, correction: going } });
  switch (action) {
    case 'abort':
      return abort(state, proposal);
    case 'skip':
      return record({ type: 'step-skipped', stepId, reason: 'corrected', detail: correction.reasoning });
    case 'retry':
    case 'modify':
    case 'insert_steps':
      return changesPlan(correction) ? revise(applying) : record(retry(applying));
  }
}

interface Applying {
  state: RunState;
  options: RunOptions;
  proposal: CorrectionState;
  now: number;
  refuse(code: CorrectionRefusal, message: string): ReturnType<typeof record>;
}

/** What is proposed, however it is spaced. The command that the step has already is no other command. */
function essence({ correction, step }: Pick<CorrectionState, 'correction' | 'step'>): string {
  const { action, modifiedCommand, modifiedStep = null, newSteps = [] } = correction;
  const command = modifiedCommand === undefined ? null : plain(modifiedCommand);
  const isOther = command !== null && command !== plain(shellText(step.action) ?? '');
  const kind = action === 'skip' || action === 'abort' ? action : null;
  const added = newSteps.map((each) => plain(each.action));
  return canonical([kind, isOther ? command : null, modifiedStep, added]);
}

const plain = (text: string): string => text.trim().replace(/[ \t]+/g, ' ');

type Asked = Pick<CorrectionState, 'stepId' | 'step' | 'failure' | 'correction'>;

/** The earlier correction that this one repeats. What passes by itself may be waited for more than once. */
export const repeatOf = (state: RunState, now: Asked & { id?: string }): CorrectionState | undefined =>
  now.correction.delayMs !== undefined
    ? undefined
    : state.corrections.find(
        (old) =>
          old.id !== now.id &&
          old.stepId === now.stepId &&
          old.failure === now.failure &&
          essence(old) === essence(now),
      );

function abort(state: RunState, { id, stepId, correction }: CorrectionState): RunEffect {
  if (hasToRelease(state)) return release(state);
  const message = correction.reasoning;
  const cancelled: FactBody = { type: 'plan-cancelled', stepId, correctionId: id, reason: message };
  if (state.options?.onFailure === 'rollback') return rollBack(state, { id: stepId }, [cancelled]);
  return record(cancelled, { type: 'run-finished', outcome: 'failed', reason: 'agent-aborted', message });
}

function retry({ state, options, proposal, now }: Applying): FactBody {
  const { id, stepId, attemptIndex, correction } = proposal;
  const delay = correction.delayMs === undefined ? {} : { notBefore: now + correction.delayMs };
  return {
    type: 'retry-attempt',
    stepId,
    attemptIndex: attemptIndex + 1,
    correctionId: id,
    failures: failuresOf(state, stepId),
    limit: options.limits.retriesPerStep,
    ...delay,
  };
}

function revise(applying: Applying): RunEffect {
  const { state, options, proposal, refuse } = applying;
  const { addedSteps: max, addedStepsPerCorrection: maxPerCorrection } = options.limits;
  const originalLength = state.plan!.steps.length - state.addedSteps;
  const budget = { originalLength, maxAdded: max, maxPerCorrection };
  const mutation = correctPlan(state.plan!, proposal.stepId, proposal.correction, budget);
  if (!mutation.ok) {
    const { beyond, reason: message } = mutation;
    const refusal = refuse(beyond === undefined ? 'invalid' : 'added-steps', message);
    if (beyond !== 'plan') return refusal;
    const { stepId } = proposal;
    const stuck = { limit: 'added-steps', used: state.addedSteps, max, message } as const;
    return record(...refusal.facts, { type: 'agent-stuck', stepId, ...stuck });
  }
  const { plan, patch } = mutation;
  const agreed = stepState(state, proposal.stepId)?.agreed ?? null;
  for (const step of stepsIn(patch)) {
    const { action } = step;
    const purpose = purposeOf(proposal, agreed, step);
    if (purpose.is === 'faked') return refuse('purpose', purpose.sentence);
    const verdict = judgeAction(action, { workspace: state.workspace, shell: plan.shell });
    if (verdict.level !== 'blocked') continue;
    return refuse('blocked', verdict.reasons[0]?.sentence ?? 'it is blocked');
  }
  const { source, reasoning } = proposal.correction;
  return record(
    {
      type: 'plan-revised',
      revision: plan.revision,
      patch,
      hash: hashPlan(plan),
      reason: reasoning,
      source: `${source.brain}:${source.name}`,
      correctionId: proposal.id,
    },
    retry(applying),
  );
}
