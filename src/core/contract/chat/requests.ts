import { z } from 'zod';
import { ModelName } from '../models.ts';
import { OnAsk } from '../options.ts';
import { Mode, Plan } from '../plan.ts';
import { bodiesOf, request } from '../requests.ts';
import { MAX_PICTURES, Picture } from '../result.ts';
import type { Scope } from '../stream/actor.ts';
import { ChatLimits, MAX_TITLE } from './options.ts';

/** A plan that the person has, and what it is to know: it is run as it is, once they have agreed on it. */
export const GivenPlan = z.strictObject({ plan: Plan, inputs: z.record(z.string(), z.string()) });
export type GivenPlan = z.infer<typeof GivenPlan>;

/** What a person asks of a conversation: see the requests of a run. */
export const ChatRequest = z.discriminatedUnion('type', [
  /** `plan`: overrides whether it looks like a plan. */
  request('message-sent', {
    text: z.string().min(1),
    plan: z.enum(['always', 'never']).optional(),
    /** The message stands for this plan: no model is asked. */
    given: GivenPlan.optional(),
    /** Kept before they are named here. */
    pictures: z.array(Picture).max(MAX_PICTURES).optional(),
  }),
  /** Ends the turn that is open. */
  request('stop-requested', {}),
  request('approval-decided', {
    approvalId: z.string(),
    decision: z.enum(['approve', 'deny', 'did-it']),
    reason: z.string().optional(),
  }),
  /** What is asked about is to be called with these arguments: it is judged, and asked about, again. */
  request('edit-requested', { callId: z.string(), args: z.json() }),
  request('answer-given', { callId: z.string(), value: z.string() }),
  /** The plan that is being made or run is not wanted: the message is answered without one. */
  request('plan-dropped', {}),
  request('options-requested', {
    mode: Mode.optional(),
    onAsk: OnAsk.optional(),
    planning: z.enum(['auto', 'always', 'never']).optional(),
    /** Null: whoever is set. */
    model: ModelName.nullable().optional(),
    limits: ChatLimits.partial().optional(),
  }),
  request('rename-requested', { title: z.string().trim().min(1).max(MAX_TITLE) }),
  /** Takes back the last turn, or this one and all after it. */
  request('undo-requested', { turn: z.int().min(1).optional() }),
  request('compact-requested', {}),
  request('clear-requested', {}),
  request('close-requested', {}),
]);
export type ChatRequest = z.infer<typeof ChatRequest>;
export type ChatRequestType = ChatRequest['type'];

type Distribute<T> = T extends unknown ? Omit<T, 'v' | 'at' | 'key' | 'by'> : never;
export type ChatRequestBody = Distribute<ChatRequest>;
export const ChatRequestBody = bodiesOf(ChatRequest.options) as z.ZodType<ChatRequestBody>;

/** A message makes a model act for the person, so it is theirs to send. */
const scopes: Record<ChatRequestType, Scope> = {
  'message-sent': 'decide',
  'stop-requested': 'ask',
  'approval-decided': 'decide',
  'edit-requested': 'decide',
  'answer-given': 'decide',
  'plan-dropped': 'ask',
  'options-requested': 'decide',
  'rename-requested': 'ask',
  'undo-requested': 'decide',
  'compact-requested': 'ask',
  'clear-requested': 'ask',
  'close-requested': 'ask',
};
export const isChatRequest = (event: { type: string }): event is ChatRequest =>
  Object.hasOwn(scopes, event.type);
export const chatScopeOf = ({ type }: { type: ChatRequestType }): Scope => scopes[type];
