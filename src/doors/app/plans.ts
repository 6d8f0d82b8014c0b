import { readFileSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Plan } from '../../core/contract/index.ts';
import {
  type Problem,
  parsePlanFile,
  parseRunbook,
  selectByHeading,
  validatePlan,
} from '../../core/plan/index.ts';
import { findSecretLiteral } from '../../core/risk/index.ts';
import { AppError } from './errors.ts';
import { workspaceFacts } from './facts.ts';
import type { Env } from './places.ts';

/** A plan with what may be said against it, or only that. `problems` of a plan are warnings. */
export type LoadedPlan = { ok: true; plan: Plan; problems: Problem[] } | { ok: false; problems: Problem[] };

export interface PlanSource {
  path: string;
  cwd: string;
  /** The folder that the plan would run in: it is checked against what is there. */
  workspace: string;
  env: Env;
  /** Of a runbook: the heading or block to take. */
  only?: string | undefined;
}

/** A plan file is refused unread beyond this: ten times what the largest sensible plan needs. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Reads and checks a plan file or a runbook. Throws an AppError where there is none to read; problems are data. */
export async function loadPlan(source: PlanSource): Promise<LoadedPlan> {
  const { path, only } = source;
  const bytes = readBytes(resolve(source.cwd, path), path);
  return check(parse(bytes, { name: path, kind: isRunbook(path) ? 'runbook' : 'plan', only }), source);
}

export interface GivenText {
  text: string;
  kind: 'plan' | 'runbook';
  /** Shown where a line is pointed at. */
  name: string;
  only?: string | undefined;
}

/** The same for a text that came from elsewhere than a file. */
export const readPlanText = (given: GivenText, place: Pick<PlanSource, 'workspace' | 'env'>) =>
  check(parse(new TextEncoder().encode(given.text), given), place);

/** The same for a plan that is data already. */
export const checkPlan = (plan: Plan, place: Pick<PlanSource, 'workspace' | 'env'>) =>
  check({ ok: true, plan, problems: [] }, place);

async function check(parsed: LoadedPlan, source: Pick<PlanSource, 'workspace' | 'env'>): Promise<LoadedPlan> {
  if (!parsed.ok) return parsed;
  const facts = workspaceFacts(source.workspace, source.env);
  const found = await validatePlan(parsed.plan, facts, { findSecret: findSecretLiteral });
  const problems = [...parsed.problems, ...found];
  const isFit = problems.every(({ severity }) => severity === 'warning');
  return isFit ? { ok: true, plan: parsed.plan, problems } : { ok: false, problems };
}

export const isRunbook = (path: string): boolean =>
  ['.md', '.markdown'].includes(extname(path).toLowerCase());

function parse(bytes: Uint8Array, { name, kind, only }: Omit<GivenText, 'text'>): LoadedPlan {
  if (kind === 'plan') {
    const parsed = parsePlanFile(bytes, { file: name });
    return parsed.ok ? { ...parsed, problems: [] } : parsed;
  }
  const parsed = parseRunbook(bytes, { file: name });
  if (!parsed.ok) return parsed;
  const { plan, runbook, warnings } = parsed;
  if (only === undefined) return { ok: true, plan, problems: warnings };
  const selected = selectByHeading(runbook, only);
  return selected.ok
    ? { ok: true, plan: selected.plan, problems: warnings }
    : { ok: false, problems: [selected.problem] };
}

function readBytes(path: string, named: string): Uint8Array {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new AppError('file-missing', `there is no file ${named}`);
  if (!stat.isFile()) {
    throw new AppError('file-unreadable', `${named} is not a file that a plan can be read from`);
  }
  if (stat.size > MAX_BYTES) throw new AppError('file-unreadable', `${named} is too large for a plan`);
  try {
    return readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('file-unreadable', `${named} cannot be read: ${why}`, { cause: error });
  }
}

/** The step that a person names: by number (from 1), by id, or by title. */
export function findStep(plan: Plan, named: string): number {
  const number = /^\d+$/.test(named) ? Number(named) - 1 : -1;
  if (plan.steps[number] !== undefined) return number;
  const wanted = named.toLowerCase();
  const exact = plan.steps.findIndex((step) => step.id === named || step.title.toLowerCase() === wanted);
  if (exact >= 0) return exact;
  const near = plan.steps.flatMap((step, index) =>
    step.title.toLowerCase().includes(wanted) ? [index] : [],
  );
  if (near.length === 1) return near[0]!;
  const why = near.length > 1 ? `${near.length} steps match` : 'there is no step';
  throw new AppError('no-such-step', `${why} ${JSON.stringify(named)}: name it by its number, id or title`);
}

/** The ids that `--from` and `--only` leave out. */
export function excludedSteps(plan: Plan, choice: { from?: string; only?: string[] }): string[] {
  const from = choice.from === undefined ? 0 : findStep(plan, choice.from);
  const only = choice.only?.length ? new Set(choice.only.map((named) => findStep(plan, named))) : null;
  return plan.steps.flatMap((step, index) => (index < from || (only && !only.has(index)) ? [step.id] : []));
}
