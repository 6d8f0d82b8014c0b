import {
  evolveGuard,
  type GuardEvent,
  type GuardRow,
  type GuardState,
  initialGuardState,
  projectGuard,
} from '../contract/guard/index.ts';
import type { KeptKind } from '../stream/index.ts';

const FOUND_BY = 200;

/** Sessions of other agents under the guard, as they are kept, listed and found. Nobody drives one: the guard writes verdicts. */
export const keptGuards: KeptKind<GuardState, GuardEvent, GuardRow> = {
  name: 'guard',
  initial: initialGuardState,
  evolve: evolveGuard,
  epochOf: ({ epoch }) => epoch,
  project: projectGuard,
  titleOf: ({ agent, session }) => `${agent} ${session.slice(0, 8)}`,
  // Every addition is indexed with all that was there: what was asked about or denied is what people look for.
  textOf(event) {
    if (event.type === 'guard-begun') return `${event.agent} ${event.session}`;
    const isFound = event.type === 'call-judged' && event.answer !== 'none';
    return isFound ? event.text.slice(0, FOUND_BY) : '';
  },
  isRequest: () => false,
  cancel: { type: 'cancel-requested' },
  scopeOf: () => 'decide',
  turnedAway: (refusal, at) => ({ v: 1, type: 'refused-at-door', at, ...refusal }),
  noteOf: () => null,
};
