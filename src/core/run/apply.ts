import {
  type Correction,
  type CorrectionRefusal,
  type CorrectionState,
  canonical,
  type FactBody,
  hashPlan,
  type RunOptions,
  type RunState,
  type Step,
  shellText,
  stepState,
  stepsIn,
} from '../contract/index.ts';
import { insertStepsBefore, type Mutation, parseAction, replaceStepCommand } from '../plan/index.ts';
import { judgeAction } from '../risk/index.ts';
import { rollBack } from './checkpoint.ts';
import { failuresOf } from './limits.ts';
import { purposeOf } from './purpose.ts';
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
  const refuse = (code: CorrectionRefusal, message: string): RunEffect =>
    record({ type: 'correction-refused', correctionId: id, code, message });
  const applying: Applying = { state, options, proposal, now, refuse };
  if (objection !== null) return refuse(objection.code, objection.message);
  const { action } = correction;
  if (proposal.result?.why === 'precheck' && (action === 'skip' || action === 'abort'))
    return refuse('purpose', 'the step has not been tried yet');
  const before = state.corrections.find((old) => isSameAgain(old, proposal));
  if (before !== undefined) {
    const again = 'the same correction was tried for the same failure, and nothing changed';
    return refuse('no-progress', before.status === 'refused' ? 'the same correction was refused' : again);
  }
  switch (kindOf(correction)) {
    case 'abort':
      return abort(state, proposal);
    case 'skip':
      return record({ type: 'step-skipped', stepId, reason: 'corrected', detail: correction.reasoning });
    case 'retry':
      return record(retry(applying));
    case 'modify':
      return revise(applying, replaceStepCommand(state.plan!, stepId, correction.modifiedCommand!));
    case 'insert_steps':
      return insert(applying);
  }
}

interface Applying {
  state: RunState;
  options: RunOptions;
  proposal: CorrectionState;
  now: number;
  refuse(code: CorrectionRefusal, message: string): RunEffect;
}

/** A retry that brings another command is a modification. */
const kindOf = ({ action, modifiedCommand }: Correction): Correction['action'] =>
  action === 'retry' && modifiedCommand !== undefined ? 'modify' : action;

/** What is proposed, however it is spaced. The command that the step has already is no other command. */
function essence({ correction, step }: CorrectionState): string {
  const { action, modifiedCommand, newSteps = [] } = correction;
  const command = modifiedCommand === undefined ? null : plain(modifiedCommand);
  const isOther = command !== null && command !== plain(shellText(step.action) ?? '');
  const kind = isOther ? 'modify' : action === 'modify' ? 'retry' : action;
  return canonical([kind, isOther ? command : null, newSteps.map((added) => plain(added.action))]);
}

const plain = (text: string): string => text.trim().replace(/[ \t]+/g, ' ');

/** What passes by itself may be waited for more than once. */
const isSameAgain = (old: CorrectionState, now: CorrectionState): boolean =>
  old.id !== now.id &&
  old.stepId === now.stepId &&
  old.failure === now.failure &&
  now.correction.delayMs === undefined &&
  essence(old) === essence(now);

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

function insert(applying: Applying): RunEffect {
  const { state, options, proposal, refuse } = applying;
  const { correction, stepId } = proposal;
  const steps: Omit<Step, 'id' | 'source'>[] = [];
  for (const { step, action, expects } of correction.newSteps ?? []) {
    const parsed = parseAction(action);
    if (!parsed.ok) return refuse('invalid', `"${action}" is no action: ${parsed.error.message}`);
    steps.push({
      title: step,
      action: parsed.action,
      why: correction.reasoning,
      ...(expects === undefined ? {} : { expects }),
    });
  }
  const { addedSteps, addedStepsPerCorrection } = options.limits;
  const mutation = insertStepsBefore(state.plan!, stepId, steps, {
    originalLength: state.plan!.steps.length - state.addedSteps,
    maxAdded: addedSteps,
    maxPerCorrection: addedStepsPerCorrection,
  });
  if (!mutation.ok && mutation.refused !== undefined) return refuse('added-steps', mutation.reason);
  return revise(applying, mutation);
}

function revise(applying: Applying, mutation: Mutation): RunEffect {
  const { state, options, proposal, refuse } = applying;
  if (!mutation.ok) return refuse('invalid', mutation.reason);
  const { plan, patch, refused } = mutation;
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
  const said: FactBody[] =
    refused === undefined
      ? []
      : [
          {
            type: 'budget-warning',
            limit: 'added-steps',
            used: state.addedSteps + (plan.steps.length - state.plan!.steps.length),
            max: options.limits.addedSteps,
            message: refused.why,
          },
        ];
  return record(
    ...said,
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
