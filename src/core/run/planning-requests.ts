import {
  type FactBody,
  hashPlan,
  planStep,
  type RequestEvent,
  type RunState,
  stepState,
} from '../contract/index.ts';
import { newError } from '../plan/validate/index.ts';
import { findSecretLiteral } from '../risk/secrets/index.ts';
import type { Refuse, Request } from './decisions.ts';
import { type RunEffect, record } from './work.ts';

/**
 * Answers what is asked of a run whose plan is being made; null where it is answered as ever (a pause, a mode).
 */
export function answerPlanning(
  state: RunState,
  request: RequestEvent,
  answers: number,
  refuse: Refuse,
): RunEffect | null {
  switch (request.type) {
    case 'pause-requested':
    case 'mode-requested':
      return null;
    case 'answer-given':
      return answered(state, request, answers, refuse);
    case 'plan-given':
      return planGiven(state, request, answers, refuse);
    default:
      return refuse('planning', 'its plan is being made: wait until it is proposed');
  }
}

function answered(
  state: RunState,
  request: Request<'answer-given'>,
  answers: number,
  refuse: Refuse,
): RunEffect {
  if (request.stepId !== undefined)
    return refuse('planning', 'its plan is being made: no step asks anything');
  if (state.planning?.question == null) {
    return refuse('not-asked', 'the planner does not wait for an answer');
  }
  if (request.value === undefined) return refuse('no-value', 'an answer is needed');
  return record({ type: 'planning-answered', value: request.value, answers });
}

function planGiven(
  state: RunState,
  { plan }: Request<'plan-given'>,
  answers: number,
  refuse: Refuse,
): RunEffect {
  if (state.plan !== null) return refuse('already-planned', 'the run has a plan: edit it');
  const problem = newError(null, plan, { findSecret: findSecretLiteral });
  if (problem !== null) return refuse(problem.code, `${problem.message} ${problem.mend}`);
  const { place, options } = state;
  const created: FactBody = {
    type: 'plan-created',
    plan,
    hash: hashPlan(plan),
    place,
    options: options!,
    answers,
  };
  return record(created);
}

/** A person declines a step and says why: what is not done yet is planned again. */
export function replan(
  state: RunState,
  { stepId, reason }: Request<'replan-requested'>,
  answers: number,
  refuse: Refuse,
): RunEffect {
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
}
