import type { Plan } from '../../contract/index.ts';
import { nearest } from '../nearest.ts';
import type { Problem } from '../problem.ts';
import { leftOut, RUN_IT, type Runbook, within } from './parse.ts';
import type { LeftOut, RunbookStep } from './steps.ts';
import { askingForValues } from './wanted.ts';

export type Selected = { ok: true; plan: Plan; warnings: Problem[] } | { ok: false; problem: Problem };

/**
 * The steps under a heading and the headings below it; else the block of that name; else those under the one heading
 * that begins with the text. Case does not count. A block that is left out of a whole run is part of it when its own
 * heading or name is picked.
 */
export function selectByHeading(runbook: Runbook, text: string): Selected {
  const wanted = text.trim().toLowerCase();
  const same = (heading: string) => heading.toLowerCase() === wanted;
  const found =
    take(
      runbook,
      (step) => step.headings.some(same),
      (step) => same(step.headings.at(-1) ?? ''),
    ) ??
    take(
      runbook,
      (step) => step.name?.toLowerCase() === wanted,
      () => true,
    ) ??
    byPrefix(runbook, wanted);
  if (found !== null) {
    const plan = askingForValues({ ...runbook.head, steps: within(found.map((step) => step.step)) });
    const isNear = ({ headings }: LeftOut) =>
      found.some((step) => sharesSection(step.headings, headings, wanted));
    return { ok: true, plan, warnings: leftOut(runbook.left.filter(isNear), runbook.file) };
  }
  const under = runbook.left.filter(({ headings }) =>
    headings.some((each) => each.toLowerCase().startsWith(wanted)),
  );
  if (under.length > 0) return { ok: false, problem: nothingUnder(text, under[0]!, runbook.file) };
  return { ok: false, problem: notFound(runbook, text) };
}

/** What was left out is told where it stands under the heading that was picked. */
const sharesSection = (step: readonly string[], left: readonly string[], wanted: string): boolean =>
  left.some((each) => each.toLowerCase().startsWith(wanted) && step.includes(each));

const nothingUnder = (text: string, { why, line, mend }: LeftOut, file: string): Problem => ({
  code: 'no-steps',
  severity: 'error',
  message: `Nothing under "${text.slice(0, 60)}" can be run: ${why}.`,
  source: { file, line, col: 1 },
  mend: mend ?? RUN_IT,
});

function take(
  runbook: Runbook,
  matches: (step: RunbookStep) => boolean,
  picksExcluded: (step: RunbookStep) => boolean,
): RunbookStep[] | null {
  const steps = runbook.steps.filter((step) => matches(step) && (!step.excluded || picksExcluded(step)));
  const taken = steps.filter(({ other }) => other !== true);
  // Where nothing else is there, another way is what was meant.
  if (taken.length > 0) return taken;
  return steps.length > 0 ? steps : null;
}

function byPrefix(runbook: Runbook, wanted: string): RunbookStep[] | null {
  if (wanted === '') return null;
  const headings = new Set(partsOf(runbook).filter((heading) => heading.toLowerCase().startsWith(wanted)));
  const [only] = headings;
  if (headings.size !== 1 || only === undefined) return null;
  return take(
    runbook,
    (step) => step.headings.includes(only),
    (step) => step.headings.at(-1) === only,
  );
}

/** The headings that have commands under them, each once: what a page can be run by part. */
export const partsOf = (runbook: Runbook): string[] => [
  ...new Set(runbook.steps.flatMap((step) => step.headings)),
];

function notFound(runbook: Runbook, text: string): Problem {
  const known = [...partsOf(runbook), ...runbook.steps.flatMap((step) => step.name ?? [])];
  const near = nearest(text, known);
  const listed = known
    .slice(0, 10)
    .map((each) => `"${each}"`)
    .join(', ');
  return {
    code: 'unknown-heading',
    severity: 'error',
    message: `No heading or block with commands is called "${text.slice(0, 60)}".`,
    mend: near !== null ? `Did you mean "${near}"?` : `There are: ${listed || 'none'}.`,
  };
}
