import {
  actorWords,
  isRequest,
  type RequestEvent,
  type RunEvent,
  type RunState,
} from '../../../core/contract/index.ts';
import { count, numberedSteps, numberOf, tellFact, titleOf } from '../../../core/contract/told/index.ts';
import { cleanOutput, visible } from './text/clean.ts';

/**
 * One event as one plain line, for pipes and log files. Stable: people grep for these. Never throws, and never
 * has a line break or a control character. `state` is the run with this event folded in.
 */
export function renderEventLine(event: RunEvent, state: RunState): string {
  const name = (stepId: string) => place(state, stepId);
  if (isRequest(event) && event.v === 1)
    return visible(`requested by ${actorWords(event.by)}: ${asks(event, name)}`);
  const told = tellFact(event, name);
  if (told === null) return visible(`event ${event.type} v${event.v}: not known to this version`);
  const { about, what, aside, said } = told;
  const head = about === undefined ? what : `${name(about)} ${what}: ${titleOf(state.plan, about)}`;
  return visible(`${head}${aside ? ` (${aside})` : ''}${because(said)}`);
}

/** Facts that only a driver needs: a person who follows a run can do without their lines. */
export const isBookkeeping = (event: RunEvent): boolean =>
  event.type === 'driver-claimed' ||
  event.type === 'process-spawned' ||
  event.type === 'change-prepared' ||
  (event.type === 'step-judged' && event.warnings === undefined) ||
  event.type === 'processes-released' ||
  (event.type === 'checkpoint-taken' && event.uncovered === undefined);

/** `step 2/5`, or `repair of step 2/5`. */
function place(state: RunState, stepId: string): string {
  const step = state.plan?.steps.find(({ id }) => id === stepId);
  const number = numberOf(state.plan, step?.repairs ?? stepId);
  const name = number === null ? `step ${stepId}` : `step ${number}/${numberedSteps(state.plan)}`;
  return step?.repairs === undefined ? name : `repair of ${name}`;
}

const because = (reason: string | undefined | null) => (reason ? `: ${reason}` : '');

const planDecisions = {
  all: 'agree to the plan',
  'step-by-step': 'agree step by step',
  cancel: 'reject the plan',
};

const stepDecisions = { run: 'run', skip: 'skip', 'did-it': 'count as done by hand:', stop: 'stop before' };

function asks(event: RequestEvent, name: (stepId: string) => string): string {
  switch (event.type) {
    case 'cancel-requested':
      return `cancel the run${because(event.reason)}`;
    case 'pause-requested':
      return 'rest the run';
    case 'resume-requested':
      return 'resume the run';
    case 'mode-requested':
      return `${event.mode} mode`;
    case 'edit-requested':
      return `edit the plan at revision ${event.baseRevision}${because(event.reason)}`;
    case 'skip-requested':
      return `skip ${name(event.stepId)}${because(event.reason)}`;
    case 'retry-requested':
      return `attempt ${name(event.stepId)} again`;
    case 'hint-requested':
      return `a hint for ${name(event.stepId)}: ${event.text}`;
    case 'plan-decided':
      return `${planDecisions[event.decision]} (revision ${event.revision})${because(event.reason)}`;
    case 'approval-decided':
      return `${event.decision} ${event.approvalId}${because(event.reason)}`;
    case 'step-decided':
      return `${stepDecisions[event.decision]} ${name(event.stepId)}${because(event.reason)}`;
    case 'answer-given':
      return event.stepId === undefined ? 'the planner is answered' : `${name(event.stepId)} is answered`;
    case 'replan-requested':
      return `decline ${name(event.stepId)} and plan again${because(event.reason)}`;
    case 'plan-given':
      return `use this plan of ${count(event.plan.steps.length, 'step')}`;
    case 'interrupt-decided':
      return `interrupted ${name(event.stepId)}, ${event.decision}`;
  }
}

const ofPlanning: ReadonlySet<string> = new Set<RunEvent['type']>([
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
export const isOfPlanning = ({ type }: RunEvent): boolean => ofPlanning.has(type);

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
