import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { Plan } from '../../core/contract/index.ts';
import { parsePlanFile } from '../../core/plan/file/index.ts';
import type { Problem } from '../../core/plan/index.ts';
import { validatePlan, type WorkspaceFacts } from '../../core/plan/validate/index.ts';
import { findSecretLiteral } from '../../core/risk/secrets/index.ts';
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
  /** Of a runbook: a person sits at a terminal, and steps that want one get it. */
  terminal?: boolean;
}

/** A plan file is refused unread beyond this: ten times what the largest sensible plan needs. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Reads and checks a plan file or a runbook. Throws an AppError where there is none to read; problems are data. */
export async function loadPlan(source: PlanSource): Promise<LoadedPlan> {
  const { path, only, terminal = false } = source;
  const bytes = readBytes(resolve(source.cwd, path), path);
  return check(
    await parse(
      bytes,
      { name: path, kind: isRunbook(path) ? 'runbook' : 'plan', only, terminal },
      workspaceFacts(source.workspace, source.env),
    ),
    source,
  );
}

export interface GivenText {
  text: string;
  kind: 'plan' | 'runbook';
  /** Shown where a line is pointed at. */
  name: string;
  only?: string | undefined;
  terminal?: boolean;
}

/** The same for a text that came from elsewhere than a file. */
export const readPlanText = async (given: GivenText, place: Pick<PlanSource, 'workspace' | 'env'>) =>
  check(
    await parse(new TextEncoder().encode(given.text), given, workspaceFacts(place.workspace, place.env)),
    place,
  );

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

/** What a folder's own plan is called, the first that is there. */
export const usualPlans = ['plan.yaml', 'plan.yml', 'plan.json', 'RUNBOOK.md', 'README.md'];
export const usualPlan = (folder: string): string | null =>
  usualPlans.find((name) => existsSync(join(folder, name))) ?? null;

export const isRunbook = (path: string): boolean =>
  ['.md', '.markdown'].includes(extname(path).toLowerCase());

async function parse(
  bytes: Uint8Array,
  { name, kind, only, terminal }: Omit<GivenText, 'text'>,
  facts: WorkspaceFacts,
): Promise<LoadedPlan> {
  if (kind === 'plan') {
    const parsed = parsePlanFile(bytes, { file: name });
    return parsed.ok ? { ...parsed, problems: [] } : parsed;
  }
  const { parseRunbook, selectByHeading, settleWays } = await import('../../core/plan/runbook/index.ts');
  const read = parseRunbook(bytes, { file: name, terminal: terminal ?? false });
  const parsed = await settleWays(read, facts);
  if (!parsed.ok) return parsed;
  const { plan, runbook, warnings } = parsed;
  if (only === undefined) return { ok: true, plan, problems: warnings };
  const selected = selectByHeading(runbook, only);
  return selected.ok
    ? {
        ok: true,
        plan: selected.plan,
        problems: [...warnings.filter(({ code }) => code !== 'left-out'), ...selected.warnings],
      }
    : { ok: false, problems: [selected.problem] };
}

/** Throws an AppError for what cannot even be looked at: a loop of links, a folder that may not be entered. */
function statOf(path: string, named: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('file-unreadable', `${named} cannot be read: ${why}`, { cause: error });
  }
}

function readBytes(path: string, named: string): Uint8Array {
  const stat = statOf(path, named);
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
