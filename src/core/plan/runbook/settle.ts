import { shellText } from '../../contract/index.ts';
import type { WorkspaceFacts } from '../validate/facts.ts';
import { leftOut, type ParsedRunbook, within } from './parse.ts';
import type { LeftOut, RunbookStep } from './steps.ts';
import { ANY_SYSTEM, LOCKS, type Way } from './ways.ts';

type Known = RunbookStep & { way: Way };
const isKnown = (step: RunbookStep): step is Known => step.way !== undefined;

/** One of the ways that would do here, as a person is asked for it. */
export interface WayHere {
  /** The program, or the system that it is for. */
  name: string;
  /** What would run first. */
  text: string;
  line: number;
}

/** Asks a person which of several ways to take; null where they do not mind. */
export type PickWay = (ways: readonly WayHere[]) => Promise<number | null>;

/**
 * Where a page gives several ways to do the same, one is taken: by lock files, by what is on the machine, and where these
 * leave several, by what a person says, once for the same ways, or by their order.
 */
export async function settleWays(
  parsed: ParsedRunbook,
  facts: WorkspaceFacts,
  pick: PickWay = async () => null,
): Promise<ParsedRunbook> {
  if (!parsed.ok) return parsed;
  const { runbook } = parsed;
  const others = new Map<RunbookStep, string>();
  const picked = askedOnce(pick);
  for (const group of groupsOf(runbook.steps))
    for (const [step, why] of await othersIn(group, facts, picked)) others.set(step, why);
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

const sectionOf = ({ headings, way }: RunbookStep) =>
  headings.slice(0, (way?.heading ?? headings.length) + 1).join('\n');
const parentOf = ({ headings, way }: RunbookStep) => headings.slice(0, way?.heading ?? -1).join('\n');

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

/** What a person said of some ways holds for the same ones below. */
function askedOnce(pick: PickWay): (ways: readonly Known[]) => Promise<Known | null> {
  const said = new Map<string, string | null>();
  const nameOf = ({ way }: Known) => way.isFor ?? way.names[0] ?? '';
  return async (ways) => {
    const key = ways.map(nameOf).sort().join(' ');
    if (!said.has(key)) {
      const at = await pick(
        ways.map((known) => ({
          name: nameOf(known),
          text: (shellText(known.step.action) ?? '').split('\n')[0] ?? '',
          line: known.step.source?.line ?? 1,
        })),
      );
      said.set(key, at === null ? null : nameOf(ways[at] ?? ways[0]!));
    }
    return ways.find((known) => nameOf(known) === said.get(key)) ?? null;
  };
}

async function othersIn(
  group: readonly Known[],
  facts: WorkspaceFacts,
  pick: (ways: readonly Known[]) => Promise<Known | null>,
): Promise<[RunbookStep, string][]> {
  const fits = await Promise.all(group.map(({ way }) => fitOf(way, facts)));
  const best = Math.max(...fits);
  const fitting = best === FIT.no ? [] : group.filter((_, at) => fits[at] === best);
  const ways = [...new Map(fitting.toReversed().map((step) => [keyOf(step), step])).values()].toReversed();
  // What the project says is not asked about.
  const picked = best !== FIT.said && ways.length > 1 ? await pick(ways) : null;
  // A program that is missing can be installed; another system cannot.
  const taken = picked ?? ways[0] ?? group.find(({ way }) => way.isFor === null) ?? null;
  return group.flatMap((step, at): [RunbookStep, string][] => {
    if (taken !== null && keyOf(taken) === keyOf(step)) return [];
    const { isFor, names } = step.way;
    const isElsewhere = isFor !== null && fits[at] === FIT.no;
    if (taken === null || (isElsewhere && taken.way.isFor !== isFor)) return [[step, `it is for ${isFor}`]];
    if (names[0] === taken.way.names[0]) return [[step, `line ${taken.step.source?.line} does the same`]];
    return [[step, `${calledBy(step)} is another way to do this, and ${calledBy(taken)} was taken`]];
  });
}

/** What somebody would call it: the program, or else the system. */
const calledBy = ({ way: { needs, isFor, names } }: Known): string =>
  needs ?? (isFor === null ? (names[0] ?? '') : `the one for ${isFor}`);

const MACHINES = new Set(['linux', 'macos', 'windows', 'bsd']);

/** How well a way fits here: it is for what no other is for; the system is right, and what it installs with missing; it is there; the project says so. */
const FIT = { no: 0, else: 1, lacking: 2, there: 3, said: 4 } as const;

async function fitOf({ names, needs }: Way, facts: WorkspaceFacts): Promise<number> {
  const isThere = async (name: string): Promise<boolean> =>
    MACHINES.has(name) ? (await facts.system?.()) === name : ((await facts.commandExists?.(name)) ?? true);
  for (const lock of names.flatMap((name) => LOCKS[name] ?? []))
    if (await facts.exists(lock)) return FIT.said;
  for (const name of names) {
    if (name === ANY_SYSTEM) continue;
    if (await isThere(name)) return needs === undefined || (await isThere(needs)) ? FIT.there : FIT.lacking;
  }
  return names.includes(ANY_SYSTEM) ? FIT.else : FIT.no;
}
