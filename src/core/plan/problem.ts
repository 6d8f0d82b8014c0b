import type { ProblemCode } from './problem-codes.ts';

/** A point in a file that a person wrote. Lines and columns count from 1. */
export interface SourcePoint {
  file: string;
  line: number;
  col: number;
}

/** An error keeps a plan from running; a warning is shown and lets it run. */
export type Severity = 'error' | 'warning';

/** Something wrong with a plan, for a person: what, where, and how to mend it. */
export interface Problem {
  code: ProblemCode;
  severity: Severity;
  message: string;
  /** The id of the step, where there is one. */
  step?: string;
  source?: SourcePoint;
  /** One sentence that says what to do about it. */
  mend: string;
}

/** A report longer than this helps nobody. */
export const MAX_PROBLEMS = 200;

/** The first problems and, where there were more, one that says so. */
export function capProblems(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  const more: Problem = {
    code: 'more-problems',
    severity: 'error',
    message: `There are more than these ${MAX_PROBLEMS} problems.`,
    mend: 'Mend these first and check again.',
  };
  return [...problems.slice(0, MAX_PROBLEMS), more];
}

/** Errors before warnings, then in the order of the file; stable otherwise. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => (problem.severity === 'error' ? 0 : 1);
  return [...problems].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.source?.line ?? 0) - (b.source?.line ?? 0) ||
      (a.source?.col ?? 0) - (b.source?.col ?? 0),
  );
}

/** `plan.yaml:12:5: error: … (how to mend it)`: one problem on one line. */
export function renderProblem(problem: Problem): string {
  const { source } = problem;
  const place = source === undefined ? '' : `${source.file}:${source.line}:${source.col}: `;
  return `${place}${problem.severity}[${problem.code}]: ${problem.message} ${problem.mend}`.trimEnd();
}
