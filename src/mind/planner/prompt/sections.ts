import {
  type DraftState,
  type PlanningState,
  planStep,
  type RejectionReason,
  type RunState,
} from '../../../core/contract/index.ts';
import { printAction } from '../../../core/plan/index.ts';
import { bounded, oneLine } from '../bound.ts';

/** The parts of a prompt that differ from call to call. Each is bounded by itself, so their sum is. */

const MAX_GOAL = 3000;
const MAX_RESTATEMENT = 1500;
const MAX_LAST = 3000;
const RECENT = 3;
const MAX_REASONS = 6;

export const section = (title: string, body: string): string => (body === '' ? '' : `${title}\n${body}\n`);

export const goalSection = (goal: string): string => section('GOAL', bounded(goal, MAX_GOAL));

export const restatementSection = ({ restatement }: PlanningState): string =>
  section('THE GOAL RESTATED', bounded(restatement ?? '', MAX_RESTATEMENT));

/** The drafts that were rejected since one was last good enough. */
function rejections({ drafts }: PlanningState): DraftState[] {
  const from = drafts.findLastIndex(({ status }) => status === 'proposed') + 1;
  return drafts.slice(from).filter(({ status }) => status === 'rejected' || status === 'unreadable');
}

export function rejectionSection(planning: PlanningState): string {
  const lines = rejections(planning)
    .slice(-RECENT)
    .flatMap(({ n, reasons }) => [`Draft ${n} was rejected:`, ...reasonLines(reasons)]);
  return section('RECENT REJECTIONS', lines.join('\n'));
}

export function reasonLines(reasons: readonly RejectionReason[]): string[] {
  const shown = reasons
    .slice(0, MAX_REASONS)
    .map(({ message, hint }) => `- ${oneLine(`${message} ${hint}`, 300)}`);
  return reasons.length > shown.length ? [...shown, `- and ${reasons.length - shown.length} more`] : shown;
}

export function lastOutputSection(planning: PlanningState): string {
  const last = rejections(planning).at(-1);
  return section('YOUR LAST REJECTED OUTPUT', bounded(last?.raw ?? '', MAX_LAST));
}

export const hintSection = ({ hints }: PlanningState): string =>
  section(
    'RETRY_HINTS',
    hints
      .slice(0, MAX_REASONS)
      .map((hint) => `- ${oneLine(hint, 300)}`)
      .join('\n'),
  );

export function answerSection({ answers }: PlanningState): string {
  const lines = answers
    .slice(-4)
    .flatMap(({ question, answer }) => [
      `You asked: ${oneLine(question, 300)}`,
      answer === null
        ? 'Nobody was there to answer: decide yourself, and be careful.'
        : `The person answered: ${oneLine(answer, 600)}`,
    ]);
  return section('ANSWERS', lines.join('\n'));
}

export function feedbackSection({ feedback }: PlanningState): string {
  const lines = feedback
    .slice(-4)
    .map(
      ({ step, reason }) => `- The person declined the step "${oneLine(step, 150)}": ${oneLine(reason, 400)}`,
    );
  return section('FEEDBACK', lines.join('\n'));
}

/** What a run that is planned again has behind it. */
export function doneSection(before: Pick<RunState, 'plan' | 'steps'> | null): string {
  if (before === null || before.plan === null) return '';
  const { plan, steps } = before;
  const named = steps.map(({ id, status, result }) => {
    const step = planStep({ ...before } as RunState, id)!;
    const failed = status === 'failed' ? ` (${oneLine(result?.message ?? 'it failed', 100)})` : '';
    return { status, line: `- ${status}${failed}: ${oneLine(printAction(step.action), 120)}` };
  });
  const over = named.filter(({ status }) => status !== 'pending').slice(-20);
  if (over.length === 0)
    return section('THE PLAN BEFORE', oneLine(plan.steps.map(({ title }) => title).join('; '), 1500));
  return section('ALREADY DONE (plan only what is left)', over.map(({ line }) => line).join('\n'));
}

export const pastSection = (sentences: readonly string[]): string =>
  section(
    'WHAT WENT WRONG BEFORE',
    sentences
      .slice(0, 6)
      .map((each) => `- ${oneLine(each, 300)}`)
      .join('\n'),
  );
