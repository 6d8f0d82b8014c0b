import { hashPlan } from '../canonical.ts';
import type { EventOf } from '../events.ts';
import { applyPatch } from '../patch.ts';
import { applied, correctionOf } from './agent.ts';
import type { RunState, StepState } from './state.ts';
import { freshStep, indexOfStep, realign, stepState, turn, unjudged, withdrawn, withStep } from './steps.ts';

/** What a plan, and each revision of it, makes of a run. Pure. */

/** Where it lives and what it was given, by whichever fact begins it. */
export const given = (
  state: RunState,
  { place, environment, sealed = [] }: EventOf<'plan-created' | 'goal-given'>,
) => ({
  place,
  workspace: place.workspace,
  environment: environment ?? state.environment,
  sealed: [...state.sealed, ...sealed],
});

export function created(state: RunState, event: EventOf<'plan-created'>): RunState {
  const { plan, hash, options, at } = event;
  const { workspace } = event.place;
  const excluded = new Set(options.excluded);
  return {
    ...state,
    plan,
    planHash: hash,
    ...given(state, event),
    gitSource: event.gitSource ?? null,
    options,
    createdAt: state.planning === null ? at : state.createdAt,
    session: { cwd: workspace, env: {} },
    values: options.inputs,
    steps: plan.steps.map(({ id }): StepState => {
      const step = freshStep(id, plan.revision);
      return excluded.has(id) ? { ...step, status: 'skipped', skipReason: 'not-selected' } : step;
    }),
  };
}

export function revised(state: RunState, event: EventOf<'plan-revised'>): RunState {
  if (state.plan === null) return unreadable(state, 'plan-revised before plan-created');
  const outcome = applyPatch(state.plan, event.patch);
  if ('misfit' in outcome) return unreadable(state, `plan-revised: ${outcome.misfit}`);
  if (hashPlan(outcome.plan) !== event.hash)
    return unreadable(state, 'plan-revised: the hash does not match');
  const { plan } = outcome;
  const { correctionId = null } = event;
  const correction = correctionOf(state, correctionId);
  const takenBack = correction?.status === 'refused' || correction?.status === 'failed';
  const open = withdrawn(state);
  const steps = realign(open, plan, event.patch, {
    person: correction === undefined,
    correction: takenBack ? null : correctionId,
  });
  const added = correction === undefined ? 0 : plan.steps.length - state.plan.steps.length;
  const next = {
    ...open,
    plan,
    planHash: event.hash,
    steps,
    // What the patch left as it was still holds.
    ...unjudged(open, (id) => steps[indexOfStep(plan, id)] !== stepState(open, id)),
    addedSteps: state.addedSteps + Math.max(0, added),
  };
  const going = state.status === 'waiting' ? turn(next, 'running', event.at) : next;
  if (correction === undefined) return going;
  return takenBack
    ? withStep(going, correction.stepId, { status: 'failed', result: correction.result })
    : applied(going, correction.id);
}

const unreadable = (state: RunState, what: string): RunState => ({
  ...state,
  unreadable: [...state.unreadable, what],
});
