import { isSameHost, type Pending } from '../contract/index.ts';
import {
  openRun,
  type ScheduleFact,
  type ScheduleRequest,
  type ScheduleState,
} from '../contract/schedules/index.ts';
import type { Effect, RestReason } from '../stream/index.ts';
import type { Calendar, Held } from './ports.ts';

export type ScheduleWork =
  | { kind: 'time'; state: ScheduleState; after: number }
  /** `answers`: somebody asked for it; left out, its time has come. */
  | { kind: 'fire'; state: ScheduleState; due: number; now: number; answers?: number }
  | { kind: 'begin'; state: ScheduleState; run: string };

export type ScheduleEffect = Effect<ScheduleFact, ScheduleWork>;

const record = (...facts: ScheduleFact[]): ScheduleEffect => ({ kind: 'record', facts });
const look = (work: ScheduleWork): ScheduleEffect => ({ kind: 'perform', intent: [], work });
const rest = (why: RestReason, wakeAt: number | null = null): ScheduleEffect => ({
  kind: 'rest',
  why,
  wakeAt,
});

/**
 * What a schedule does now. Pure.
 *
 *   a run is wanted ──────▶ begin it: what was said to be begun is begun before anything else
 *   request waiting ──────▶ answer it; for a run now: look whether all is as it was agreed to
 *   removed ──────────────▶ rest for good
 *   paused, not as agreed ▶ rest for a person
 *   its time is not known ▶ work it out
 *   its time is to come ──▶ rest until then
 *   its time has come ────▶ look, and begin a run or say why not
 *
 * Files are looked at where they are: on another host it only answers.
 */
export function scheduleNext(state: ScheduleState, now: number): ScheduleEffect {
  const effect = decide(state, now);
  const { driver, place } = state;
  const isElsewhere = driver !== null && !isSameHost(driver.host, place.host);
  return effect.kind === 'perform' && isElsewhere ? rest('elsewhere') : effect;
}

function decide(state: ScheduleState, now: number): ScheduleEffect {
  if (state.agreement === null || state.unreadable.length > 0) return rest('unreadable');
  const open = openRun(state);
  // That it is wanted stands in the journal first: what is begun and was not written would be begun behind everybody's back.
  if (open !== null && !open.isBegun)
    return { kind: 'perform', intent: [], settle: true, work: { kind: 'begin', state, run: open.id } };
  const pending = state.inbox[0];
  if (pending !== undefined) return answer(state, pending);
  if (state.isRemoved) return rest('finished');
  if (state.isPaused || state.broken !== null) return rest('waiting');
  if (state.due === null) return look({ kind: 'time', state, after: now });
  const due = state.due.at;
  if (due === null) return rest('waiting');
  return due > now ? rest('later', due) : look({ kind: 'fire', state, due, now });
}

/** Answers a request, by the fact that makes it so or by a refusal. */
function answer(state: ScheduleState, { seq: answers, request }: Pending<ScheduleRequest>): ScheduleEffect {
  const refuse = (code: string, message: string) =>
    record({ type: 'request-refused', answers, code, message });
  const { by } = request;
  if (state.isRemoved) return refuse('removed', 'it has been removed');
  switch (request.type) {
    case 'pause-requested':
      return state.isPaused
        ? refuse('paused', 'it is paused already')
        : record({ type: 'schedule-paused', by, answers });
    case 'resume-requested':
      return state.isPaused
        ? record({ type: 'schedule-resumed', by, answers })
        : refuse('not-paused', 'it is not paused');
    case 'run-requested': {
      if (state.broken !== null) return refuse(state.broken.why, state.broken.message);
      const open = openRun(state);
      if (open !== null) return refuse('overlap', `its run ${open.id} is not over`);
      return look({ kind: 'fire', state, due: request.at, now: request.at, answers });
    }
    case 'agree-requested': {
      const { agreement, sealed } = request;
      return record({ type: 'agreed-again', agreement, sealed, by, answers });
    }
    case 'remove-requested':
      return record({ type: 'schedule-removed', by, answers });
  }
}

/** A time is missed where nobody was there for so long after it. */
export const LATE_MS = 5 * 60_000;

/** What comes of a time that has come. `held` is asked only where a run would be begun. Pure but for what it is given. */
export async function fire(
  { state, due, now, answers }: ScheduleWork & { kind: 'fire' },
  calendar: Calendar,
  held: () => Promise<Held>,
  runFor: (how: 'time' | 'asked', number: number) => string,
): Promise<ScheduleFact[]> {
  const agreement = state.agreement!;
  const isAsked = answers !== undefined;
  const { latest, count } = isAsked ? { latest: due, count: 1 } : calendar.passed(agreement, due, now);
  const next: ScheduleFact[] = isAsked ? [] : [{ type: 'due-set', due: calendar.next(agreement, now) }];
  const open = openRun(state);
  if (open !== null)
    return [{ type: 'not-fired', due: latest, why: 'overlap', count, run: open.id }, ...next];
  if (!isAsked && agreement.missed === 'skip' && now - latest > LATE_MS)
    return [{ type: 'not-fired', due: latest, why: 'missed', count }, ...next];
  const found = await held();
  if (!found.ok) {
    const { why, message } = found;
    const isVoid: ScheduleFact = { type: 'agreement-void', why, message };
    return isAsked ? [isVoid, { type: 'request-refused', answers, code: why, message }] : [isVoid];
  }
  const how = isAsked ? 'asked' : 'time';
  const run = runFor(how, answers ?? latest);
  return [
    { type: 'fired', due: latest, run, how, missed: count - 1, ...(isAsked ? { answers } : {}) },
    { type: 'child-started', child: run, kind: 'run' },
    ...next,
  ];
}
