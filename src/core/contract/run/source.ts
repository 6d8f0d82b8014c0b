import type { EventOf } from '../events.ts';
import type { Session, Value } from '../result.ts';
import type { Carried, RunState } from './state.ts';

/** What becomes of a run of a git source as it goes from machine to machine. Pure. */

export function carried(state: RunState, { parcel, message }: EventOf<'work-carried'>): RunState {
  if (parcel === null) return { ...state, bound: message ?? 'what it changed could not be carried' };
  const { name, bytes, ...rest } = parcel;
  const before = state.carried ?? { parcels: [], bytes: 0 };
  const next: Carried = {
    ...rest,
    parcels: [...before.parcels, name],
    bytes: before.bytes + bytes,
  };
  return { ...state, carried: next, bound: null };
}

/**
 * It lives elsewhere now. What it knows of paths in its folder is of the new one; what was judged, kept for undo or left running
 * stays where it was.
 */
export function placeTaken(state: RunState, { place }: EventOf<'place-taken'>): RunState {
  const move = mover(state.workspace, place.workspace);
  return {
    ...state,
    place,
    workspace: place.workspace,
    mayTake: false,
    session:
      state.workspace === '' ? { ...state.session, cwd: place.workspace } : sessionIn(state.session, move),
    values: eachOf(state.values, (value: Value) => (Array.isArray(value) ? value.map(move) : move(value))),
    steps: state.steps.map((step) =>
      step.loop?.items == null ? step : { ...step, loop: { ...step.loop, items: step.loop.items.map(move) } },
    ),
    performed: state.performed.map((block) => block.map((one) => ({ ...one, cwd: move(one.cwd) }))),
    judgements: {},
    ranges: [],
    missingCheckpoint: null,
    groups: [],
    hasStrays: false,
    services: state.services.map((service) =>
      service.status === 'running' ? { ...service, status: 'gone' } : service,
    ),
  };
}

const eachOf = <T, R>(values: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));

function sessionIn({ cwd, env, defined }: Session, move: (text: string) => string): Session {
  return {
    cwd: move(cwd),
    env: eachOf(env, (value) => (value === null ? null : move(value))),
    ...(defined === undefined ? {} : { defined: { ...defined, variables: eachOf(defined.variables, move) } }),
  };
}

/** Paths of the one folder become paths of the other, wherever they stand in a text: `PATH` has several. */
function mover(from: string, to: string): (text: string) => string {
  if (from === '') return (text) => text;
  return (text) =>
    text
      .split(from)
      .reduce((before, after) => `${before}${/^(?:[/:;,\s"']|$)/.test(after) ? to : from}${after}`);
}
