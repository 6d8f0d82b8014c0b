import type { ModelName, PlanningFact, RunEvent } from '../../../core/contract/index.ts';
import { count } from './look.ts';
import { cleanOutput } from './text/clean.ts';
import { duration } from './text/time.ts';

const name = ({ provider, model }: ModelName) => `${provider}/${model}`;

/** Rules answer at once, and what was never sent took no time. */
const took = (ms: number) => (ms > 0 ? ` (${duration(ms)})` : '');

const doing = { restate: 'restate the goal', plan: 'plan', repair: 'repair', reflect: 'reflect' };

/** What planning did, as one plain line; `renderEventLine` makes it safe to print. */
export function planningLine(event: PlanningFact): string {
  switch (event.type) {
    case 'goal-given':
      return `goal given: ${event.goal} (${event.options.mode} mode, in ${event.place.workspace})`;
    case 'planner-called':
      return `${name(event.model)} is asked to ${doing[event.call]}${event.call === 'restate' ? '' : ` (draft ${event.n})`}`;
    case 'planner-call-failed':
      return `${name(event.model)} did not ${doing[event.call]}${took(event.durationMs)}: ${event.why}: ${event.message}`;
    case 'goal-restated':
      return event.restatement === null
        ? `goal not restated: ${event.message ?? 'no answer'}`
        : `goal restated (${duration(event.durationMs)}): ${oneLine(event.restatement)}`;
    case 'draft-received':
      return `draft ${event.n} from ${name(event.model)} (${count(event.length, 'character')}, ${duration(event.durationMs)})`;
    case 'draft-unreadable':
      return `draft ${event.n} cannot be read: ${event.message}`;
    case 'draft-repaired':
      return `draft ${event.n} repaired: ${event.how.join(', ')}`;
    case 'draft-rejected':
      return `draft ${event.n} rejected: ${event.reasons.map(({ message }) => message).join(' ')}`;
    case 'hints-given':
      return `hints for the next draft${took(event.durationMs)}: ${event.hints.join(' · ') || 'none'}`;
    case 'planning-question':
      return `the planner asks: ${event.question}`;
    case 'planning-answered':
      return event.value === null ? 'nobody was there to answer the planner' : 'the planner was answered';
    case 'plan-proposed':
      return `draft ${event.n} is a plan (confidence ${Math.round(event.proposal.confidence.score * 100)} %)`;
    case 'feedback-given':
      return `step declined: ${event.step}: ${event.reason}`;
    case 'planning-failed':
      return `no plan: ${event.message}`;
  }
}

const oneLine = (text: string) =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .join(' · ');

const told: ReadonlySet<string> = new Set<PlanningFact['type']>([
  'planner-call-failed',
  'goal-restated',
  'draft-received',
  'draft-unreadable',
  'draft-repaired',
  'draft-rejected',
  'hints-given',
  'plan-proposed',
  'planning-failed',
]);

/** What came of a call while planning, as opposed to that it was sent. */
export const isOfPlanning = ({ type }: RunEvent): boolean => told.has(type);

/** How a draft differs from the one before it; empty for all else, and where it does not. */
export function renderDraftDiff(event: RunEvent): string[] {
  const diff =
    event.type === 'plan-proposed'
      ? event.proposal.diff
      : event.type === 'draft-rejected'
        ? event.diff
        : undefined;
  if (diff === undefined) return [];
  return [
    `draft ${'n' in event ? event.n : ''} against the one before:`,
    ...diff.split('\n').map((line) => `  ${cleanOutput(line)}`),
  ];
}
