import { type Problem, renderProblem } from '../../core/plan/index.ts';
import type { Context } from './context.ts';
import { lookOf } from './look-of.ts';
import { isUnbounded, measure, paragraph } from './render/look.ts';

/** Each on a line of its own in a pipe, as compilers and editors have it; at a terminal broken between words. */
export function problemLines(
  context: Context,
  problems: readonly Problem[],
  on: 'stdout' | 'stderr',
): string[] {
  const look = lookOf(context, on);
  if (isUnbounded(look)) return problems.map(renderProblem);
  return problems.flatMap((problem) => {
    const [first = '', ...more] = paragraph(renderProblem(problem), measure(look) - 2, look);
    return [first, ...more.map((line) => `  ${line}`)];
  });
}

export function noteProblems(context: Context, problems: readonly Problem[]): void {
  for (const line of problemLines(context, problems, 'stderr')) context.stderr.write(`${line}\n`);
}
