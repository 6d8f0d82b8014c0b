import type { NumberedEvent } from '../api/runs.ts';
import { itemAt } from '../blocks.ts';
import type { RunEvent } from '../events.ts';
import type { Plan, Step } from '../plan.ts';
import { evolve } from './evolve.ts';
import { initialRunState, type RunState, type StepStatus } from './state.ts';

/** A plan as a whole, every step with what has become of it. */
export interface WholePlan extends Omit<Plan, 'steps'> {
  id: string;
  steps: (Step & { index: number; status: StepStatus })[];
}

/** An event of a run; those that make or change the plan carry all of it, as it is afterwards. */
export type PlanEvent = { seq: number } & (
  | { event: Exclude<RunEvent, { type: 'plan-created' | 'plan-revised' }> }
  | { event: Extract<RunEvent, { type: 'plan-created' | 'plan-revised' }> & { plan: WholePlan } }
);

export function wholePlan(id: string, state: RunState): WholePlan | null {
  if (state.plan === null) return null;
  const steps = state.plan.steps.map((step, index) => ({
    ...step,
    index,
    status: itemAt(state.steps, index)?.status ?? ('pending' as const),
  }));
  return { ...state.plan, id, steps };
}

/** An event with all of the plan, where it makes or changes it; `state` is as the event leaves it. */
export function withWholePlan({ seq, event }: NumberedEvent, id: string, state: RunState): PlanEvent {
  const changesPlan = event.type === 'plan-created' || event.type === 'plan-revised';
  const plan = changesPlan ? wholePlan(id, state) : null;
  return (plan === null ? { seq, event } : { seq, event: { ...event, plan } }) as PlanEvent;
}

/** The same events with whole plans. `events` must begin at the first; those up to `after` are folded in only. */
export async function* withWholePlans(
  id: string,
  events: AsyncIterable<NumberedEvent>,
  after = 0,
): AsyncGenerator<PlanEvent> {
  let state = initialRunState;
  for await (const numbered of events) {
    state = evolve(state, numbered);
    if (numbered.seq > after) yield withWholePlan(numbered, id, state);
  }
}
