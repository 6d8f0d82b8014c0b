import { isDeepStrictEqual } from 'node:util';
import {
  fold,
  hashPlan,
  initialRunState,
  type NumberedEvent,
  type RunState,
  type StoredEvent,
  type StreamRow,
  withWholePlan,
} from '../../core/contract/index.ts';
import type { AnyKind } from '../../core/stream/index.ts';
import type { App } from '../app/app.ts';
import type { Redactor } from '../app/secrets.ts';
import { rowWithout } from '../app/secrets.ts';

/** A stream as it is now: exactly, and what hides its secrets on the way out. */
export interface View<S = unknown> {
  kind: AnyKind;
  seq: number;
  exact: S;
  redactor: Redactor;
}

export type Expand = 'plan' | undefined;

/** The streams that were looked at last, folded. What is new is folded in at each look. */
export interface Views {
  /** Of a run. Rejects with an AppError where there is no such run. */
  view(id: string): Promise<View<RunState>>;
  /** Of a stream of any kind, likewise. */
  any(id: string): Promise<View>;
  /**
   * Events as they may leave. They still fold: a plan whose secrets are hidden gets the hash that it then has. With
   * `expand` those that make or change the plan of a run carry all of it.
   */
  hide(id: string, events: readonly StoredEvent[], expand?: Expand): Promise<NumberedEvent[]>;
  /** Rows as they may leave: each without what its own stream has to hide. */
  rows<R extends StreamRow>(rows: readonly R[]): Promise<R[]>;
  /** For what belongs to no run, or to many. */
  common: Redactor;
}

/** How many events are kept of: a stream of a hundred thousand weighs as much as many small ones. */
const keptEvents = 200_000;
const weightOf = ({ seq }: View): number => seq + 100;

export function createViews(app: App): Views {
  const common = app.redactorFor(initialRunState);
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
    while (weight > keptEvents && known.size > 1) forget(known.keys().next().value!);
    return view;
  };

  async function any(id: string): Promise<View> {
    const before = known.get(id);
    const { kind, seq, state: exact } = await app.streams.folded(id);
    if (before !== undefined && before.exact === exact) return keep(id, before);
    const isSameSecrets = before !== undefined && hasSameSecrets(kind, before.exact, exact);
    const redactor = isSameSecrets ? before.redactor : app.redactorFor(exact, kind);
    return keep(id, { kind, seq, exact, redactor });
  }

  async function view(id: string): Promise<View<RunState>> {
    await app.runs.state(id);
    return (await any(id)) as View<RunState>;
  }

  async function hide(id: string, events: readonly StoredEvent[], expand?: Expand): Promise<NumberedEvent[]> {
    const { exact, redactor, kind } = await any(id);
    const hidden = events.map(({ seq, event }) => ({ seq, event: redactor.value(event) }));
    const changesPlan = events.some(
      ({ event }) => event.type === 'plan-revised' || (expand === 'plan' && event.type === 'plan-created'),
    );
    if (!changesPlan || kind.name !== 'run' || (exact as RunState).plan === null) return hidden;
    let state = fold(await app.streams.read(id, 0, events[0]!.seq - 1));
    return hidden.map((numbered, at) => {
      state = fold([events[at]!], state);
      const { seq, event } =
        expand === 'plan' ? withWholePlan(numbered, id, redactor.value(state)) : numbered;
      if (event.type !== 'plan-revised' || state.plan === null) return { seq, event };
      return { seq, event: { ...event, hash: hashPlan(redactor.value(state.plan)) } };
    });
  }

  const rows: Views['rows'] = (given) =>
    Promise.all(
      given.map(async (row) => {
        const kind = app.streams.kinds.get(row.kind);
        // One that hides nothing of its own need not be read for it.
        if (kind !== undefined && kind.hides === undefined) return rowWithout(row, common);
        const own = await any(row.id).catch(() => null);
        return rowWithout(row, own?.redactor ?? null);
      }),
    );

  return { view, any, hide, rows, common };
}

const hasSameSecrets = (kind: AnyKind, before: unknown, now: unknown): boolean =>
  isDeepStrictEqual(kind.hides?.sealedIn(before), kind.hides?.sealedIn(now)) &&
  isDeepStrictEqual(kind.hides?.secretsIn(before), kind.hides?.secretsIn(now));
