import type { Place } from '../stream/place.ts';
import { evolveStream, freshStream, type Stored, type StreamState } from '../stream/state.ts';
import { type GuardEvent, type GuardedAgent, isGuardEvent, type JudgedCall } from './facts.ts';

/** A checkpoint that was taken for a call: before it, or after it. In the order in which they were taken. */
export interface CallMark {
  call: string;
  when: 'before' | 'after';
  checkpoint: string;
}

/** A call with its place in the journal, and why the folder could not be kept before or after it. */
export type GuardedCall = JudgedCall & { seq: number; unkept?: string };

export interface GuardState extends StreamState<never> {
  agent: GuardedAgent | null;
  session: string;
  place: Place;
  calls: readonly GuardedCall[];
  /** Since the last undo. */
  marks: readonly CallMark[];
}

export const initialGuardState: GuardState = {
  ...freshStream,
  agent: null,
  session: '',
  place: { host: '', boot: '', workspace: '' },
  calls: [],
  marks: [],
};

export const evolveGuard = (
  state: GuardState,
  stored: Pick<Stored<GuardEvent>, 'seq' | 'event'>,
): GuardState =>
  evolveStream<GuardState, GuardEvent, never>(state, stored, {
    isKnown: isGuardEvent,
    isRequest: (event): event is never => event === null,
    apply: (before, event) => {
      switch (event.type) {
        case 'guard-begun':
          return { ...before, agent: event.agent, session: event.session, place: event.place };
        case 'call-judged':
          return {
            ...before,
            calls: [...before.calls, { ...event, seq: stored.seq }],
            marks: marked(before, event, 'before'),
          };
        case 'call-ended':
          return { ...before, marks: marked(before, event, 'after') };
        case 'checkpoint-failed':
          return { ...before, calls: withoutCheckpoint(before.calls, event) };
        case 'guard-undone':
          return { ...before, marks: [] };
        case 'guard-undo-begun':
        case 'refused-at-door':
          return before;
      }
    },
  });

function withoutCheckpoint(
  calls: readonly GuardedCall[],
  { call, why }: { call: string; why: string },
): readonly GuardedCall[] {
  const at = calls.findLastIndex((one) => one.call === call);
  return calls.map((one, index) => (index === at ? { ...one, unkept: why } : one));
}

const marked = (
  { marks }: GuardState,
  { call, checkpoint }: { call: string; checkpoint?: string | undefined },
  when: CallMark['when'],
): readonly CallMark[] => (checkpoint === undefined ? marks : [...marks, { call, when, checkpoint }]);

/** What happened between two checkpoints, as an undo takes it. */
export interface GuardedRange {
  before: string;
  after: string;
  unsure?: true;
}

/**
 * What the calls of a session changed, oldest first. Between two checkpoints it was an agent's where a call was under way:
 * for certain, where its end was seen; of a call whose end nobody saw, what lies up to the next checkpoint may be others' as
 * well. `now` is the folder as it is, for the last of these.
 */
export function rangesOfGuard(marks: readonly CallMark[], now: string): GuardedRange[] {
  const spans = spansOf(marks);
  const places = [...marks.map(({ checkpoint }) => checkpoint), now];
  return marks.flatMap((_, at): GuardedRange[] => {
    const [before, after] = [places[at]!, places[at + 1]!];
    const isSeen = spans.some(({ from, to }) => from <= at && to !== null && to > at);
    const isOpen = spans.some(({ from, to }) => from === at && to === null);
    if (before === after || !(isSeen || isOpen)) return [];
    return [{ before, after, ...(isSeen ? {} : { unsure: true as const }) }];
  });
}

/** From which mark to which each call was under way; null where its end was not seen. The same call may come again. */
function spansOf(marks: readonly CallMark[]): { from: number; to: number | null }[] {
  const spans: { from: number; to: number | null }[] = [];
  const open = new Map<string, { from: number; to: number | null }>();
  for (const [at, { call, when }] of marks.entries()) {
    if (when === 'before') {
      const span = { from: at, to: null };
      spans.push(span);
      open.set(call, span);
      continue;
    }
    const begun = open.get(call);
    if (begun !== undefined) begun.to = at;
    open.delete(call);
  }
  return spans;
}
