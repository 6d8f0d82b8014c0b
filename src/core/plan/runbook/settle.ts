import type { WorkspaceFacts } from '../validate/facts.ts';
import { leftOut, type ParsedRunbook, within } from './parse.ts';
import type { LeftOut, RunbookStep } from './steps.ts';
import { LOCKS, type Way } from './ways.ts';

type Known = RunbookStep & { way: Way };
const isKnown = (step: RunbookStep): step is Known => step.way !== undefined;

/** Where a page gives several ways to do the same, one is taken: by lock files, by what is on the machine, by their order. */
export async function settleWays(parsed: ParsedRunbook, facts: WorkspaceFacts): Promise<ParsedRunbook> {
  if (!parsed.ok) return parsed;
  const { runbook } = parsed;
  const others = new Map<RunbookStep, string>();
  for (const group of groupsOf(runbook.steps))
    for (const [step, why] of await othersIn(group, facts)) others.set(step, why);
  if (others.size === 0) return parsed;
  const steps = runbook.steps.map((step) => (others.has(step) ? { ...step, other: true as const } : step));
  const left: LeftOut[] = [...others].map(([{ step, headings, name }, why]) => ({
    why,
    mend: `\`--only ${JSON.stringify(name ?? headings.at(-1) ?? '')}\` takes it.`,
    headings,
    line: step.source?.line ?? 1,
  }));
  const included = steps.filter((step) => !step.excluded && step.other !== true);
  if (included.length === 0) {
    const source = { file: runbook.file, line: 1, col: 1 };
    const message = 'All that the page would run is for another machine than this.';
    const mend = 'Pick a heading.';
    return {
      ok: false,
      problems: [
        { code: 'no-steps', severity: 'error', message, source, mend },
        ...leftOut(left, runbook.file),
      ],
    };
  }
  return {
    ok: true,
    plan: { ...parsed.plan, steps: within(included.map(({ step }) => step)) },
    runbook: { ...runbook, steps, left: [...runbook.left, ...left] },
    warnings: [...parsed.warnings, ...leftOut(left, runbook.file)],
  };
}

const sectionOf = ({ headings }: RunbookStep) => headings.join('\n');
const parentOf = ({ headings }: RunbookStep) => headings.slice(0, -1).join('\n');

/** Ways of one family that stand beside each other: under one heading, or under headings beside each other. */
function groupsOf(steps: readonly RunbookStep[]): Known[][] {
  const groups: Known[][] = [];
  let open: Known[] | null = null;
  for (const step of steps.filter(({ excluded }) => !excluded)) {
    const last: Known | undefined = open?.at(-1);
    if (!isKnown(step)) {
      if (last === undefined || sectionOf(last) !== sectionOf(step)) open = null;
      continue;
    }
    const isBeside =
      last !== undefined &&
      last.way.family === step.way.family &&
      (sectionOf(last) === sectionOf(step) || parentOf(last) === parentOf(step));
    if (isBeside) open!.push(step);
    else groups.push((open = [step]));
  }
  return groups;
}

const keyOf = (step: Known): string =>
  `${step.way.isFor === null ? '' : sectionOf(step)} ${step.way.names.join(' ')}`;

async function othersIn(group: readonly Known[], facts: WorkspaceFacts): Promise<[RunbookStep, string][]> {
  let taken: Known | null = null;
  let best = 0;
  for (const step of group) {
    const rank = await fitOf(step.way, facts);
    if (rank > best) [taken, best] = [step, rank];
  }
  // A program that is missing can be installed; another system cannot.
  taken ??= group.find(({ way }) => way.isFor === null) ?? null;
  return group.flatMap((step): [RunbookStep, string][] => {
    if (taken !== null && keyOf(taken) === keyOf(step)) return [];
    const { isFor, names } = step.way;
    if (taken === null || (isFor !== null && taken.way.isFor !== isFor))
      return [[step, `it is for ${isFor}`]];
    if (names[0] === taken.way.names[0]) return [[step, `line ${taken.step.source?.line} does the same`]];
    return [[step, `${names[0]} is another way to do this, and ${taken.way.names[0]} was taken`]];
  });
}

const MACHINES = new Set(['linux', 'macos', 'windows', 'bsd']);

/** 2: the project says so. 1: it is there. 0: it is not. */
async function fitOf({ names }: Way, facts: WorkspaceFacts): Promise<number> {
  for (const lock of names.flatMap((name) => LOCKS[name] ?? [])) if (await facts.exists(lock)) return 2;
  for (const name of names) {
    const isThere = MACHINES.has(name)
      ? (await facts.system?.()) === name
      : ((await facts.commandExists?.(name)) ?? true);
    if (isThere) return 1;
  }
  return 0;
}
