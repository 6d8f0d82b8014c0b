import type { EventOf } from '../events.ts';
import type { Limits } from '../options.ts';
import type { Step } from '../plan.ts';
import { decidedAfter } from './context.ts';
import type { CorrectionState, RunState, StepState } from './state.ts';
import { planStep, rootOf, stepState, turn, withdrawn, withStep } from './steps.ts';

/** What an `agent-error` says where brains declined; who could not be asked follows after a colon. */
export const NOT_SURE = 'no brain is sure how to mend it';

/** What the events of the agentic loop make of a run. All pure. */

/** How much of what a failed step said is kept with the correction that was asked for. */
const SAID_CHARACTERS = 2000;

export const thinking = (state: RunState, event: EventOf<'agent-thinking'>): RunState => {
  const { stepId, attemptIndex, at } = event;
  return {
    // What is asked of a person meanwhile is asked again afterwards.
    ...turn(withdrawn(state), 'recovering', at),
    thinking: { stepId, attemptIndex, epoch: state.epoch, since: at },
  };
};

export function proposed(state: RunState, event: EventOf<'correction-attempt'>): RunState {
  const { correctionId, stepId, attemptIndex, correction, failure, objection = null } = event;
  const step = planStep(state, stepId);
  if (step === undefined) return { ...state, thinking: null };
  const result = stepState(state, stepId)?.result ?? null;
  const said = (result?.stderrTail || result?.stdoutTail || '').slice(-SAID_CHARACTERS);
  const added: CorrectionState = {
    id: correctionId,
    stepId,
    attemptIndex,
    correction,
    failure,
    objection,
    status: 'proposed',
    reason: null,
    code: null,
    step,
    said,
    result,
  };
  return {
    ...turn(state, 'recovering', event.at),
    thinking: null,
    corrections: [...state.corrections, added],
    context: decidedAfter(state, stepId, correction.reasoning),
  };
}

export const correctionOf = (state: RunState, id: string | null): CorrectionState | undefined =>
  id === null ? undefined : state.corrections.find((correction) => correction.id === id);

/** Corrections that a run may be given in all. A person's hint allows for one more each. */
export const allowedCorrections = ({ hints }: RunState, limits: Pick<Limits, 'corrections'>): number =>
  limits.corrections + hints.length;

/** What the gate refused has changed nothing: it counts for its step, and takes nothing from the others. */
export const usedCorrections = ({ corrections }: RunState): number =>
  corrections.filter(({ status, code }) => status !== 'refused' || code === 'denied').length;

/** The steps that are in the plan, or are as they are, by a correction that is applied, in the order of the plan. */
export function partsOf(state: RunState, id: string | null): { step: Step; stepState: StepState }[] {
  if (correctionOf(state, id)?.status !== 'applied') return [];
  return state.steps.flatMap((stepState, at) =>
    stepState.correction === id ? [{ step: state.plan!.steps[at]!, stepState }] : [],
  );
}

const mark = (state: RunState, id: string, change: Partial<CorrectionState>): RunState => ({
  ...state,
  corrections: state.corrections.map((known) => (known.id === id ? { ...known, ...change } : known)),
});

export const applied = (state: RunState, id: string): RunState =>
  correctionOf(state, id)?.status === 'proposed' ? mark(state, id, { status: 'applied' }) : state;

/** A correction that had been applied and did not come to its end: the step that it was for has failed as before. */
function backToFailed(state: RunState, id: string): RunState {
  const known = correctionOf(state, id);
  const step = known && stepState(state, known.stepId);
  // A step without a result has been changed by a person since: it is theirs.
  if (known?.status !== 'applied' || step?.status !== 'pending' || step.result === null) return state;
  return withStep(state, step.id, { status: 'failed', result: known.result, notBefore: null, judged: null });
}

export function refused(state: RunState, event: EventOf<'correction-refused'>): RunState {
  const { correctionId: id, code, message: reason } = event;
  const next = mark(backToFailed(state, id), id, { status: 'refused', code, reason });
  const step = stepState(next, correctionOf(next, id)?.stepId ?? '');
  // A person's no is not the brain's fault.
  if (step === undefined || code === 'denied') return next;
  return withStep(next, step.id, { refusals: step.refusals + 1 });
}

export const failed = (state: RunState, event: EventOf<'correction-failed'>): RunState => ({
  ...mark(backToFailed(state, event.correctionId), event.correctionId, {
    status: 'failed',
    reason: event.message,
  }),
  thinking: null,
});

export const succeeded = (state: RunState, event: EventOf<'correction-success'>): RunState =>
  mark(state, event.correctionId, { status: 'succeeded' });

export function retried(state: RunState, event: EventOf<'retry-attempt'>): RunState {
  const again = withStep(applied(state, event.correctionId), event.stepId, {
    status: 'pending',
    judged: null,
    notBefore: event.notBefore ?? null,
  });
  return turn(again, 'running', event.at);
}

/** What it may do already and what it wants besides. */
export function wanted(state: RunState, event: EventOf<'grant-wanted'>): RunState {
  const { stepId, grants } = event;
  return withStep(state, stepId, { status: 'pending', judged: null, wants: grants });
}

/** The brain has nothing more to say about this step. */
export function givenUp(state: RunState, event: EventOf<'agent-stuck' | 'agent-error'>): RunState {
  const { type: why, message } = event;
  const next = { ...withStep(state, event.stepId, { givenUp: { why, message } }), thinking: null };
  return state.status === 'recovering' ? turn(next, 'running', event.at) : next;
}

/** A person steps in: failures of the step and of its repairs count from here, and the brain is asked once more. */
export function hinted(state: RunState, event: EventOf<'hint-given'>): RunState {
  const root = rootOf(state, event.stepId);
  const open = withdrawn(state);
  const steps = open.steps.map((step): StepState => {
    if (rootOf(state, step.id) !== root) return step;
    return { ...step, strikes: 0, refusals: 0, givenUp: null };
  });
  const { stepId, text } = event;
  return turn({ ...open, steps, hints: [...state.hints, { stepId, text }] }, 'running', event.at);
}

/** A look told against the step, and nobody knows better: it is tried. */
export function overruled(state: RunState, event: EventOf<'precheck-overruled'>): RunState {
  const tried = withStep(state, event.stepId, {
    status: 'pending',
    result: null,
    judged: null,
    givenUp: null,
  });
  const next = { ...tried, thinking: null };
  return state.status === 'recovering' ? turn(next, 'running', event.at) : next;
}
