import { z } from 'zod';
import { bodiesOf, request } from '../requests.ts';
import { Actor, type Scope, StartedBy } from '../stream/actor.ts';
import { childFacts } from '../stream/child.ts';
import { answers, fact, isOneOf } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { Driver, type Stored } from '../stream/state.ts';
import { AgentGiven } from './given.ts';
import { said, taskLimits } from './limits.ts';
import { AgentMode, AgentPayload, TaskContextEntry } from './modes.ts';
import { Pipeline, SystemEvent } from './pipeline.ts';
import { AgentName } from './project.ts';

export const TaskKind = z.enum(['feature', 'bug']);
export type TaskKind = z.infer<typeof TaskKind>;
export const Priority = z.enum(['low', 'normal', 'high', 'urgent']);
export type Priority = z.infer<typeof Priority>;

/** What a person says about a task, and may change later. */
export const TaskText = z.strictObject({
  title: said('title').min(1, 'it has no title'),
  description: said('description').default(''),
  kind: TaskKind.default('feature'),
  priority: Priority.default('normal'),
  /** Tasks that have to be through before this one is begun. */
  dependencies: z.array(said('name')).max(taskLimits.dependencies).default([]),
  /** The task that this one is about, as a bug is about a feature. */
  related: said('name').optional(),
});
export type TaskText = z.infer<typeof TaskText>;

export const CommentOn = z.enum(['plan', 'branch']);
export type CommentOn = z.infer<typeof CommentOn>;

/** Where something comes from that moves a task. */
export const MovedBy = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('manual'), by: Actor, reason: z.string().optional() }),
  z.strictObject({ type: z.literal('agent'), outcome: z.string(), run: z.string() }),
  z.strictObject({ type: z.literal('system'), event: SystemEvent }),
]);
export type MovedBy = z.infer<typeof MovedBy>;

/** How a branch comes to its base: here, with all its commits or as one; or by a pull request, which others merge. */
export const MergeHow = z.enum(['merge', 'squash', 'pull-request']);
export type MergeHow = z.infer<typeof MergeHow>;

/** With a pull request: the address that whoever agrees to the push was shown. It is pushed there or nowhere. */
const pushedTo = z.string().min(1).max(4_000).optional();

const phase = z.int().min(1);

const facts = [
  fact('task-created', {
    task: z.string(),
    project: z.string(),
    place: Place,
    text: TaskText,
    pipeline: Pipeline,
    /** Reviews that may ask for changes before a person is asked. */
    maxReviewRounds: z.int().min(0),
    /** Of all its runs. */
    money: z.number().min(0),
    gitSource: z.string().optional(),
  }),
  /** `takes`: the machine that it lives on has left it alone for a while, and this one may take it up. */
  fact('driver-claimed', { epoch: z.int().positive(), driver: Driver, takes: z.literal(true).optional() }),
  /** A machine has taken it up: it lives there from now on. */
  fact('place-taken', { place: Place }),
  fact('task-edited', { text: TaskText, answers }),
  fact('commented', {
    comment: z.int().min(1),
    on: CommentOn,
    /** Of the plan, or of a file of the branch. */
    line: z.int().positive().optional(),
    file: z.string().optional(),
    text: z.string().min(1),
    by: Actor,
    answers,
  }),
  fact('moved', {
    from: z.string(),
    to: z.string(),
    why: MovedBy,
    /** Who is to work there, where whoever moved it said so. */
    agent: AgentName.optional(),
    answers: answers.optional(),
  }),
  /** Its agent is told to stop. Without `answers`: the task is to be closed, which is answered after it. */
  fact('stop-noted', { by: Actor, answers: answers.optional() }),
  /** Nothing in the pipeline fits what an agent came to: a person has to see to it. */
  fact('outcome-unknown', { status: z.string(), outcome: z.string(), run: z.string() }),
  fact('phase-begun', {
    phase,
    mode: AgentMode,
    agent: AgentName,
    run: z.string(),
    given: AgentGiven,
    session: z.string().optional(),
  }),
  ...childFacts,
  fact('phase-ended', {
    phase,
    run: z.string(),
    status: z.enum(['done', 'failed', 'stopped']),
    outcome: z.string(),
    payload: AgentPayload,
    message: z.string().nullable(),
    branch: z.string().nullable(),
    worktree: z.string().nullable(),
    /** The commit that it ended with; of a review, the one that it looked at. */
    head: z.string().nullable().optional(),
    /** What an agent can go on from. */
    session: z.string().nullable(),
    rescued: z.array(z.string()),
    costUsd: z.number(),
  }),
  fact('context-added', { entry: TaskContextEntry }),
  fact('question-answered', { text: z.string(), by: Actor, answers }),
  fact('subtask-set', { index: z.int().min(0), done: z.boolean(), answers }),
  fact('merge-started', { how: MergeHow, to: pushedTo, by: Actor, answers }),
  fact('merge-finished', {
    ok: z.boolean(),
    commit: z.string().nullable(),
    code: z.string().nullable(),
    message: z.string(),
    conflicts: z.array(z.string()),
    /** The one that was opened, or found; and what was pushed for it. */
    pullRequest: z.strictObject({ url: z.string(), commit: z.string() }).optional(),
  }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

/** What a person asks of a task. */
export const TaskRequest = z.discriminatedUnion('type', [
  /** To a status that a person may move it to from where it is; with an agent to work there, where one does. */
  request('move-requested', {
    to: said('name'),
    agent: AgentName.optional(),
    reason: said('reason').optional(),
  }),
  /** Ends the agent that is at it. */
  request('stop-requested', {}),
  request('answer-given', { text: said('answer').min(1) }),
  request('comment-requested', {
    on: CommentOn,
    line: z.int().positive().optional(),
    file: said('name').optional(),
    text: said('comment').min(1),
  }),
  request('edit-requested', { text: TaskText }),
  request('subtask-requested', { index: z.int().min(0), done: z.boolean() }),
  request('merge-requested', { how: MergeHow, to: pushedTo }),
  request('close-requested', {}),
]);
export type TaskRequest = z.infer<typeof TaskRequest>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type TaskRequestBody = Without<TaskRequest, 'v' | 'at' | 'key' | 'by'>;
export const TaskRequestBody = bodiesOf(TaskRequest.options) as z.ZodType<TaskRequestBody>;

export const TaskFactEvent = z.discriminatedUnion('type', [...facts]);
export type TaskFactEvent = z.infer<typeof TaskFactEvent>;
export type TaskEvent = TaskFactEvent | TaskRequest;
export type StoredTaskEvent = Stored<TaskEvent>;
export type TaskEventOf<T extends TaskEvent['type']> = Extract<TaskEvent, { type: T }>;
export type TaskFact = Without<TaskFactEvent, 'v' | 'at'>;

const isFact = isOneOf(() => facts);
const isRequest = isOneOf(() => TaskRequest.options);
export const isKnownTaskEvent = (event: { type: string; v: number }): boolean =>
  event.v === 1 && (isFact(event) || isRequest(event));
export const isTaskRequest = (event: { type: string }): event is TaskRequest => isRequest(event);

/** An agent acts for whoever moves a task, so that is a person's to do; so is what becomes of its work. */
const scopes: Record<TaskRequest['type'], Scope> = {
  'move-requested': 'decide',
  'stop-requested': 'ask',
  'answer-given': 'decide',
  'comment-requested': 'ask',
  'edit-requested': 'decide',
  'subtask-requested': 'ask',
  'merge-requested': 'decide',
  'close-requested': 'ask',
};
export const taskScopeOf = ({ type }: { type: TaskRequest['type'] }): Scope => scopes[type];
