import {
  actorWords,
  type EventOf,
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
  if (isRequest(event) && event.v === 1) {
    const ask: (event: never, name: (stepId: string) => string) => string = asks[event.type];
    return visible(`requested by ${actorWords(event.by)}: ${ask(event as never, name)}`);
  }
  const told = tellFact(event, name);
  if (told === null) return visible(`event ${event.type} v${event.v}: not known to this version`);
  const { about, what, aside, said } = told;
  const head = about === undefined ? what : `${name(about)} ${what}: ${titleOf(state.plan, about)}`;
  return visible(`${head}${aside ? ` (${aside})` : ''}${because(said)}`);
}

/** Facts that only a driver needs: a person who follows a run can do without their lines. */
export const isBookkeeping = (event: RunEvent): boolean =>
  event.type === 'driver-claimed' ||
  event.type === 'context-summarised' ||
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

type Asks = {
  readonly [T in RequestEvent['type']]: (event: EventOf<T>, name: (stepId: string) => string) => string;
};

const asks: Asks = {
  'cancel-requested': (event) => `cancel the run${because(event.reason)}`,
  'pause-requested': () => 'rest the run',
  'resume-requested': () => 'resume the run',
  'service-stop-requested': ({ name }) => `stop ${name === undefined ? 'its services' : `service ${name}`}`,
  'serve-requested': ({ stepId, port }, name) => `keep ${name(stepId)} as a service on port ${port}`,
  'mode-requested': (event) => `${event.mode} mode`,
  'edit-requested': (event) => `edit the plan at revision ${event.baseRevision}${because(event.reason)}`,
  'skip-requested': (event, name) => `skip ${name(event.stepId)}${because(event.reason)}`,
  'retry-requested': (event, name) => `attempt ${name(event.stepId)} again`,
  'hint-requested': (event, name) => `a hint for ${name(event.stepId)}: ${event.text}`,
  'plan-decided': (event) =>
    `${planDecisions[event.decision]} (revision ${event.revision})${because(event.reason)}`,
  'approval-decided': (event) => `${event.decision} ${event.approvalId}${because(event.reason)}`,
  'step-decided': (event, name) =>
    `${stepDecisions[event.decision]} ${name(event.stepId)}${because(event.reason)}`,
  'answer-given': (event, name) =>
    event.stepId === undefined ? 'the planner is answered' : `${name(event.stepId)} is answered`,
  'replan-requested': (event, name) => `decline ${name(event.stepId)} and plan again${because(event.reason)}`,
  'plan-given': (event) => `use this plan of ${count(event.plan.steps.length, 'step')}`,
  'interrupt-decided': (event, name) => `interrupted ${name(event.stepId)}, ${event.decision}`,
};

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
