import {
  applyPatch,
  CallOutcome,
  hashPlan,
  type ModelHop,
  type ModelName,
  type Plan,
  type PlannerCall,
  type PlanPatch,
  planningAfter,
  type RunState,
  type Step,
  sha256Hex,
} from '../contract/index.ts';
import type { DraftOutcome, PlannerAnswer } from './ports.ts';
import type { EndOf } from './work.ts';

/** Of a longer answer the journal keeps the beginning and the end. */
export const MAX_RAW = 60_000;

export interface PlannerEffect {
  call: PlannerCall;
  n: number;
  model: ModelName;
  state: RunState;
}

/** What one call of the planner came to, as facts. Pure. */
export function plannerFacts(work: PlannerEffect, answer: PlannerAnswer): EndOf<'plan'>[] {
  const { call, n, model } = work;
  const { durationMs } = answer;
  switch (answer.kind) {
    case 'failed': {
      const { why, message } = answer;
      return [{ type: 'planner-call-failed', call, n, model, why, message, durationMs }];
    }
    case 'restated':
      return [{ type: 'goal-restated', restatement: answer.text, durationMs }];
    case 'hints':
      return [{ type: 'hints-given', n, hints: answer.hints, by: 'model', durationMs }];
    case 'draft': {
      const { raw } = answer;
      const received: EndOf<'plan'> = {
        type: 'draft-received',
        n,
        by: call === 'repair' ? 'repair' : 'plan',
        model,
        raw: shortened(raw),
        length: raw.length,
        digest: sha256Hex(raw.replace(/\s+/g, ' ').trim()),
        durationMs,
      };
      return [received, ...outcomeFacts(work, answer.outcome)];
    }
  }
}

const isFast = ({ call }: PlannerEffect): boolean => call === 'restate' || call === 'reflect';

/** Without an answer of this model there is no plan: no other is left to ask. */
export const isLastHope = (work: PlannerEffect): boolean => {
  const { chain, position } = work.state.planning!;
  return !isFast(work) && position.planner >= chain.planner.length - 1;
};

/** The change of model that these facts bring with them, for whatever reason; at most one. */
export function hopsOf(work: PlannerEffect, facts: readonly EndOf<'plan'>[]): ModelHop[] {
  const role = isFast(work) ? 'fast' : 'planner';
  const planning = work.state.planning!;
  const after = planningAfter(planning, facts, work.state.epoch);
  if (after.position[role] === planning.position[role]) return [];
  const failed = facts.find((fact) => fact.type === 'planner-call-failed');
  const reason = CallOutcome.exclude(['ok']).safeParse(failed?.why);
  // A limit, or that nobody is there: then no other is asked either.
  if (failed !== undefined && !reason.success) return [];
  const rejected = after.drafts.at(-1)?.reasons[0]?.message ?? 'its drafts did not pass';
  return [
    {
      role,
      from: work.model,
      to: after.chain[role][after.position[role]] ?? null,
      reason: reason.data ?? 'rejected',
      message: failed?.message ?? rejected,
    },
  ];
}

function shortened(raw: string): string {
  if (raw.length <= MAX_RAW) return raw;
  const half = MAX_RAW / 2;
  return `${raw.slice(0, half)}\n[… ${raw.length - MAX_RAW} characters left out …]\n${raw.slice(-half)}`;
}

function outcomeFacts(work: PlannerEffect, outcome: DraftOutcome): EndOf<'plan'>[] {
  const { n, model, call } = work;
  if (outcome.is === 'unreadable') {
    const { message } = outcome;
    const reason = {
      code: 'not-json',
      message,
      hint: 'Answer with one valid JSON object in <json>…</json>.',
    };
    return call === 'repair'
      ? [{ type: 'draft-rejected', n, model, reasons: [reason] }]
      : [{ type: 'draft-unreadable', n, message }];
  }
  const { how } = outcome;
  const repaired: EndOf<'plan'>[] = how.length > 0 ? [{ type: 'draft-repaired', n, how }] : [];
  switch (outcome.is) {
    case 'rejected': {
      const { reasons, diff } = outcome;
      const changed = diff === undefined ? {} : { diff };
      return [...repaired, { type: 'draft-rejected', n, model, reasons, ...changed }];
    }
    case 'question':
      return [...repaired, { type: 'planning-question', n, question: outcome.question }];
    case 'plan':
      return [...repaired, ...planFacts(work, outcome)];
  }
}

function planFacts(
  { n, model, state }: PlannerEffect,
  { plan, proposal }: Extract<DraftOutcome, { is: 'plan' }>,
): EndOf<'plan'>[] {
  const proposed: EndOf<'plan'> = { type: 'plan-proposed', n, model, proposal };
  const { place, options } = state;
  if (state.plan === null) {
    const hash = hashPlan(plan);
    return [proposed, { type: 'plan-created', plan, hash, place, options: options! }];
  }
  const patch = rest(state, plan);
  const outcome = applyPatch(state.plan, patch);
  if ('misfit' in outcome) {
    const reason = { code: 'misfit', message: outcome.misfit, hint: 'Plan only what is left to do.' };
    return [{ type: 'draft-rejected', n, model, reasons: [reason] }];
  }
  const reason = state.planning?.feedback.at(-1)?.reason ?? 'planned again';
  const { revision } = outcome.plan;
  const hash = hashPlan(outcome.plan);
  return [proposed, { type: 'plan-revised', revision, patch, hash, reason, source: 'planner' }];
}

/** What is over stays as it is; all that is not is replaced by the new steps, under ids that no step ever had. */
function rest({ plan, steps }: RunState, fresh: Plan): PlanPatch {
  const open = steps.filter(({ status }) => status === 'pending' || status === 'failed');
  const named = (id: string) => `r${plan!.revision + 1}-${id}`;
  const inserted = fresh.steps.map(
    (step): Step => ({
      ...step,
      id: named(step.id),
      ...(step.after === undefined ? {} : { after: step.after.map(named) }),
    }),
  );
  // Inserted first: a plan is never without steps, not even half-way through a patch.
  return [
    { op: 'insert', before: null, steps: inserted },
    ...open.map(({ id }) => ({ op: 'remove', stepId: id }) as const),
  ];
}
