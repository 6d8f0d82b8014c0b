import { z } from 'zod';
import { ShownStep, Subject } from './approval.ts';
import { agentFacts } from './facts/agent.ts';
import { modelFacts } from './facts/models.ts';
import { planningFacts } from './facts/planning.ts';
import { undoFacts } from './facts/undo.ts';
import { GitSource, sourceFacts } from './git-source.ts';
import { RunOptions } from './options.ts';
import { Fetched, Mode, Plan, PlanChange } from './plan.ts';
import { RequestEvent } from './requests.ts';
import { FileChange, Grants, ProcessGroup, StepResult } from './result.ts';
import { Actor, StartedBy } from './stream/actor.ts';
import { EnvironmentDifference, GivenEnvironment, Sealed } from './stream/environment.ts';
import { answers, attempt, fact, item } from './stream/fact.ts';
import { Place } from './stream/place.ts';
import { Driver, type Stored } from './stream/state.ts';
import { Verdict, Warning } from './verdict.ts';

/** Why a run is not going on, in one word that a machine can act on. Documented in docs/stop-reasons.md. */
export const StopReason = z.enum([
  'completed',
  'completed-with-skips',
  'step-failed',
  'cancelled',
  'plan-rejected',
  'paused',
  'approval-needed',
  'approval-denied',
  'decision-needed',
  'interrupted-unknown',
  'limit-time',
  'agent-error',
  'agent-stuck',
  'agent-aborted',
  'checkpoint-failed',
  'rolled-back',
  'planning-failed',
  'source-failed',
]);
export type StopReason = z.infer<typeof StopReason>;

export const FactEvent = z.discriminatedUnion('type', [
  fact('plan-created', {
    plan: Plan,
    hash: z.string(),
    place: Place,
    /** What it was given; a plan that is made in a run adds nothing to it. */
    environment: GivenEnvironment.optional(),
    sealed: Sealed.optional(),
    options: RunOptions,
    /** Where any machine gets its folder from; its place is nowhere until one has. */
    gitSource: GitSource.optional(),
    /**
     * The run that this one comes from, and the step; `undo`: it takes back that step and all after it; `again`: it is the
     * same from the beginning.
     */
    parent: z
      .strictObject({ run: z.string(), stepId: z.string(), how: z.enum(['undo', 'again']).optional() })
      .optional(),
    /** What its plan was fetched as: the text is kept among the run's logs, by its hash. */
    fetched: Fetched.optional(),
    /** The schedule that began it, and the time that it was for. */
    scheduled: z.strictObject({ schedule: z.string(), due: z.number() }).optional(),
    answers: answers.optional(),
  }),
  fact('plan-confirmed', { revision: z.int(), approves: z.array(ShownStep).optional(), answers }),
  fact('plan-rejected', { revision: z.int(), reason: z.string().optional(), answers: answers.optional() }),
  fact('plan-revised', {
    revision: z.int(),
    patch: z.array(PlanChange),
    hash: z.string(),
    reason: z.string(),
    source: z.string(),
    /** The correction that the revision makes, or takes back. */
    correctionId: z.string().optional(),
    answers: answers.optional(),
  }),
  /** `takes`: the machine that it lives on has left it alone for a while, and this one may take it up. */
  fact('driver-claimed', {
    epoch: z.int().positive(),
    driver: Driver,
    takes: z.literal(true).optional(),
  }),
  /** The driver has another environment than the run was given. `sealed`: what it adds to what must be hidden. */
  fact('environment-differs', { ...EnvironmentDifference.shape, sealed: Sealed.optional() }),
  fact('step-offered', { stepId: z.string() }),
  fact('step-accepted', { stepId: z.string(), answers }),
  fact('step-judged', {
    verdict: Verdict,
    subject: Subject,
    fingerprint: z.string(),
    /** What the step needs and will not find, as far as a look tells. */
    warnings: z.array(Warning).optional(),
    /** What it would lack in its sandbox, as far as that is known before it is tried. */
    missing: Grants.optional(),
  }),
  fact('approval-needed', {
    approvalId: z.string(),
    verdict: Verdict,
    subject: Subject,
    fingerprint: z.string(),
    warningMessage: z.string().optional(),
  }),
  fact('approval-granted', { approvalId: z.string(), answers }),
  fact('approval-denied', {
    approvalId: z.string(),
    reason: z.string().optional(),
    answers: answers.optional(),
    /** It had been granted, and the step has not been begun since: whatever else the run was doing, it goes on with that. */
    overruled: z.literal(true).optional(),
  }),
  fact('step-started', {
    ...attempt,
    revision: z.int(),
    fingerprint: z.string(),
    cwd: z.string(),
    deadline: z.number().nullable(),
    /** Of the step as it was then; journals of before it was written down have none. */
    title: z.string().optional(),
    /** Which item of a loop. */
    item: item.optional(),
  }),
  /** The items of a loop are what its list holds now, whatever becomes of the list. */
  fact('loop-frozen', { stepId: z.string(), count: z.int().min(0) }),
  fact('item-completed', { ...attempt, item, result: StepResult, by: z.enum(['driver', 'recovery']) }),
  /** A person is to answer, or to do something by hand. */
  fact('question-asked', { stepId: z.string(), kind: z.enum(['ask', 'manual']), text: z.string() }),
  /** Which of the run's services had ended while nobody drove it. */
  fact('services-surveyed', { gone: z.array(z.string()) }),
  /** One of them is still needed: its step is begun again. */
  fact('service-missed', { stepId: z.string(), name: z.string() }),
  /** Somebody wanted them ended. `stuck`: those that could not be. */
  fact('services-stopped', { services: z.array(z.string()), stuck: z.array(z.string()).optional(), answers }),
  fact('process-spawned', {
    ...attempt,
    group: ProcessGroup,
    /** Whether `expects` held just before the attempt; null where it cannot be checked. */
    heldBefore: z.boolean().nullable(),
  }),
  /** It goes on listening on ports: it is a server, and will not end by itself. */
  fact('step-listens', { ...attempt, ports: z.array(z.int()) }),
  fact('change-prepared', { ...attempt, changes: z.array(FileChange) }),
  fact('step-completed', {
    ...attempt,
    result: StepResult,
    by: z.enum(['driver', 'person', 'recovery']),
    answers: answers.optional(),
  }),
  /** `title`: of a step that never began, which nothing else has named. */
  fact('step-failed', { ...attempt, result: StepResult, title: z.string().optional() }),
  /** Its plan has it attempted again: the failure before does not count. With `notBefore`, after a while. */
  fact('step-retried', {
    ...attempt,
    /** Which of them, from 1, and how many there may be. */
    retry: z.int().positive(),
    times: z.int().positive(),
    notBefore: z.number().optional(),
  }),
  fact('step-interrupted', {
    ...attempt,
    finding: z.enum(['not-started', 'unknown']),
    detail: z.string(),
    /** The machine that it was begun on, where that is another. */
    host: z.string().optional(),
  }),
  /** The question is put to a person; without it an unknown step is resolved by the run's own option. */
  fact('interrupt-asked', { ...attempt, detail: z.string() }),
  fact('interrupt-resolved', {
    ...attempt,
    decision: z.enum(['rerun', 'skip', 'done']),
    /** What it was decided about is one item of a loop, not the whole step. */
    item: z.literal(true).optional(),
    answers: answers.optional(),
  }),
  fact('step-skipped', {
    stepId: z.string(),
    reason: z.enum(['requested', 'dependency', 'interrupted', 'declined', 'corrected']),
    detail: z.string().optional(),
    answers: answers.optional(),
  }),
  fact('step-reset', { stepId: z.string(), grants: Grants.optional(), answers }),
  fact('mode-changed', {
    mode: Mode,
    answers,
    /** The plan was agreed on step by step: agreeing on all of a later one takes it back. */
    stepByStep: z.literal(true).optional(),
  }),
  fact('run-paused', {
    reason: StopReason,
    message: z.string().optional(),
    until: z.number().optional(),
    answers: answers.optional(),
  }),
  /** `planning`: what goes on is the making of its plan. */
  fact('run-resumed', {
    options: RunOptions,
    planning: z.literal(true).optional(),
    answers: answers.optional(),
  }),
  fact('processes-released', { groups: z.array(ProcessGroup), services: z.array(z.string()) }),
  fact('run-finished', {
    outcome: z.enum(['done', 'failed', 'cancelled']),
    reason: StopReason,
    message: z.string().optional(),
    answers: answers.optional(),
  }),
  fact('request-refused', { answers, code: z.string(), message: z.string() }),
  /** Written by a door, once for each process group and what it asked: what a run started may look, and nothing else. */
  fact('refused-at-door', { by: Actor, asked: z.string(), from: StartedBy, message: z.string() }),
  ...agentFacts,
  ...modelFacts,
  ...undoFacts,
  ...planningFacts,
  ...sourceFacts,
]);
export type FactEvent = z.infer<typeof FactEvent>;

export const RunEvent = z.union([FactEvent, RequestEvent]);
export type RunEvent = z.infer<typeof RunEvent>;
export type EventType = RunEvent['type'];
export type EventOf<T extends EventType> = Extract<RunEvent, { type: T }>;

/** A fact before the driver has given it its time. */
type Distribute<T> = T extends unknown ? Omit<T, 'v' | 'at'> : never;
export type FactBody = Distribute<FactEvent>;

export const eventTypes: readonly EventType[] = [
  ...FactEvent.options.map((option) => option.shape.type.value),
  ...RequestEvent.options.map((option) => option.shape.type.value),
];

/** An event of a run at its place in its stream, unless another kind's is meant. */
export type StoredEvent<E = RunEvent> = Stored<E>;
