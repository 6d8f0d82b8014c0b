import type { Plan, Step } from '../../contract/index.ts';
import { decodeText } from '../file/decode.ts';
import { MAX_STEPS } from '../limits.ts';
import { capProblems, type Problem, sortProblems } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';
import { findBlocks } from './blocks.ts';
import { readFrontMatter } from './front-matter.ts';
import { pageTitle, readMarkdown } from './markdown.ts';
import { type LeftOut, type RunbookStep, stepsOf } from './steps.ts';
import { askingForValues } from './wanted.ts';

export const MAX_RUNBOOK_BYTES = 512 * 1024;

/** A page and all its steps, those that only run when picked too. */
export interface Runbook {
  head: Omit<Plan, 'steps'>;
  steps: readonly RunbookStep[];
  left: readonly LeftOut[];
  file: string;
}

export type ParsedRunbook =
  | { ok: true; plan: Plan; runbook: Runbook; warnings: Problem[] }
  | { ok: false; problems: Problem[] };

/** Reads a Markdown runbook as a plan. Never throws; gives all problems at once. */
export function parseRunbook(
  markdown: Uint8Array | string,
  options: { file: string; terminal?: boolean },
): ParsedRunbook {
  const { file, terminal = false } = options;
  const fail = (code: ProblemCode, message: string, mend: string): ParsedRunbook => ({
    ok: false,
    problems: [{ code, severity: 'error', message, source: { file, line: 1, col: 1 }, mend }],
  });
  if (markdown.length > MAX_RUNBOOK_BYTES) {
    return fail('file-too-large', 'A runbook has at most 512 kB.', 'Split it into several pages.');
  }
  const decoded = decodeText(markdown);
  if (!decoded.ok)
    return fail(decoded.fault.code, decoded.fault.message, 'Give a Markdown page with blocks of commands.');
  const pieces = readMarkdown(decoded.text.replace(/\r\n?/g, '\n'));
  if (pieces === null)
    return fail('too-complex', 'The page nests too deeply.', 'Write it with fewer levels.');

  const matter = pieces.find((piece) => piece.kind === 'front-matter');
  const { front, problems: frontProblems } = readFrontMatter(matter?.text ?? '', matter?.line ?? 1, file);
  const { blocks, problems: blockProblems } = findBlocks(pieces, front.shell, file);
  const { steps, left, problems: stepProblems } = stepsOf(blocks, { file, shell: front.shell, terminal });
  const problems = capProblems(sortProblems([...frontProblems, ...blockProblems, ...stepProblems]));
  if (problems.some((problem) => problem.severity === 'error')) return { ok: false, problems };

  const goal = front.goal ?? pageTitle(pieces) ?? `Run ${file}`;
  const head = { ...front, goal, revision: 0 };
  const included = steps.filter((step) => !step.excluded).map((step) => step.step);
  if (included.length === 0) {
    const language = front.shell === 'pwsh' ? 'powershell' : 'sh';
    const mend =
      steps.length > 0 ? 'Pick some by heading.' : `Add a fenced block: \`\`\`${language} and commands.`;
    const none = fail('no-steps', 'The page has no block of commands that would run.', mend);
    return none.ok ? none : { ok: false, problems: [...none.problems, ...leftOut(left, file)] };
  }
  if (included.length > MAX_STEPS)
    return fail('too-many-steps', `A plan has at most ${MAX_STEPS} steps.`, 'Split the page.');
  return {
    ok: true,
    plan: askingForValues({ ...head, steps: within(included) }),
    runbook: { head, steps, left, file },
    warnings: [...problems, ...leftOut(left, file)],
  };
}

/** How to have something run that looks like nothing to run. */
export const RUN_IT = 'On a page of your own, <!-- planwright: run --> before the block has it run.';

/** What is not run is said, each with its line. */
export const leftOut = (left: readonly LeftOut[], file: string): Problem[] =>
  capProblems(
    left.map(({ why, line, mend }) => ({
      code: 'left-out',
      severity: 'warning',
      message: `Left out: ${why}.`,
      source: { file, line, col: 1 },
      mend: mend ?? RUN_IT,
    })),
  );

/** Steps of a selection depend only on each other: what is not in it is taken as done. */
export function within(steps: readonly Step[]): Step[] {
  const ids = new Set(steps.map((step) => step.id));
  return steps.map(({ after, ...step }) => {
    const left = after?.filter((id) => ids.has(id)) ?? [];
    return left.length > 0 ? { ...step, after: left } : step;
  });
}
