import type { Actor } from '../stream/actor.ts';
import { type ChildState, isChildFact, withChild } from '../stream/child.ts';
import type { Place } from '../stream/place.ts';
import { evolveStream, freshStream, type Stored, type StreamState } from '../stream/state.ts';
import {
  isKnownScheduleEvent,
  isScheduleRequest,
  type NotFired,
  type ScheduleAgreement,
  type ScheduleEvent,
  type ScheduleFactEvent,
  type ScheduleRequest,
  type VoidReason,
} from './facts.ts';

/** One time of a schedule, and what came of it. */
export interface Firing {
  due: number;
  at: number;
  how: 'time' | 'asked';
  /** The run that was begun; where none was, the one that was in the way. */
  run: string | null;
  /** Null: a run was begun. */
  why: NotFired | null;
  /** How many times it stands for, itself included. */
  count: number;
  /** The state in which its run ended. */
  ended: string | null;
}

/**
 *   schedule-added ──▶ active ──schedule-paused──▶ paused ──schedule-resumed──▶ active
 *                      │    ▲ └─agreement-void──▶ changed ──agreed-again──┐
 *                      │    └─────────────────────────────────────────────┘
 *                      └──schedule-removed (from each of them)──▶ removed
 *
 * While it is active it is due at a time, and at that time a run is begun, which it waits for, or it is said why not.
 */
export interface ScheduleState extends StreamState<ScheduleRequest> {
  schedule: string;
  name: string;
  place: Place;
  agreement: ScheduleAgreement | null;
  agreedBy: Actor | null;
  sealed: readonly string[];
  /** Null: it has to be worked out. `at` is null where its times are over. */
  due: { at: number | null } | null;
  isPaused: boolean;
  /** Why it does not hold any more. */
  broken: { why: VoidReason; message: string; at: number } | null;
  isRemoved: boolean;
  /** Its newest run. */
  children: readonly ChildState[];
  /** The newest last, a few of them. */
  firings: readonly Firing[];
}

export const initialScheduleState: ScheduleState = {
  ...freshStream,
  schedule: '',
  name: '',
  place: { host: '', boot: '', workspace: '' },
  agreement: null,
  agreedBy: null,
  sealed: [],
  due: null,
  isPaused: false,
  broken: null,
  isRemoved: false,
  children: [],
  firings: [],
};

/** The run that it began and that is not over. */
export const openRun = ({ children }: Pick<ScheduleState, 'children'>): ChildState | null =>
  children.find(({ ended }) => ended === null) ?? null;

export const evolveSchedule = (
  state: ScheduleState,
  stored: Pick<Stored<ScheduleEvent>, 'seq' | 'event'>,
): ScheduleState =>
  evolveStream<ScheduleState, ScheduleEvent, ScheduleRequest>(state, stored, {
    isKnown: isKnownScheduleEvent,
    isRequest: isScheduleRequest,
    apply,
  });

const KEPT = 20;

function apply(state: ScheduleState, event: ScheduleFactEvent): ScheduleState {
  if (isChildFact(event)) {
    const before = event.type === 'child-started' ? [] : state.children;
    const children = withChild(before, event);
    if (event.type !== 'child-ended') return { ...state, children };
    const firings = state.firings.map((one) =>
      one.run === event.child && one.why === null ? { ...one, ended: event.state } : one,
    );
    return { ...state, children, firings };
  }
  switch (event.type) {
    case 'schedule-added': {
      const { schedule, name, place, agreement, sealed, by } = event;
      return { ...state, schedule, name, place, agreement, sealed, agreedBy: by };
    }
    case 'driver-claimed':
      return { ...state, epoch: event.epoch, driver: event.driver };
    case 'due-set':
      return { ...state, due: { at: event.due } };
    case 'fired': {
      const { due, at, how, run, missed } = event;
      return fired(state, { due, at, how, run, why: null, count: missed + 1, ended: null });
    }
    case 'not-fired': {
      const { due, at, why, count, run = null } = event;
      return fired(state, { due, at, how: 'time', run, why, count, ended: null });
    }
    case 'agreement-void':
      return { ...state, due: null, broken: { why: event.why, message: event.message, at: event.at } };
    case 'agreed-again': {
      const { agreement, sealed, by } = event;
      // What was to be hidden stays so: it stands in what was written before.
      return {
        ...state,
        agreement,
        agreedBy: by,
        sealed: [...state.sealed, ...sealed],
        due: null,
        broken: null,
      };
    }
    case 'schedule-paused':
      return { ...state, isPaused: true, due: null };
    case 'schedule-resumed':
      return { ...state, isPaused: false, due: null };
    case 'schedule-removed':
      return { ...state, isRemoved: true, due: null };
    case 'request-refused':
    case 'refused-at-door':
      return state;
  }
}

const fired = (state: ScheduleState, firing: Firing): ScheduleState => ({
  ...state,
  firings: [...state.firings, firing].slice(-KEPT),
});
