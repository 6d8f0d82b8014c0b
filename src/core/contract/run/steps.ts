import { exchanged, itemAt, type List } from '../blocks.ts';
import type { Plan, PlanPatch, Step } from '../plan.ts';
import { withdraw } from '../stream/approvals.ts';
import type { RunState, RunStatus, StepJudgement, StepState } from './state.ts';

/** What `evolve` is made of: changes to one step, to the status, and to the open questions. All pure. */

const indexes = new WeakMap<Plan, Map<string, number>>();

/** Where a step stands in the plan, from 0; -1 where it is not there. Plans are immutable: counted once for each. */
export function indexOfStep(plan: Plan | null, id: string): number {
  if (plan === null) return -1;
  let index = indexes.get(plan);
  if (index === undefined) {
    index = new Map(plan.steps.map((step, at) => [step.id, at]));
    indexes.set(plan, index);
  }
  return index.get(id) ?? -1;
}

export const stepState = (state: RunState, id: string): StepState | undefined =>
  itemAt(state.steps, indexOfStep(state.plan, id));

/** The step as the plan has it. */
export const planStep = (state: RunState, id: string): Step | undefined =>
  state.plan?.steps[indexOfStep(state.plan, id)];

/** The step of the person's own plan that this one stands for: itself, or what it repairs, however deep. */
export function rootOf(state: RunState, id: string): string {
  let at = id;
  for (let depth = 0; depth <= state.steps.length; depth += 1) {
    const repairs = planStep(state, at)?.repairs;
    if (repairs === undefined || planStep(state, repairs) === undefined) return at;
    at = repairs;
  }
  return at;
}

export const judgementOf = (state: RunState, id: string): StepJudgement | null =>
  state.judgements[id] ?? null;

/** `judged: null` drops what was judged of it. */
export type StepMove = Partial<StepState> & { judged?: null | undefined };

export function withStep(state: RunState, id: string, { judged, ...change }: StepMove): RunState {
  const at = indexOfStep(state.plan, id);
  const step = itemAt(state.steps, at);
  if (step === undefined) return state;
  const steps = exchanged(state.steps, at, { ...step, ...change });
  standings.set(steps, moved(standingOf(state.steps), steps, at, step.status));
  return { ...state, steps, ...(judged === null ? unjudged(state, (known) => known === id) : {}) };
}

/** Drops what was judged of these steps. */
export function unjudged(
  state: RunState,
  isStale: (stepId: string) => boolean,
): Pick<RunState, 'judgements'> {
  const { judgements } = state;
  const known = Object.entries(judgements);
  const left = known.filter(([stepId]) => !isStale(stepId));
  return { judgements: left.length === known.length ? judgements : Object.fromEntries(left) };
}

/** Where a list of steps stands: what would otherwise be counted anew at every event of a long plan. */
export interface Standing {
  /** No step before this one is pending, under way or failed. */
  firstOpen: number;
  failed: number;
}

const standings = new WeakMap<List<StepState>, Standing>();

const isOpen = ({ status }: StepState): boolean => status !== 'done' && status !== 'skipped';

export function standingOf(steps: List<StepState>): Standing {
  let standing = standings.get(steps);
  if (standing === undefined) {
    const first = steps.findIndex(isOpen);
    const failed = steps.filter(({ status }) => status === 'failed').length;
    standing = { firstOpen: first === -1 ? steps.length : first, failed };
    standings.set(steps, standing);
  }
  return standing;
}

/** The standing after the step at one place has changed. */
function moved(before: Standing, steps: List<StepState>, at: number, was: StepState['status']): Standing {
  const now = steps.at(at)!;
  const { status } = now;
  if (status === was) return before;
  const failed = before.failed + Number(status === 'failed') - Number(was === 'failed');
  let firstOpen = isOpen(now) ? Math.min(before.firstOpen, at) : before.firstOpen;
  while (firstOpen < steps.length && !isOpen(steps.at(firstOpen)!)) firstOpen += 1;
  return { firstOpen, failed };
}

export const freshStep = (id: string, revision: number): StepState => ({
  id,
  status: 'pending',
  revision,
  attempts: 0,
  failures: 0,
  strikes: 0,
  startedAt: null,
  result: null,
  skipReason: null,
  offered: false,
  accepted: false,
  asked: false,
  loop: null,
  grants: null,
  wants: null,
  correction: null,
  agreed: null,
  notBefore: null,
  refusals: 0,
  givenUp: null,
  prechecked: false,
});

/**
 * Steps keep what they have been through; those that the patch touched begin anew at this revision. What a person
 * changed begins anew altogether; what a correction changed keeps its count of failures, and its place in a loop.
 */
export function realign(
  state: RunState,
  plan: Plan,
  patch: PlanPatch,
  by: { person: boolean; correction: string | null },
): StepState[] {
  const replaced = new Set(patch.flatMap((change) => (change.op === 'replace' ? [change.stepId] : [])));
  const before = new Map(state.steps.map((step) => [step.id, step]));
  return plan.steps.map(({ id }) => {
    const known = before.get(id);
    const fresh = { ...freshStep(id, plan.revision), correction: by.correction };
    if (known === undefined) return fresh;
    if (!replaced.has(id)) return known;
    const { attempts, failures, strikes, refusals, loop } = known;
    if (by.person) return { ...fresh, attempts, failures };
    const agreed = known.correction === null ? (planStep(state, id)?.action ?? null) : known.agreed;
    return { ...fresh, attempts, failures, strikes, refusals, loop, agreed, prechecked: known.prechecked };
  });
}

/** The attempt is over, whatever came of it. */
export function settled(
  state: RunState,
  event: { stepId: string; attemptIndex: number },
  change: StepMove,
): RunState {
  const step = stepState(state, event.stepId);
  const attempts = Math.max(step?.attempts ?? 0, event.attemptIndex + 1);
  return withStep({ ...state, inFlight: null }, event.stepId, { judged: null, attempts, ...change });
}

/** One more item of a loop is done; the step is due again, and what was judged of its items still holds. */
export const itemDone = (state: RunState, stepId: string): StepMove => {
  const step = stepState(state, stepId);
  const loop = step?.loop && { ...step.loop, done: step.loop.done + 1 };
  return { status: 'pending', accepted: true, loop: loop ?? null, judged: undefined };
};

/** Changes the run's status, and with it whether time counts. A run that goes on has no stop reason. */
export function turn(before: RunState, status: RunStatus, at: number): RunState {
  const counts = status === 'running' || status === 'recovering' || status === 'planning';
  const state = counts && before.stopReason !== null ? { ...before, ...goingOn } : before;
  if (counts === (state.activeSince !== null)) return state.status === status ? state : { ...state, status };
  if (counts) return { ...state, status, activeSince: at };
  const counted = Math.max(0, at - (state.activeSince ?? at));
  return { ...state, status, activeSince: null, activeMs: state.activeMs + counted };
}

const goingOn = { stopReason: null, message: null, pausedUntil: null } as const;

/** The step whose question a run stopped for because nobody was there: whoever comes later can answer it. */
export const parkedQuestion = ({ status, stopReason, steps }: RunState): StepState | null =>
  status === 'paused' && stopReason === 'decision-needed' ? (steps.find(({ asked }) => asked) ?? null) : null;

/**
 * Takes back every open question. At most one is open at a time, and only while the run waits; so whatever asks
 * anew or moves on does this first, and what still has to be asked is asked again.
 */
export function withdrawn(state: RunState): RunState {
  if (state.status !== 'waiting' && parkedQuestion(state) === null) return state;
  return {
    ...state,
    approvals: withdraw(state.approvals),
    steps: state.steps.map((step) =>
      step.offered || step.asked ? { ...step, offered: false, asked: false } : step,
    ),
    interrupted: state.interrupted?.asked ? { ...state.interrupted, asked: false } : state.interrupted,
  };
}
