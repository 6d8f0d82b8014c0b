import type { ActionKind, Plan, RejectionReason, Verdict } from '../../core/contract/index.ts';
import type { Problem } from '../../core/plan/index.ts';
import { type FindSecret, validatePlan, type WorkspaceFacts } from '../../core/plan/validate/index.ts';
import { type JudgeContext, judgeInTurn } from '../../core/risk/index.ts';

export interface CheckOptions {
  facts?: WorkspaceFacts | undefined;
  findSecret?: FindSecret | undefined;
  allowedActions?: readonly ActionKind[] | undefined;
  /** Where it would run, for judging. */
  place?: JudgeContext;
}

export interface Checked {
  /** Any of these, and the draft is rejected. */
  errors: RejectionReason[];
  warnings: RejectionReason[];
  verdicts: Verdict[];
}

/** A rejection longer than this helps neither a model nor a person. */
const MAX_REASONS = 25;

/** All that plan validation says, and the risk of every step: what is blocked is not proposed to anybody. */
export async function checkDraft(plan: Plan, options: CheckOptions = {}): Promise<Checked> {
  const { facts, findSecret, allowedActions, place } = options;
  const problems = await validatePlan(plan, facts, {
    ...(findSecret === undefined ? {} : { findSecret }),
    ...(allowedActions === undefined ? {} : { allowedActions }),
  });
  const numbers = new Map(plan.steps.map(({ id }, index) => [id, index + 1]));
  const reasons = (severity: Problem['severity']) =>
    problems.filter((each) => each.severity === severity).map((problem) => reasonOf(problem, numbers));
  const verdicts = judgeInTurn(plan.steps, { ...place, shell: plan.shell });
  const blocked = verdicts.flatMap((verdict, index) => blockedReason(verdict, index + 1));
  return {
    errors: [...reasons('error'), ...blocked].slice(0, MAX_REASONS),
    warnings: reasons('warning').slice(0, MAX_REASONS),
    verdicts,
  };
}

/** A planner cannot mark a step as interactive, so it is not told that it could. */
const forPlanner = (mend: string) => mend.replace(/ ?Or mark the step `interactive: true`\.$/, '');

function reasonOf(
  { code, message, mend, step }: Problem,
  numbers: ReadonlyMap<string, number>,
): RejectionReason {
  const number = step === undefined ? undefined : numbers.get(step);
  return { code, ...(number === undefined ? {} : { step: number }), message, hint: forPlanner(mend) };
}

function blockedReason({ level, reasons }: Verdict, step: number): RejectionReason[] {
  if (level !== 'blocked') return [];
  const sentence = reasons.find((each) => each.level === 'blocked')?.sentence ?? 'It is never run.';
  const message = `Step ${step}: it is blocked. ${sentence}`;
  return [{ code: 'blocked', step, message, hint: 'Reach the goal without it.' }];
}
