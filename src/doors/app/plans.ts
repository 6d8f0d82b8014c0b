import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { Plan } from '../../core/contract/index.ts';
import { parsePlanFile } from '../../core/plan/file/index.ts';
import type { Problem } from '../../core/plan/index.ts';
import type { PickWay } from '../../core/plan/runbook/index.ts';
import { validatePlan, type WorkspaceFacts } from '../../core/plan/validate/index.ts';
import { findSecretLiteral } from '../../core/risk/secrets/index.ts';
import { workspaceFacts } from './facts.ts';
import type { Env } from './places.ts';

/** A plan with what may be said against it, or only that. `problems` of a plan are warnings. */
export type LoadedPlan = { ok: true; plan: Plan; problems: Problem[] } | { ok: false; problems: Problem[] };

/** Of a runbook that could be read: the headings that it can be run by. */
type WithParts = LoadedPlan & { parts?: string[] };

export interface PlanSource {
  path: string;
  /** That of this process where it is left out. */
  cwd?: string;
  /** The folder that the plan would run in: it is checked against what is there. `cwd` where it is left out. */
  workspace?: string;
  env?: Env;
  /** Of a runbook: the heading or block to take. */
  only?: string | undefined;
  /** Of a runbook: a person sits at a terminal, and steps that want one get it. */
  terminal?: boolean;
  /** Of a runbook: asks a person which of several ways to take; left out, the first that fits is. */
  pickWay?: PickWay | undefined;
}

/** A plan file is refused unread beyond this: ten times what the largest sensible plan needs. */
const MAX_BYTES = 100 * 1024 * 1024;

/** Reads and checks a plan file or a runbook. Never throws: a file that cannot be read is a problem like any other. */
export async function loadPlan(source: PlanSource): Promise<LoadedPlan> {
  const { path, only, terminal = false, pickWay, cwd = process.cwd(), env = process.env } = source;
  const bytes = readBytes(resolve(cwd, path), path);
  if ('code' in bytes) return { ok: false, problems: [bytes] };
  const place = { workspace: resolve(cwd, source.workspace ?? '.'), env };
  const kind = isRunbook(path) ? 'runbook' : 'plan';
  const facts = workspaceFacts(place.workspace, env);
  return check(await parse(bytes, { name: path, kind, only, terminal, pickWay }, facts), place);
}

/** Where a plan would run. */
type PlanPlace = Required<Pick<PlanSource, 'workspace' | 'env'>>;

export interface GivenText {
  text: string;
  kind: 'plan' | 'runbook';
  /** Shown where a line is pointed at. */
  name: string;
  only?: string | undefined;
  terminal?: boolean;
  pickWay?: PickWay | undefined;
}

/** The same for a text that came from elsewhere than a file. */
export async function readPlanText(given: GivenText, place: PlanPlace): Promise<WithParts> {
  const facts = workspaceFacts(place.workspace, place.env);
  const parsed = await parse(new TextEncoder().encode(given.text), given, facts);
  const { parts } = parsed;
  return { ...(await check(parsed, place)), ...(parts === undefined ? {} : { parts }) };
}

/** The same for a plan that is data already. */
export const checkPlan = (plan: Plan, place: PlanPlace) => check({ ok: true, plan, problems: [] }, place);

async function check(parsed: LoadedPlan, source: PlanPlace): Promise<LoadedPlan> {
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
  { name, kind, only, terminal, pickWay }: Omit<GivenText, 'text'>,
  facts: WorkspaceFacts,
): Promise<WithParts> {
  if (kind === 'plan') {
    const parsed = parsePlanFile(bytes, { file: name });
    return parsed.ok ? { ...parsed, problems: [] } : parsed;
  }
  const { parseRunbook, partsOf, selectByHeading, settleWays } = await import(
    '../../core/plan/runbook/index.ts'
  );
  const read = parseRunbook(bytes, { file: name, terminal: terminal ?? false });
  // Whoever named one has picked.
  const parsed = await settleWays(read, facts, only === undefined ? pickWay : undefined);
  if (!parsed.ok) return parsed;
  const { plan, runbook, warnings } = parsed;
  const parts = partsOf(runbook);
  if (only === undefined) return { ok: true, plan, problems: warnings, parts };
  const selected = selectByHeading(runbook, only);
  return selected.ok
    ? {
        ok: true,
        plan: selected.plan,
        problems: [...warnings.filter(({ code }) => code !== 'left-out'), ...selected.warnings],
        parts,
      }
    : { ok: false, problems: [selected.problem], parts };
}

function readBytes(path: string, named: string): Uint8Array | Problem {
  let stat: Stats | undefined;
  try {
    stat = statSync(path, { throwIfNoEntry: false });
  } catch {
    return unreadable('file-unreadable', `${named} cannot be followed to a file.`, 'See where it leads.');
  }
  if (stat === undefined) return unreadable('file-missing', `there is no file ${named}.`, 'Check its name.');
  if (!stat.isFile())
    return unreadable(
      'file-unreadable',
      `${named} is not a file that a plan can be read from.`,
      'Name a file.',
    );
  if (stat.size > MAX_BYTES)
    return unreadable('file-too-large', `${named} is too large for a plan.`, 'Divide it.');
  try {
    return readFileSync(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return unreadable('file-unreadable', `${named} cannot be read: ${why}.`, 'See who may read it.');
  }
}

const unreadable = (code: Problem['code'], message: string, mend: string): Problem => ({
  code,
  severity: 'error',
  message,
  mend,
});

/** A fence at the beginning of a line is in no plan file. */
export const kindOfText = (text: string): GivenText['kind'] =>
  /^(```|~~~)/m.test(text) ? 'runbook' : 'plan';

/** A goal is words; a file is a name that is there, or looks like one. */
export const isGoal = (text: string): boolean => /\s/.test(text.trim()) && !isPlanName(text);

/** By its name it is a plan file or a page. */
export const isPlanName = (text: string): boolean => /\.(?:ya?ml|json|md|markdown)$/i.test(text);
