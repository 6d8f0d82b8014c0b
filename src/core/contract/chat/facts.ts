import { z } from 'zod';
import { Subject } from '../approval.ts';
import { modelFacts } from '../facts/models.ts';
import { LeftPath, UncoveredSummary } from '../facts/undo.ts';
import { ModelName } from '../models.ts';
import { FileChange, Picture, ProcessGroup, StepResult } from '../result.ts';
import { Actor, StartedBy } from '../stream/actor.ts';
import { childFacts } from '../stream/child.ts';
import { EnvironmentDifference, GivenEnvironment, Sealed } from '../stream/environment.ts';
import { answers, fact } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { Driver, type Stored } from '../stream/state.ts';
import { SelfCorrect } from '../tools.ts';
import { Verdict } from '../verdict.ts';
import { ChatOptions } from './options.ts';
import { ChatRequest, GivenPlan } from './requests.ts';

/** A call as the model made it. `id` is unique in the conversation, `wire` what the model calls it. */
export const ToolCall = z.strictObject({
  id: z.string(),
  wire: z.string(),
  tool: z.string(),
  args: z.json(),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const PlanReason = z.strictObject({ why: z.string(), points: z.number() });

/** How a plan of the conversation came out, step by step. */
export const PlanStepResult = z.strictObject({
  stepId: z.string(),
  title: z.string(),
  status: z.string(),
  message: z.string().optional(),
});
export type PlanStepResult = z.infer<typeof PlanStepResult>;

/**
 * How a turn ended. `answered`: the model said something and wants no more; `planned`: a plan was run; `no-model`: there is
 * nobody to ask; the others say what it ran into.
 */
export const TurnOutcome = z.enum([
  'answered',
  'planned',
  'no-model',
  'stopped',
  'failed',
  'limit',
  'rounds',
  'correction-failed',
  'decision-needed',
  'checkpoint-failed',
]);
export type TurnOutcome = z.infer<typeof TurnOutcome>;

const turn = z.int().min(1);
const round = z.int().min(0);
const call = { callId: z.string() };

const facts = [
  fact('chat-begun', {
    /** Its own id: what it begins is named after it. */
    chat: z.string(),
    place: Place,
    environment: GivenEnvironment.optional(),
    sealed: Sealed.optional(),
    options: ChatOptions,
    /** The run that it is about. */
    about: z.string().optional(),
  }),
  fact('driver-claimed', { epoch: z.int().positive(), driver: Driver }),
  fact('environment-differs', { ...EnvironmentDifference.shape, sealed: Sealed.optional() }),
  fact('turn-begun', {
    turn,
    text: z.string(),
    plan: z.enum(['always', 'never']).optional(),
    given: GivenPlan.optional(),
    pictures: z.array(Picture).optional(),
    answers,
  }),
  /** What was made of the message before any model was asked. */
  fact('turn-considered', {
    turn,
    plan: z.boolean(),
    score: z.number(),
    reasons: z.array(PlanReason),
    /** What is read or run at once because the person wrote it so: `@file`, `!command`. */
    calls: z.array(ToolCall),
    /** The message was a command: it is run, and nobody is asked. */
    command: z.literal(true).optional(),
  }),
  /** The intent of one model call. One that no outcome follows was interrupted. */
  fact('model-asked', { turn, round }),
  fact('model-answered', {
    turn,
    round,
    text: z.string(),
    calls: z.array(ToolCall),
    /** Null: the rules said it, for nothing. */
    model: ModelName.nullable(),
    cutOff: z.literal(true).optional(),
  }),
  fact('model-failed', { turn, round, why: z.string(), message: z.string() }),
  ...modelFacts,
  fact('call-judged', { ...call, verdict: Verdict, subject: Subject, fingerprint: z.string() }),
  fact('approval-needed', {
    approvalId: z.string(),
    ...call,
    /** `first-change`: planner mode asks before a turn changes anything; `teacher`: the person makes each call. */
    why: z.enum(['dangerous', 'first-change', 'teacher']),
    verdict: Verdict,
    subject: Subject,
    fingerprint: z.string(),
  }),
  fact('approval-granted', { approvalId: z.string(), answers }),
  fact('approval-denied', {
    approvalId: z.string(),
    reason: z.string().optional(),
    /** The person has done it themselves. */
    did: z.literal(true).optional(),
    answers: answers.optional(),
  }),
  /** A person has changed what it is called with. */
  fact('call-edited', { ...call, args: z.json(), answers }),
  /** The intent of calls: of several that only look, or of one that changes something. */
  fact('calls-started', { callIds: z.array(z.string()).min(1) }),
  fact('process-spawned', { ...call, group: ProcessGroup, heldBefore: z.boolean().nullable() }),
  fact('change-prepared', { ...call, changes: z.array(FileChange) }),
  fact('call-finished', {
    ...call,
    result: StepResult,
    /** What is told to the model where the result does not say it. */
    text: z.string().optional(),
    by: z.enum(['driver', 'person', 'recovery', 'nobody']),
  }),
  /** Its driver was gone. `unknown`: it may have been done, which the model is told; otherwise it is done now. */
  fact('call-interrupted', { ...call, finding: z.enum(['not-started', 'unknown']), detail: z.string() }),
  fact('question-asked', { ...call, question: z.string() }),
  /** Null: nobody was there to answer. */
  fact('question-answered', { ...call, value: z.string().nullable(), answers: answers.optional() }),
  fact('correction-attempt', {
    turn,
    /** Names the request: a hash of its text. */
    key: z.string(),
    n: z.int().min(1),
    ...call,
    signal: SelfCorrect,
  }),
  fact('correction-success', { turn, key: z.string(), n: z.int().min(1), ...call }),
  fact('correction-failed', { turn, key: z.string(), attempts: z.int().min(0), signal: SelfCorrect }),
  ...childFacts,
  fact('plan-results', {
    turn,
    run: z.string(),
    state: z.string(),
    reason: z.string().nullable(),
    /** It was agreed on, whatever came of it then. */
    agreed: z.boolean(),
    message: z.string(),
    /** How often its steps that call tools were mended: that counts for the message. */
    corrections: z.int().min(0).optional(),
    steps: z.array(PlanStepResult),
  }),
  fact('checkpoint-taken', {
    turn,
    when: z.enum(['before', 'after']),
    checkpoint: z.string(),
    late: z.literal(true).optional(),
    uncovered: UncoveredSummary.optional(),
  }),
  fact('checkpoint-failed', {
    turn,
    when: z.enum(['before', 'after']),
    code: z.string(),
    message: z.string(),
  }),
  fact('processes-released', { groups: z.array(ProcessGroup) }),
  /** Without `answers`: the conversation is to be closed, which is answered after it. */
  fact('turn-stopping', { turn, by: Actor, answers: answers.optional() }),
  /** The plan of the turn is told to stop: the message is answered without one. */
  fact('plan-dropping', { turn, by: Actor, answers }),
  fact('turn-ended', { turn, outcome: TurnOutcome, message: z.string().optional() }),
  fact('undo-started', { turn, answers }),
  /** The turn and all after it: files are as before it where nobody has changed them since, and it is forgotten. */
  fact('turn-undone', {
    turn,
    restored: z.int().min(0),
    left: z.array(LeftPath),
    leftCount: z.int().min(0),
    message: z.string().optional(),
  }),
  /** Nothing is forgotten: what could not be put back can be tried again. */
  fact('undo-failed', { turn, message: z.string() }),
  fact('compact-started', { upTo: turn, answers }),
  /** What was said up to this turn, in short; null where no model could say it: then the turns in one line each. */
  fact('context-summarised', { upTo: turn, text: z.string().nullable(), asked: z.literal(true).optional() }),
  fact('chat-cleared', { answers }),
  fact('options-changed', { options: ChatOptions, answers }),
  fact('chat-renamed', { title: z.string(), answers }),
  fact('chat-closed', { answers }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

export const ChatFactEvent = z.discriminatedUnion('type', [...facts]);
export type ChatFactEvent = z.infer<typeof ChatFactEvent>;
export const ChatEvent = z.union([ChatFactEvent, ChatRequest]);
export type ChatEvent = z.infer<typeof ChatEvent>;
export type StoredChatEvent = Stored<ChatEvent>;
export type ChatEventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>;

type Distribute<T> = T extends unknown ? Omit<T, 'v' | 'at'> : never;
export type ChatFact = Distribute<ChatFactEvent>;

export const chatEventTypes: readonly ChatEvent['type'][] = [
  ...ChatFactEvent.options.map((option) => option.shape.type.value),
  ...ChatRequest.options.map((option) => option.shape.type.value),
];
