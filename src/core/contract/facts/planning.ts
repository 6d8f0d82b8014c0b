import { z } from 'zod';
import { ModelName } from '../models.ts';
import { RunOptions } from '../options.ts';
import { Shell } from '../plan.ts';
import { GivenEnvironment, Sealed } from '../stream/environment.ts';
import { answers, fact } from '../stream/fact.ts';
import { Place } from '../stream/place.ts';

/** What a planner asks a model for: one call is one effect of the run. */
export const PlannerCall = z.enum(['restate', 'plan', 'repair', 'reflect']);
export type PlannerCall = z.infer<typeof PlannerCall>;

/** The models that may be asked, best first, as they were configured when the goal was given. */
export const PlannerChain = z.strictObject({ planner: z.array(ModelName), fast: z.array(ModelName) });
export type PlannerChain = z.infer<typeof PlannerChain>;

/** Why a draft was rejected: what is wrong with which step, and how to mend it. */
export const RejectionReason = z.strictObject({
  code: z.string(),
  /** Counts from 1, as the planner numbers its steps; absent where it is about the whole draft. */
  step: z.int().min(1).optional(),
  message: z.string(),
  hint: z.string(),
});
export type RejectionReason = z.infer<typeof RejectionReason>;

/** One thing that made a plan less sure, and by how much. */
export const Doubt = z.strictObject({ why: z.string(), cost: z.number().min(0) });
export type Doubt = z.infer<typeof Doubt>;

/** What a person is shown beside the steps of a planned plan. */
export const Proposal = z.strictObject({
  summary: z.string(),
  reflection: z.string(),
  confidence: z.strictObject({ score: z.number().min(0).max(1), doubts: z.array(Doubt) }),
  /** Null where nothing like it has been run before. */
  estimateMs: z.number().min(0).nullable(),
  /** What a step took when it was done before, by its id. */
  took: z.record(z.string(), z.number().min(0)).optional(),
  warnings: z.array(RejectionReason),
  /** What changed since the draft before, for `--verbose`. */
  diff: z.string().optional(),
});
export type Proposal = z.infer<typeof Proposal>;

/** Why no plan came of it. */
export const PlanningCause = z.enum(['no-model', 'chain-exhausted', 'too-many-drafts', 'limit']);
export type PlanningCause = z.infer<typeof PlanningCause>;

const draft = { n: z.int().min(1) };

export const planningFacts = [
  /** The other way in which a run begins: its plan is still to be made. */
  fact('goal-given', {
    goal: z.string().min(1),
    place: Place,
    environment: GivenEnvironment.optional(),
    sealed: Sealed.optional(),
    options: RunOptions,
    chain: PlannerChain,
    /** What the plan is to be written in; bash where it is not said. */
    shell: Shell.optional(),
    /** Whoever gave the goal stays to agree on its plan: it is not declined for want of somebody. */
    attended: z.literal(true).optional(),
    /** The stream that waits for its end: where no plan comes of it, it ends and waits for nobody. */
    awaitedBy: z.string().optional(),
  }),
  /** The intent of one model call. A call that no outcome follows was interrupted, and is not silently repeated. */
  fact('planner-called', { ...draft, call: PlannerCall, model: ModelName }),
  fact('planner-call-failed', {
    ...draft,
    call: PlannerCall,
    model: ModelName,
    why: z.string(),
    message: z.string(),
    durationMs: z.number().min(0),
  }),
  /** Null: planning goes on without it, and `message` says why. */
  fact('goal-restated', {
    restatement: z.string().nullable(),
    durationMs: z.number().min(0),
    message: z.string().optional(),
  }),
  fact('draft-received', {
    ...draft,
    by: z.enum(['plan', 'repair']),
    model: ModelName,
    /** At most MAX_RAW characters; of a longer one the beginning and the end. */
    raw: z.string(),
    length: z.int().min(0),
    digest: z.string(),
    durationMs: z.number().min(0),
  }),
  /** It is no JSON, and could not be made into any: the model is asked once to write it again. */
  fact('draft-unreadable', { ...draft, message: z.string() }),
  fact('draft-repaired', { ...draft, how: z.array(z.string()) }),
  fact('draft-rejected', {
    ...draft,
    model: ModelName,
    reasons: z.array(RejectionReason).min(1),
    /** What changed since the draft before, for `--verbose`. */
    diff: z.string().optional(),
  }),
  fact('hints-given', {
    ...draft,
    hints: z.array(z.string()),
    /** `rules` where no fast model answered: the mends of the rejection itself. */
    by: z.enum(['model', 'rules']),
    durationMs: z.number().min(0),
    message: z.string().optional(),
  }),
  fact('planning-question', { ...draft, question: z.string() }),
  /** Null: nobody was there to answer, and the planner is told so. */
  fact('planning-answered', { value: z.string().nullable(), answers: answers.optional() }),
  /** A draft passed. `plan-created` follows, or `plan-revised` where a run is planned again. */
  fact('plan-proposed', { ...draft, model: ModelName, proposal: Proposal }),
  /** A person declined a step: what is left of the plan is planned again. */
  fact('feedback-given', { stepId: z.string(), step: z.string(), reason: z.string(), answers }),
  fact('planning-failed', {
    cause: PlanningCause,
    message: z.string(),
    /** The draft with the fewest problems, for a person to mend by hand. */
    best: z.int().min(1).nullable(),
    problems: z.array(RejectionReason),
  }),
] as const;

export type PlanningFact = z.infer<(typeof planningFacts)[number]>;
/** Apart from the schemas, which whoever only folds need not have. */
const types: Record<PlanningFact['type'], true> = {
  'goal-given': true,
  'planner-called': true,
  'planner-call-failed': true,
  'goal-restated': true,
  'draft-received': true,
  'draft-unreadable': true,
  'draft-repaired': true,
  'draft-rejected': true,
  'hints-given': true,
  'planning-question': true,
  'planning-answered': true,
  'plan-proposed': true,
  'feedback-given': true,
  'planning-failed': true,
};
export const isPlanningFact = (event: { type: string }): event is PlanningFact =>
  Object.hasOwn(types, event.type);
