import { z } from 'zod';
import { Subject } from '../approval.ts';
import { modelFacts } from '../facts/models.ts';
import { bodiesOf, request } from '../requests.ts';
import { ProcessGroup } from '../result.ts';
import { Actor, type Scope, StartedBy } from '../stream/actor.ts';
import { answers, fact, isOneOf } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';
import { Driver, type Stored } from '../stream/state.ts';
import { RiskLevel, Verdict } from '../verdict.ts';
import { AgentGiven, RelatedTask } from './given.ts';
import { AgentMode, AgentPayload, TaskContextEntry } from './modes.ts';
import { AgentName } from './project.ts';
import { TaskKind } from './task-facts.ts';

/** What an agent is told about the task: enough to build its prompt anew. */
export const Brief = z.strictObject({
  title: z.string(),
  description: z.string(),
  kind: TaskKind,
  subtasks: z.array(z.strictObject({ title: z.string(), done: z.boolean() })),
  plan: z.string().nullable(),
  planComments: z.array(z.string()),
  /** What is to be changed: of the last review, and of people. */
  reviewComments: z.array(z.string()),
  /** It was reviewed before, so many times. */
  reviewRounds: z.int().min(0),
  related: RelatedTask.nullable(),
  /** What it asked before, and what it was told. */
  answers: z.array(z.strictObject({ question: z.string(), text: z.string() })),
  context: z.array(TaskContextEntry),
});
export type Brief = z.infer<typeof Brief>;

/** One command of a validation, or of setting up. */
export const CheckResult = z.strictObject({
  command: z.string(),
  exitCode: z.int().nullable(),
  tail: z.string(),
  durationMs: z.number(),
});
export type CheckResult = z.infer<typeof CheckResult>;

export const AgentRunStatus = z.enum(['done', 'failed', 'stopped']);

const attempt = z.int().min(1);

const facts = [
  fact('agent-run-begun', {
    run: z.string(),
    task: z.string(),
    project: z.string(),
    place: Place,
    mode: AgentMode,
    agent: AgentName,
    given: AgentGiven,
    brief: Brief,
    /** What the agent is to go on from. */
    session: z.string().optional(),
  }),
  /** `takes`: the machine that it lives on has left it alone for a while, and this one may take it up. */
  fact('driver-claimed', { epoch: z.int().positive(), driver: Driver, takes: z.literal(true).optional() }),
  /** A machine has taken it up: it lives there from now on. */
  fact('place-taken', { place: Place }),
  /** All that may work at once are at work: it waits for its turn. */
  fact('agent-queued', { until: z.number(), why: z.string() }),
  fact('agent-admitted', {}),
  /** The intent of preparing it: from here on it has to be let go of. */
  fact('worktree-wanted', {}),
  fact('worktree-prepared', {
    path: z.string(),
    branch: z.string(),
    /** The commit that the work is compared with. */
    base: z.string(),
    head: z.string(),
    isNew: z.boolean(),
    /** The ref that uncommitted changes were kept under before they were cleaned away. */
    rescued: z.string().nullable(),
    /** What could not be done and does not matter that much: the rebase, the fetch. */
    warnings: z.array(z.string()),
  }),
  fact('worktree-failed', { code: z.string(), message: z.string() }),
  fact('setup-finished', { ok: z.boolean(), results: z.array(CheckResult) }),
  fact('prompt-built', {
    text: z.string(),
    from: z.enum(['template', 'built-in']),
    /** Why the template was not taken. */
    warning: z.string().nullable(),
  }),
  /** The intent of one performance. `errors`: what the one before left that did not pass. */
  fact('agent-started', { attempt, errors: z.string().nullable() }),
  /** Of the agent itself, or of a command that Planwright runs for it. */
  fact('process-spawned', { attempt, group: ProcessGroup }),
  /** What the agent can be gone on with. */
  fact('session-named', { attempt, session: z.string() }),
  fact('agent-noted', { attempt, text: z.string() }),
  ...modelFacts,
  fact('approval-needed', {
    approvalId: z.string(),
    attempt,
    verdict: Verdict,
    subject: Subject,
    fingerprint: z.string(),
  }),
  fact('approval-granted', { approvalId: z.string(), answers }),
  fact('approval-denied', {
    approvalId: z.string(),
    reason: z.string().optional(),
    answers: answers.optional(),
  }),
  /** What became of something that the agent wants to do and that is not safe: written before it is told. */
  fact('call-decided', {
    attempt,
    title: z.string(),
    level: RiskLevel,
    allowed: z.boolean(),
    /** Why it is not. */
    why: z.string().nullable(),
  }),
  fact('agent-finished', {
    attempt,
    exitCode: z.int(),
    outcome: z.string(),
    payload: AgentPayload,
    /** Why it did not come to its own end. */
    why: z.enum(['timeout', 'stopped', 'limit', 'error', 'unavailable']).nullable(),
    message: z.string().nullable(),
    turns: z.int().min(0),
    costUsd: z.number().min(0),
    tokens: z.int().min(0),
  }),
  /** Its driver was gone, and the process with it. */
  fact('agent-interrupted', { attempt, detail: z.string() }),
  /** The intent of validating: that the agent has finished is written with it, however long this takes. */
  fact('validation-started', { attempt }),
  fact('validation-finished', { attempt, ok: z.boolean(), results: z.array(CheckResult) }),
  /** What the branch has that its base has not. */
  fact('changes-found', {
    commits: z.int().min(0),
    files: z.int().min(0),
    /** Refs that moved and were not its own: put back. */
    foreign: z.array(z.string()),
    /** Where the branch is then. */
    head: z.string().nullable().optional(),
  }),
  /** The intent of letting go of it: all that it came to is written before anybody else may have it. */
  fact('release-started', {}),
  fact('worktree-released', {
    /** The commit of its branch that others can have. */
    pushed: z.string().optional(),
    /** What was not committed, for whoever goes on elsewhere: the name of its bytes, and the commit in them. */
    left: z.strictObject({ parcel: z.string(), commit: z.string() }).optional(),
    warnings: z.array(z.string()).optional(),
  }),
  fact('agent-run-ended', {
    status: AgentRunStatus,
    outcome: z.string(),
    payload: AgentPayload,
    exitCode: z.int(),
    message: z.string().nullable(),
  }),
  fact('stop-noted', { by: Actor, answers }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
] as const;

export const AgentRequest = z.discriminatedUnion('type', [
  request('stop-requested', {}),
  request('approval-decided', {
    approvalId: z.string(),
    decision: z.enum(['approve', 'deny']),
    reason: z.string().optional(),
  }),
]);
export type AgentRequest = z.infer<typeof AgentRequest>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
export type AgentRequestBody = Without<AgentRequest, 'v' | 'at' | 'key' | 'by'>;
export const AgentRequestBody = bodiesOf(AgentRequest.options) as z.ZodType<AgentRequestBody>;

export const AgentFactEvent = z.discriminatedUnion('type', [...facts]);
export type AgentFactEvent = z.infer<typeof AgentFactEvent>;
export type AgentEvent = AgentFactEvent | AgentRequest;
export type StoredAgentEvent = Stored<AgentEvent>;
export type AgentEventOf<T extends AgentEvent['type']> = Extract<AgentEvent, { type: T }>;
export type AgentFact = Without<AgentFactEvent, 'v' | 'at'>;

const isFact = isOneOf(() => facts);
const isRequest = isOneOf(() => AgentRequest.options);
export const isKnownAgentEvent = (event: { type: string; v: number }): boolean =>
  event.v === 1 && (isFact(event) || isRequest(event));
export const isAgentRequest = (event: { type: string }): event is AgentRequest => isRequest(event);

const scopes: Record<AgentRequest['type'], Scope> = {
  'stop-requested': 'ask',
  'approval-decided': 'decide',
};
export const agentScopeOf = ({ type }: { type: AgentRequest['type'] }): Scope => scopes[type];
