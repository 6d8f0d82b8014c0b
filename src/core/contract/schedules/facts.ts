import { z } from 'zod';
import { RunOptions } from '../options.ts';
import { Plan } from '../plan.ts';
import { bodiesOf, request } from '../requests.ts';
import { Actor, type Scope, StartedBy } from '../stream/actor.ts';
import { childFacts } from '../stream/child.ts';
import { Sealed } from '../stream/environment.ts';
import { answers, fact, isOneOf } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { Driver } from '../stream/state.ts';

/** What becomes of times at which nobody was there: one run for all of them, or none. */
export const MissedTimes = z.enum(['once', 'skip']);
export type MissedTimes = z.infer<typeof MissedTimes>;

/** What a person agreed to: at each of its times a run of exactly this is begun. */
export const ScheduleAgreement = z.strictObject({
  /** Five parts: minute, hour, day of the month, month, day of the week. */
  cron: z.string().min(1).max(200),
  /** The zone that the times are of, by its name: `Europe/Berlin`. */
  tz: z.string().min(1).max(100),
  missed: MissedTimes,
  /** Where the plan was read, and the heading of a runbook: what is read there has to be the same plan. */
  source: z.strictObject({ file: z.string().min(1).max(4096), only: z.string().max(500).optional() }),
  plan: Plan,
  hash: z.string(),
  /** With its inputs, and with what is done where a person is needed. */
  options: RunOptions,
  /** The variables that the plan names and that were set: they have to be set wherever it runs. */
  environment: z.array(z.string()),
});
export type ScheduleAgreement = z.infer<typeof ScheduleAgreement>;

/** Why an agreement does not hold any more: what the file says, that it cannot be read, or a variable that is not set. */
export const VoidReason = z.enum(['changed', 'unreadable', 'environment']);
export type VoidReason = z.infer<typeof VoidReason>;

/** Why no run was begun at a time: the one before it is not over, or nobody was there. */
export const NotFired = z.enum(['overlap', 'missed']);
export type NotFired = z.infer<typeof NotFired>;

const facts = [
  fact('schedule-added', {
    schedule: z.string(),
    name: z.string(),
    place: Place,
    agreement: ScheduleAgreement,
    sealed: Sealed,
    by: Actor,
  }),
  fact('driver-claimed', { epoch: z.int().positive(), driver: Driver }),
  /** Null: its times are over. */
  fact('due-set', { due: z.number().nullable() }),
  /** `missed`: how many times before this one it stands for. `how`: its time came, or somebody asked for it. */
  fact('fired', {
    due: z.number(),
    run: z.string(),
    how: z.enum(['time', 'asked']),
    missed: z.int().min(0),
    answers: answers.optional(),
  }),
  ...childFacts,
  /** `count`: how many times up to this one. */
  fact('not-fired', {
    due: z.number(),
    why: NotFired,
    count: z.int().positive(),
    run: z.string().optional(),
  }),
  /** It begins nothing until somebody agrees again. */
  fact('agreement-void', { why: VoidReason, message: z.string() }),
  fact('agreed-again', { agreement: ScheduleAgreement, sealed: Sealed, by: Actor, answers }),
  fact('schedule-paused', { by: Actor, answers }),
  fact('schedule-resumed', { by: Actor, answers }),
  fact('schedule-removed', { by: Actor, answers }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

export const ScheduleRequest = z.discriminatedUnion('type', [
  request('pause-requested', {}),
  request('resume-requested', {}),
  /** Begins a run now, whether it is paused or not. */
  request('run-requested', {}),
  request('agree-requested', { agreement: ScheduleAgreement, sealed: Sealed }),
  request('remove-requested', {}),
]);
export type ScheduleRequest = z.infer<typeof ScheduleRequest>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type ScheduleRequestBody = Without<ScheduleRequest, 'v' | 'at' | 'key' | 'by'>;
export const ScheduleRequestBody = bodiesOf(ScheduleRequest.options) as z.ZodType<ScheduleRequestBody>;

export const ScheduleFactEvent = z.discriminatedUnion('type', [...facts]);
export type ScheduleFactEvent = z.infer<typeof ScheduleFactEvent>;
export type ScheduleEvent = ScheduleFactEvent | ScheduleRequest;
export type ScheduleFact = Without<ScheduleFactEvent, 'v' | 'at'>;

const isFact = isOneOf(() => facts);
const isRequest = isOneOf(() => ScheduleRequest.options);
export const isKnownScheduleEvent = (event: { type: string; v: number }): boolean =>
  event.v === 1 && (isFact(event) || isRequest(event));
export const isScheduleRequest = (event: { type: string }): event is ScheduleRequest => isRequest(event);

/** Agreeing is a person's to do; doing what was agreed on, less of it, or none, can be asked for. */
const scopes: Record<ScheduleRequest['type'], Scope> = {
  'pause-requested': 'ask',
  'resume-requested': 'ask',
  'run-requested': 'ask',
  'agree-requested': 'decide',
  'remove-requested': 'ask',
};
export const scheduleScopeOf = ({ type }: Pick<ScheduleRequest, 'type'>): Scope => scopes[type];
