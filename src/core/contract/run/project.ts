import { z } from 'zod';
import { type EventOf, type RunEvent, StopReason } from '../events.ts';
import { isPlanningFact } from '../facts/planning.ts';
import { Mode, type PlanChange } from '../plan.ts';
import { isRequest } from '../requests.ts';
import type { StepResult } from '../result.ts';
import { StreamRow } from '../stream/row.ts';
import { callFinished, callStarted, committed, noSpending, Spending } from '../stream/spending.ts';
import type { Stored } from '../stream/state.ts';
import { agreeing, planningChanges } from './project-planning.ts';

/** What a run waits for a person to decide. */
export const WaitingFor = z.enum(['agreement', 'approval', 'step', 'answer', 'interrupt']);
export type WaitingFor = z.infer<typeof WaitingFor>;

/** One line of a listing: all that `runs` shows, kept beside the journal and made by `project` alone. */
export const RunRow = StreamRow.extend({
  kind: z.literal('run'),
  state: z.enum([
    'planning',
    'agreeing',
    'running',
    'recovering',
    'waiting',
    'paused',
    'done',
    'failed',
    'cancelled',
  ]),
  goal: z.string(),
  mode: Mode,
  stopReason: StopReason.nullable(),
  waitingFor: WaitingFor.nullable(),
  /** The step that was asked about last; missing in rows that were written before it was told. */
  askedStep: z.string().optional(),
  /** The title of the step begun last; its id in rows that were written before titles were told. */
  currentStep: z.string().nullable(),
  stepsTotal: z.int(),
  stepsDone: z.int(),
  /** Services that run, as far as the last driver knew. */
  services: z.array(z.strictObject({ name: z.string(), keep: z.boolean() })),
  /** What its model calls cost, with the worst case of those that are open or were interrupted. */
  costUsd: z.number(),
  tokens: z.int(),
  /** What the two are counted from. */
  spending: Spending,
  /** The time that counts as the run's, as its state counts it, up to when it last stood or was taken up; missing in older rows. */
  workedMs: z.number().optional(),
  /** From when on time counts; null while it does not. */
  workingSince: z.number().nullable().optional(),
  /** When the last fact was written, where a request came after it. */
  factAt: z.number().nullable().optional(),
  /** The run that this one undoes, back to before the step. */
  undoes: z.strictObject({ run: z.string(), stepId: z.string() }).optional(),
  /** The run that this one was forked from, at the step. */
  forks: z.strictObject({ run: z.string(), stepId: z.string() }).optional(),
  /** The run that this one does again. */
  repeats: z.strictObject({ run: z.string() }).optional(),
  /** The schedule that began it, and the time that it was for. */
  scheduled: z.strictObject({ schedule: z.string(), due: z.number() }).optional(),
});
export type RunRow = z.infer<typeof RunRow>;

const growth = (patch: PlanChange[]): number =>
  patch.reduce((n, change) => {
    if (change.op === 'insert') return n + change.steps.length;
    return change.op === 'remove' ? n - 1 : n;
  }, 0);

const goesOn: readonly RunRow['state'][] = ['planning', 'running', 'recovering'];

/**
 * The row after one more event. Total: an event that it does not know only moves `updatedAt`. Null until
 * the stream has its first event that makes a run.
 */
export function project(row: RunRow | null, stored: Stored<RunEvent>): RunRow | null {
  const next = projected(row, stored);
  if (next === null) return null;
  const now = goesOn.includes(next.state);
  return timed(row, next.goesOn === now ? next : { ...next, goesOn: now }, stored.event);
}

/** Whether time counts, and how much has. Between the last fact and a claim nobody drove: that does not count. */
function timed(before: RunRow | null, row: RunRow, event: RunEvent): RunRow {
  const { workedMs = 0, workingSince = null } = before ?? {};
  const factAt = before?.factAt ?? before?.updatedAt ?? event.at;
  if (isRequest(event)) return { ...row, factAt };
  const isClaim = event.type === 'driver-claimed';
  const isOver = workingSince !== null && (isClaim || !row.goesOn);
  const counted = isOver ? Math.max(0, (isClaim ? factAt : event.at) - workingSince) : 0;
  const since = !row.goesOn ? null : isClaim ? event.at : (workingSince ?? event.at);
  const isSame = row.workedMs === workedMs + counted && row.workingSince === since;
  if (isSame && (row.factAt ?? null) === null) return row;
  return { ...row, workedMs: workedMs + counted, workingSince: since, factAt: null };
}

function projected(row: RunRow | null, { stream, event }: Stored<RunEvent>): RunRow | null {
  if (event.type === 'goal-given')
    return { ...fresh(stream, event), goal: event.goal, state: 'planning', waitingFor: null };
  if (event.type === 'plan-created') {
    return {
      ...fresh(stream, event),
      goal: row?.goal ?? event.plan.goal,
      createdAt: row?.createdAt ?? event.at,
      stepsTotal: event.plan.steps.length,
      ...(row === null ? {} : costing(row.spending)),
      ...comesFrom(event),
    };
  }
  return row === null ? null : { ...row, ...changes(row, event), updatedAt: event.at };
}

const fresh = (id: string, event: EventOf<'plan-created' | 'goal-given'>): RunRow => ({
  id,
  kind: 'run',
  state: 'agreeing',
  goal: '',
  mode: event.options.mode,
  workspace: event.place.workspace,
  stopReason: null,
  waitingFor: 'agreement',
  currentStep: null,
  stepsTotal: 0,
  stepsDone: 0,
  createdAt: event.at,
  updatedAt: event.at,
  endedAt: null,
  wakeAt: null,
  goesOn: false,
  awaits: null,
  unanswered: [],
  services: [],
  ...noCost,
});

/** Before the first model call. */
export const noCost = { costUsd: 0, tokens: 0, spending: noSpending };

function costing(spending: Spending): Partial<RunRow> {
  const { usd, tokens } = committed(spending);
  return { costUsd: usd, tokens, spending };
}
function comesFrom({ parent, scheduled }: EventOf<'plan-created'>): Partial<RunRow> {
  if (parent === undefined) return scheduled === undefined ? {} : { scheduled };
  const { run, stepId, how } = parent;
  if (how === 'undo') return { undoes: { run, stepId } };
  return how === 'again' ? { repeats: { run } } : { forks: { run, stepId } };
}

const without = (row: RunRow, names: string[]): Partial<RunRow> => ({
  services: row.services.filter(({ name }) => !names.includes(name)),
});

function servicesAfter(row: RunRow, { service }: StepResult): Partial<RunRow> {
  if (service === undefined) return {};
  const { name, keep, state } = service;
  const others = row.services.filter((known) => known.name !== name);
  return { services: state === 'started' ? [...others, { name, keep }] : others };
}

/** What it was asking, or has just asked, when it stopped because nobody was there. */
const parkedFor = ({ waitingFor, state }: RunRow, reason: StopReason): RunRow['waitingFor'] => {
  if (reason === 'approval-needed') return 'approval';
  // The planner's question stays open while it is resumed.
  const isAsking = waitingFor === 'answer' || state === 'planning';
  return reason === 'decision-needed' && isAsking ? 'answer' : null;
};

/** What a resting run stopped for is not asked any more: the plan, or the step, is another. */
const unparked = ({ state }: RunRow): Partial<RunRow> => (state === 'paused' ? { waitingFor: null } : {});

/** The step that it stopped for is to be done after all: whoever comes later can decide it again. */
const parkedAgain = ({ state, stopReason, askedStep }: RunRow, stepId: string): Partial<RunRow> =>
  state === 'paused' && stopReason === 'approval-needed' && askedStep === stepId
    ? { waitingFor: 'approval' }
    : {};

const going = {
  state: 'running',
  waitingFor: null,
  stopReason: null,
  wakeAt: null,
  endedAt: null,
} as const;

function changes(row: RunRow, event: RunEvent): Partial<RunRow> {
  if (isRequest(event)) return {};
  if (isPlanningFact(event)) return planningChanges(row, event);
  switch (event.type) {
    case 'plan-confirmed':
    case 'approval-granted':
    case 'step-accepted':
      return going;
    case 'approval-denied':
      return event.overruled ? {} : going;
    case 'interrupt-resolved':
      return { ...going, stepsDone: row.stepsDone + (event.decision === 'done' && !event.item ? 1 : 0) };
    case 'run-resumed':
      if (row.state !== 'paused' && row.state !== 'failed') return {};
      return event.planning === true ? { ...going, state: 'planning' } : going;
    case 'step-offered':
      return { state: 'waiting', waitingFor: 'step' };
    case 'approval-needed':
      return { state: 'waiting', waitingFor: 'approval', askedStep: event.subject.stepId };
    case 'interrupt-asked':
      return { state: 'waiting', waitingFor: 'interrupt' };
    case 'step-started':
      return { ...going, currentStep: event.title ?? event.stepId };
    case 'step-failed':
      return event.title === undefined ? {} : { currentStep: event.title };
    case 'question-asked':
      return { state: 'waiting', waitingFor: 'answer', askedStep: event.stepId };
    case 'item-completed':
      return servicesAfter(row, event.result);
    case 'step-completed':
      return { ...going, ...servicesAfter(row, event.result), stepsDone: row.stepsDone + 1 };
    case 'services-surveyed':
      return without(row, event.gone);
    case 'place-taken':
      return { workspace: event.place.workspace, services: [] };
    case 'processes-released':
    case 'services-stopped':
      return without(row, event.services);
    case 'service-missed':
      return { stepsDone: row.stepsDone - 1 };
    case 'model-call-started':
      return costing(callStarted(row.spending, event));
    case 'model-call-finished':
      return costing(callFinished(row.spending, event));
    case 'step-skipped':
      if (event.reason === 'declined' || event.reason === 'corrected') return going;
      return event.stepId === (row.askedStep ?? event.stepId) ? unparked(row) : {};
    case 'step-reset':
      return parkedAgain(row, event.stepId);
    case 'agent-thinking':
    case 'correction-attempt':
      return { ...going, state: 'recovering' };
    case 'agent-stuck':
    case 'agent-error':
    case 'precheck-overruled':
      return row.state === 'recovering' ? going : {};
    case 'hint-given':
      return going;
    case 'step-retried':
    case 'retry-attempt':
      return { ...going, wakeAt: event.notBefore ?? null };
    case 'plan-revised':
      if (row.state === 'planning') return { ...agreeing, stepsTotal: row.stepsTotal + growth(event.patch) };
      return {
        ...(row.state === 'waiting' ? going : unparked(row)),
        askedStep: undefined,
        stepsTotal: row.stepsTotal + growth(event.patch),
      };
    case 'mode-changed':
      return { ...(row.waitingFor === 'step' && event.mode !== 'teacher' ? going : {}), mode: event.mode };
    case 'run-paused':
      return {
        state: event.reason === 'step-failed' ? 'failed' : 'paused',
        stopReason: event.reason,
        // Whoever comes later can decide it.
        waitingFor: parkedFor(row, event.reason),
        wakeAt: event.until ?? null,
      };
    case 'run-finished':
      return {
        state: event.outcome,
        stopReason: event.reason,
        waitingFor: null,
        wakeAt: null,
        endedAt: event.at,
      };
    case 'plan-created':
    case 'plan-rejected':
    case 'driver-claimed':
    case 'environment-differs':
    case 'step-judged':
    case 'loop-frozen':
    case 'process-spawned':
    case 'step-listens':
    case 'change-prepared':
    case 'step-interrupted':
    case 'request-refused':
    case 'refused-at-door':
    case 'correction-refused':
    case 'correction-success':
    case 'correction-failed':
    case 'grant-wanted':
    case 'budget-warning':
    case 'plan-cancelled':
    case 'model-fell-back':
    case 'checkpoint-taken':
    case 'checkpoint-failed':
    case 'context-summarised':
    case 'rollback-started':
    case 'rolled-back':
    case 'work-carried':
      return {};
  }
}
