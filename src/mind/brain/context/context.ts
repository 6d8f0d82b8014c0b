import type { ContextEntry, RollingContext } from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';

const OUTPUT_LINES = 8;

/** The rolling context of a run in words, for a brain. */
export function toContextString({ summary, entries, consecutiveFailures }: RollingContext): string {
  const before = summary === '' ? [] : [`Before: ${summary}`];
  const streak = consecutiveFailures > 1 ? [`The last ${consecutiveFailures} attempts failed.`] : [];
  return [...before, ...entries.map(describeEntry), ...streak].join('\n');
}

export function describeEntry({ title, action, outcome, output, correction }: ContextEntry): string {
  const said = lastLines(output);
  return [
    `- ${title}: ${outcome}`,
    `  ${printAction(action)}`,
    ...(said === '' ? [] : said.split('\n').map((line) => `  | ${line}`)),
    ...(correction === null ? [] : [`  Then: ${correction}`]),
  ].join('\n');
}

/** What is cut off is said. */
function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n');
  return lines.length <= OUTPUT_LINES ? lines.join('\n') : `[…]\n${lines.slice(-OUTPUT_LINES).join('\n')}`;
}
