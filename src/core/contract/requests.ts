import { z } from 'zod';
import { ApprovalDecision, ShownStep } from './approval.ts';
import { ModelName } from './models.ts';
import { CheckpointPolicy, Limits, OnAsk, OnInterrupt } from './options.ts';
import { Mode, Plan, PlanChange } from './plan.ts';
import { Grants } from './result.ts';
import { Actor, type Scope } from './stream/actor.ts';

/**
 * What a person asks of a run. A request is no fact: the driver answers it with one, or with
 * `request-refused`. `key` makes asking twice the same as asking once; `by` says who it was.
 */
export const request = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({
    v: z.literal(1),
    type: z.literal(type),
    at: z.number(),
    key: z.string().min(1),
    by: Actor,
    ...shape,
  });

export const RequestEvent = z.discriminatedUnion('type', [
  request('cancel-requested', { reason: z.string().optional() }),
  /** `graceMs`: whoever drives it has to go; a step in flight that is not over by then is ended. Left out, it is waited for. */
  request('pause-requested', { until: z.number().optional(), graceMs: z.int().min(0).optional() }),
  request('resume-requested', {
    onAsk: OnAsk.optional(),
    onInterrupt: OnInterrupt.optional(),
    limits: Limits.partial().optional(),
    checkpoints: CheckpointPolicy.optional(),
    brain: ModelName.optional(),
  }),
  /** Ends a service that the run has started, also after the run; without a name, all of them. */
  request('service-stop-requested', { name: z.string().optional() }),
  /** The step in flight is a server: it is ended, and begun again as a service that is ready when this port is open. */
  request('serve-requested', { stepId: z.string(), port: z.int().positive() }),
  request('mode-requested', { mode: Mode }),
  request('edit-requested', { baseRevision: z.int(), patch: z.array(PlanChange), reason: z.string() }),
  request('skip-requested', { stepId: z.string(), reason: z.string().optional() }),
  request('retry-requested', { stepId: z.string(), grants: Grants.optional() }),
  /** What a person would have the brain know about a step that failed. It is asked once more, whatever its limits. */
  request('hint-requested', { stepId: z.string(), text: z.string().min(1) }),
  request('plan-decided', {
    revision: z.int(),
    decision: z.enum(['all', 'step-by-step', 'cancel']),
    /** The dangerous steps as they were shown: each is approved for exactly that. */
    approves: z.array(ShownStep).optional(),
    reason: z.string().optional(),
  }),
  request('approval-decided', {
    approvalId: z.string(),
    decision: ApprovalDecision,
    reason: z.string().optional(),
  }),
  request('step-decided', {
    stepId: z.string(),
    decision: z.enum(['run', 'skip', 'did-it', 'stop']),
    reason: z.string().optional(),
  }),
  /** Without a step: the answer to the planner's question. */
  request('answer-given', { stepId: z.string().optional(), value: z.string().optional() }),
  /** A step is declined: plan anew what is left. */
  request('replan-requested', { stepId: z.string(), reason: z.string().min(1) }),
  /** A person's own plan, where planning came to none. */
  request('plan-given', { plan: Plan }),
  request('interrupt-decided', {
    stepId: z.string(),
    attemptIndex: z.int(),
    decision: z.enum(['rerun', 'skip', 'done', 'stop']),
  }),
]);
export type RequestEvent = z.infer<typeof RequestEvent>;
export type RequestType = RequestEvent['type'];

/** A request as a door makes it: the store adds nothing but its place in the stream. */
type Distribute<T> = T extends unknown ? Omit<T, 'v' | 'at' | 'key' | 'by'> : never;
export type RequestBody = Distribute<RequestEvent>;

const bodyOf = ({ shape }: { shape: z.ZodRawShape }) => {
  const { v: _v, at: _at, key: _key, by: _by, ...own } = shape;
  return z.strictObject(own);
};
/** Requests as doors make them, without what is added to each. */
export const bodiesOf = (requests: readonly { shape: z.ZodRawShape }[]): z.ZodType =>
  z.discriminatedUnion('type', requests.map(bodyOf) as unknown as [z.ZodObject]);
export const RequestBody = bodiesOf(RequestEvent.options) as z.ZodType<RequestBody>;

/**
 * What whoever writes a request must be allowed. Deciding is whatever makes a run do what it would not have done: agreeing,
 * granting, answering what a person was asked, changing what was agreed on or how much is asked and spent. Asking is to do
 * less or later, to do again what was agreed on, or to have something proposed that somebody still decides on.
 */
const scopes: Record<RequestType, Scope> = {
  'cancel-requested': 'ask',
  'pause-requested': 'ask',
  'resume-requested': 'ask',
  'service-stop-requested': 'ask',
  'serve-requested': 'decide',
  'mode-requested': 'decide',
  'edit-requested': 'decide',
  'skip-requested': 'ask',
  'retry-requested': 'ask',
  'hint-requested': 'ask',
  'plan-decided': 'decide',
  'approval-decided': 'decide',
  'step-decided': 'decide',
  'answer-given': 'decide',
  'replan-requested': 'ask',
  'plan-given': 'ask',
  'interrupt-decided': 'decide',
};

export const isRequest = (event: { type: string }): event is RequestEvent =>
  Object.hasOwn(scopes, event.type);

/** Going on with other limits or fewer questions than were agreed on, or with more rights, is a decision. */
const raises = (request: RequestBody): boolean => {
  if (request.type === 'retry-requested') return request.grants !== undefined;
  if (request.type !== 'resume-requested') return false;
  const { onAsk, onInterrupt, limits, checkpoints, brain } = request;
  return [onAsk, onInterrupt, limits, checkpoints, brain].some((changed) => changed !== undefined);
};

export const scopeOf = (request: RequestBody): Scope => (raises(request) ? 'decide' : scopes[request.type]);
