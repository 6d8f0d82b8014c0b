import type { Plan, Step } from '../../contract/index.ts';
import { envWords, retryWords } from '../../contract/told/index.ts';
import { printAction } from '../action/print.ts';
import { visible } from '../action/render-error.ts';
import { printDuration } from '../file/duration.ts';
import { compareSteps, type Row } from './compare.ts';

/** Unchanged steps shown around a change. */
const CONTEXT = 1;
const WIDTH = 120;

/**
 * What changed from one plan to the next, for a person:
 *
 *     revision 0 → 1
 *       1  Install: RUN_COMMAND npm ci
 *     + 2  Make the folder: CREATE_DIR out (mends s2)
 *     - 2  Build: RUN_COMMAND npm run biuld
 *     + 3  Build: RUN_COMMAND npm run build
 *          expects: exit 0 → file exists out/app
 *       …
 *
 * Plans that do not differ give an empty text.
 */
export function renderPlanDiff(a: Plan, b: Plan): string {
  const rows = compareSteps(a.steps, b.steps);
  const lines: string[] = headLines(a, b);
  const shown = rows.map((row, index) => row.kind !== 'same' || nearChange(rows, index));
  let [left, right] = [0, 0];
  let gap = false;
  rows.forEach((row, index) => {
    if (row.kind !== 'added') left++;
    if (row.kind !== 'removed') right++;
    if (!shown[index]) {
      if (!gap) lines.push('  …');
      gap = true;
      return;
    }
    gap = false;
    lines.push(...rowLines(row, left, right));
  });
  const changed = lines.some((line) => /^[-+~]/.test(line));
  return changed ? [`revision ${a.revision} → ${b.revision}`, ...lines].join('\n') : '';
}

function headLines(a: Plan, b: Plan): string[] {
  return (['goal', 'mode', 'shell', 'inputs'] as const).flatMap((key) => {
    const [before, after] = [JSON.stringify(a[key]), JSON.stringify(b[key])];
    return before === after ? [] : [`~ ${key}: ${clip(before ?? 'none')} → ${clip(after ?? 'none')}`];
  });
}

function nearChange(rows: readonly Row[], index: number): boolean {
  const near = rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  return near.some((row) => row.kind !== 'same');
}

function rowLines(row: Row, left: number, right: number): string[] {
  switch (row.kind) {
    case 'same':
      return [stepLine(' ', right, row.after)];
    case 'removed':
      return [stepLine('-', left, row.before)];
    case 'added':
      return [stepLine('+', right, row.after), ...details(row.after)];
    case 'changed': {
      const sameLine = stepLine('~', right, row.before) === stepLine('~', right, row.after);
      const lines = sameLine
        ? [stepLine('~', right, row.after)]
        : [stepLine('-', left, row.before), stepLine('+', right, row.after)];
      return [...lines, ...changedDetails(row.before, row.after)];
    }
  }
}

function stepLine(sign: string, number: number, step: Step): string {
  const mends = step.repairs === undefined ? '' : ` (mends ${step.repairs})`;
  return `${sign} ${number}  ${clip(`${step.title}: ${printAction(step.action)}`)}${mends}`;
}

const DETAILS = [
  'expects',
  'after',
  'undo',
  'why',
  'interactive',
  'timeoutMs',
  'cwd',
  'env',
  'retry',
] as const;

const details = (step: Step) =>
  DETAILS.flatMap((key) => (step[key] === undefined ? [] : [`     ${key}: ${clip(detail(step, key))}`]));

const changedDetails = (a: Step, b: Step) =>
  DETAILS.flatMap((key) => {
    const [before, after] = [detail(a, key), detail(b, key)];
    return before === after ? [] : [`     ${key}: ${clip(before)} → ${clip(after)}`];
  });

function detail(step: Step, key: (typeof DETAILS)[number]): string {
  const value = step[key];
  if (value === undefined) return 'none';
  if (key === 'undo' && step.undo !== undefined) return printAction(step.undo);
  if (key === 'timeoutMs' && step.timeoutMs !== undefined) return printDuration(step.timeoutMs);
  if (key === 'env' && step.env !== undefined) return envWords(step.env);
  if (key === 'retry' && step.retry !== undefined) return retryWords(step.retry);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

const clip = (text: string) => {
  const line = visible(text);
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
};
