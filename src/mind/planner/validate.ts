import {
  type ActionKind,
  innermost,
  type Plan,
  type RejectionReason,
  readMcpName,
  type Verdict,
} from '../../core/contract/index.ts';
import type { Problem } from '../../core/plan/index.ts';
import { type FindSecret, validatePlan, type WorkspaceFacts } from '../../core/plan/validate/index.ts';
import { type JudgeContext, judgeInTurn } from '../../core/risk/index.ts';
import type { PlannedTool } from './port.ts';

export interface CheckOptions {
  facts?: WorkspaceFacts | undefined;
  findSecret?: FindSecret | undefined;
  allowedActions?: readonly ActionKind[] | undefined;
  /** Tools that there are; a call of any other is none. Left out: those of ours. */
  tools?: readonly PlannedTool[] | undefined;
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
  const { facts, findSecret, allowedActions, tools, place } = options;
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
    errors: [...reasons('error'), ...(tools === undefined ? [] : toolReasons(plan, tools)), ...blocked].slice(
      0,
      MAX_REASONS,
    ),
    warnings: reasons('warning').slice(0, MAX_REASONS),
    verdicts,
  };
}

/** Of servers nobody knows here what they have: they say it, and what each tool must be given. */
function toolReasons({ steps }: Plan, tools: readonly PlannedTool[]): RejectionReason[] {
  return steps.flatMap(({ action }, index) => {
    const call = innermost(action);
    if (call.kind !== 'call-tool' || readMcpName(call.tool) === null) return [];
    const step = index + 1;
    const known = tools.find(({ name }) => name === call.tool);
    if (known === undefined) {
      const message = `Step ${step}: there is no tool \`${call.tool}\`.`;
      return [{ code: 'tool-unknown', step, message, hint: 'Call one of the tools that are listed.' }];
    }
    const { required } = known.parameters as { required?: unknown };
    const missing = (Array.isArray(required) ? required : []).filter((name) => !(String(name) in call.args));
    if (missing.length === 0) return [];
    const message = `Step ${step}: \`${call.tool}\` needs ${missing.join(', ')}.`;
    return [{ code: 'tool-arguments', step, message, hint: 'Give the arguments that it takes.' }];
  });
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
