import {
  type FactBody,
  hashPlan,
  type Plan,
  planStep,
  type RequestEvent,
  stepState,
} from '../contract/index.ts';
import { newError } from '../plan/validate/index.ts';
import { findSecretLiteral } from '../risk/secrets/index.ts';
import type { Answering } from './decisions.ts';
import { type RunEffect, record } from './work.ts';

/**
 * Answers what is asked of a run whose plan is being made; null where it is answered as ever (a pause, a mode).
 */
export function answerPlanning(
  ...[state, request, ...how]: Parameters<Answering<RequestEvent['type']>>
): RunEffect | null {
  const [, refuse] = how;
  switch (request.type) {
    case 'pause-requested':
    case 'mode-requested':
      return null;
    case 'answer-given':
      return answered(state, request, ...how);
    case 'plan-given':
      return planGiven(state, request, ...how);
    default:
      return refuse('planning', 'its plan is being made: wait until it is proposed');
  }
}

const answered: Answering<'answer-given'> = (state, request, answers, refuse) => {
  if (request.stepId !== undefined)
    return refuse('planning', 'its plan is being made: no step asks anything');
  if (state.planning?.question == null) {
    return refuse('not-asked', 'the planner does not wait for an answer');
  }
  if (request.value === undefined) return refuse('no-value', 'an answer is needed');
  // It stopped for this alone: whoever answers lets the run go on.
  const onwards: FactBody[] =
    state.status === 'paused' && state.stopReason === 'decision-needed'
      ? [{ type: 'run-resumed', options: state.options!, planning: true }]
      : [];
  return record(...onwards, { type: 'planning-answered', value: request.value, answers });
};

/** What stands against a plan that a person gives, whichever door it came by; null where nothing does. */
export const problemOfGiven = (plan: Plan) => newError(null, plan, { findSecret: findSecretLiteral });

const planGiven: Answering<'plan-given'> = (state, { plan }, answers, refuse) => {
  if (state.plan !== null) return refuse('already-planned', 'the run has a plan: edit it');
  const problem = problemOfGiven(plan);
  if (problem !== null) return refuse(problem.code, `${problem.message} ${problem.mend}`);
  const { place, options } = state;
  return record({ type: 'plan-created', plan, hash: hashPlan(plan), place, options: options!, answers });
};

/** A person declines a step and says why: what is not done yet is planned again. */
export const replan: Answering<'replan-requested'> = (state, { stepId, reason }, answers, refuse) => {
  const step = stepState(state, stepId);
  if (step === undefined) return refuse('no-such-step', `there is no step ${stepId}`);
  if (step.status !== 'pending' && step.status !== 'failed') {
    return refuse('step-settled', `step ${stepId} is ${step.status}`);
  }
  if (state.interrupted !== null) {
    return refuse('step-unknown', 'decide first what became of the interrupted step');
  }
  if (state.planning === null) {
    return refuse('not-planned', 'the plan was not made from a goal: edit it instead');
  }
  const { title } = planStep(state, stepId)!;
  return record({ type: 'feedback-given', stepId, step: title, reason, answers });
};
