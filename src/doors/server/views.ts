import {
  fold,
  hashPlan,
  initialRunState,
  type NumberedEvent,
  type RunState,
  type StoredEvent,
} from '../../core/contract/index.ts';
import type { App, Redactor } from '../app/index.ts';

/** A run as it is now: exactly, and what hides its secrets on the way out. */
export interface View {
  exact: RunState;
  redactor: Redactor;
}

/** The runs that were looked at last, folded. What is new is folded in at each look. */
export interface Views {
  /** Rejects with an AppError where there is no such run. */
  view(id: string): Promise<View>;
  /** Events as they may leave. They still fold: a plan whose secrets are hidden gets the hash that it then has. */
  hide(id: string, events: readonly StoredEvent[]): Promise<NumberedEvent[]>;
  /** For what belongs to no run, or to many. */
  common: Redactor;
}

/** How much is kept, in steps: a run of five thousand weighs as much as many small ones. */
const keptSteps = 50_000;
const weightOf = ({ exact }: View): number => exact.steps.length + 20;

export function createViews(app: App): Views {
  const known = new Map<string, View>();
  let weight = 0;
  const forget = (id: string) => {
    const view = known.get(id);
    if (view !== undefined) weight -= weightOf(view);
    known.delete(id);
  };
  const keep = (id: string, view: View) => {
    forget(id);
    known.set(id, view);
    weight += weightOf(view);
    while (weight > keptSteps && known.size > 1) forget(known.keys().next().value!);
    return view;
  };

  async function view(id: string): Promise<View> {
    const before = known.get(id);
    const exact = await app.runs.state(id);
    if (before?.exact === exact) return keep(id, before);
    const isSameSecrets =
      before !== undefined &&
      before.exact.values === exact.values &&
      before.exact.sealed === exact.sealed &&
      before.exact.plan?.inputs === exact.plan?.inputs;
    return keep(id, { exact, redactor: isSameSecrets ? before.redactor : app.redactorFor(exact) });
  }

  async function hide(id: string, events: readonly StoredEvent[]): Promise<NumberedEvent[]> {
    const { exact, redactor } = await view(id);
    const hidden = events.map(({ seq, event }) => ({ seq, event: redactor.value(event) }));
    const isRevised = events.some(({ event }) => event.type === 'plan-revised');
    if (!isRevised || exact.plan === null) return hidden;
    let state = fold(await app.streams.read(id, 0, events[0]!.seq - 1));
    return hidden.map((numbered, at) => {
      state = fold([events[at]!], state);
      const { seq, event } = numbered;
      if (event.type !== 'plan-revised' || state.plan === null) return numbered;
      return { seq, event: { ...event, hash: hashPlan(redactor.value(state.plan)) } };
    });
  }

  return { view, hide, common: app.redactorFor(initialRunState) };
}
