import {
  differenceWords,
  dollars,
  type FactEvent,
  type Grants,
  isKnownEvent,
  isRequest,
  type RequestEvent,
  type RunEvent,
  type RunState,
  stepState,
} from '../../../core/contract/index.ts';
import { count } from './look.ts';
import { planningLine } from './render-planning-event.ts';
import { numberedSteps, numberOf } from './steps.ts';
import { visible } from './text/clean.ts';
import { duration } from './text/time.ts';
import { uncoveredWords } from './undo-words.ts';
import { failureWords } from './words.ts';

/**
 * One event as one plain line, for pipes and log files. Stable: people grep for these. Never throws, and never
 * has a line break or a control character. `state` is the run with this event folded in.
 */
export function renderEventLine(event: RunEvent, state: RunState): string {
  if (!isKnownEvent(event)) return visible(`event ${event.type} v${event.v}: not known to this version`);
  return visible(isRequest(event) ? requestLine(event, state) : factLine(event, state));
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

const titleOf = (state: RunState, stepId: string) =>
  state.plan?.steps.find(({ id }) => id === stepId)?.title ?? stepId;

function itemOf(state: RunState, stepId: string, item: number): string {
  const total = stepState(state, stepId)?.loop?.count;
  return total === undefined ? `item ${item + 1}` : `item ${item + 1} of ${total}`;
}

const because = (reason: string | undefined | null) => (reason ? `: ${reason}` : '');

function factLine(event: FactEvent, state: RunState): string {
  const about = (stepId: string, what: string) =>
    `${place(state, stepId)} ${what}: ${titleOf(state, stepId)}`;
  const again = (attemptIndex: number) => (attemptIndex > 0 ? ` (attempt ${attemptIndex + 1})` : '');
  switch (event.type) {
    case 'plan-created':
      return `run created: ${event.plan.goal} (${count(event.plan.steps.length, 'step')}, ${event.options.mode} mode, in ${event.place.workspace})`;
    case 'plan-confirmed':
      return `plan agreed (revision ${event.revision})`;
    case 'plan-rejected':
      return `plan rejected (revision ${event.revision})${because(event.reason)}`;
    case 'plan-revised':
      return `plan revised by ${event.source} (revision ${event.revision})${because(event.reason)}`;
    case 'driver-claimed':
      return `run taken by process ${event.driver.pid} on ${event.driver.host} (epoch ${event.epoch})`;
    case 'environment-differs':
      return `warning: the environment is not the one that the run was given: ${differenceWords(event)}`;
    case 'step-offered':
      return about(event.stepId, 'offered');
    case 'step-accepted':
      return about(event.stepId, 'accepted');
    case 'step-judged':
      return `${about(event.subject.stepId, `judged ${event.verdict.level}`)}${because(event.warnings?.map(({ message }) => message).join(' '))}`;
    case 'approval-needed':
      return `${about(event.subject.stepId, 'needs approval')} (${event.approvalId}, ${event.verdict.level}${because(event.verdict.reasons[0]?.sentence)})`;
    case 'approval-granted':
      return `approval ${event.approvalId} granted`;
    case 'approval-denied':
      return `approval ${event.approvalId} denied${because(event.reason)}`;
    case 'step-started': {
      const { item } = event;
      const which =
        item === undefined ? again(event.attemptIndex) : ` (${itemOf(state, event.stepId, item)})`;
      return about(event.stepId, `started${which}`);
    }
    case 'loop-frozen':
      return about(event.stepId, `goes through ${count(event.count, 'item')}`);
    case 'item-completed': {
      return `${about(event.stepId, `${itemOf(state, event.stepId, event.item)} done`)} (${duration(event.result.durationMs)})`;
    }
    case 'question-asked':
      return `${place(state, event.stepId)} asks: ${event.text}`;
    case 'services-surveyed':
      return event.gone.length === 0 ? 'services are running' : `services gone: ${event.gone.join(', ')}`;
    case 'change-prepared':
      return about(event.stepId, `is about to change ${count(event.changes.length, 'path')}`);
    case 'process-spawned':
      return about(event.stepId, `has process group ${event.group.pgid}`);
    case 'step-completed': {
      const by = event.by === 'driver' ? '' : event.by === 'person' ? ', by a person' : ', found done';
      return `${about(event.stepId, 'done')} (${duration(event.result.durationMs)}${by})`;
    }
    case 'step-failed': {
      const { result } = event;
      const said = result.message === undefined ? '' : `: ${result.message}`;
      return `${about(event.stepId, `failed${again(event.attemptIndex)}`)} (${failureWords(result)}, ${duration(result.durationMs)})${said}`;
    }
    case 'step-interrupted':
      return `${about(event.stepId, `interrupted, ${event.finding}`)}${because(event.detail)}`;
    case 'interrupt-asked':
      return `${about(event.stepId, 'was it done')}${because(event.detail)}`;
    case 'interrupt-resolved':
      return about(event.stepId, `interruption resolved, ${event.decision}`);
    case 'step-skipped':
      return `${about(event.stepId, 'skipped')} (${event.reason}${skipDetail(event, state)})`;
    case 'step-reset':
      return about(event.stepId, 'to be attempted again');
    case 'mode-changed':
      return `mode changed: ${event.mode}`;
    case 'run-paused':
      return `run paused: ${event.reason}${because(event.message)}`;
    case 'run-resumed':
      return 'run resumed';
    case 'processes-released':
      return `ended ${count(event.groups.length, 'leftover process group')}, ${count(event.services.length, 'service')}`;
    case 'run-finished':
      return `run ${event.outcome}: ${event.reason}${because(event.message)}`;
    case 'model-call-started':
      return `asks ${event.provider}/${event.model} to ${event.purpose} (${worstCase(event.reserved)})`;
    case 'model-call-finished':
      return `model answered: ${event.outcome} (${modelCost(event)}, ${duration(event.durationMs)})${because(event.message)}`;
    case 'model-fell-back': {
      const { from, to, reason, message } = event;
      const next = to === null ? 'no model is left' : `goes on with ${to.provider}/${to.model}`;
      return `${from.provider}/${from.model} ${reason}, ${next}${because(message)}`;
    }
    case 'agent-thinking':
      return about(event.stepId, 'is looked at by the brain');
    case 'correction-attempt': {
      const { action, source, reasoning } = event.correction;
      return `${place(state, event.stepId)}: ${source.brain} ${source.name} proposes ${action.replace('_', ' ')} (${event.correctionId})${because(reasoning)}`;
    }
    case 'correction-refused':
      return `correction ${event.correctionId} refused, ${event.code}${because(event.message)}`;
    case 'correction-success':
      return `correction ${event.correctionId} helped: ${titleOf(state, event.stepId)}`;
    case 'correction-failed':
      return `correction ${event.correctionId} did not help${because(event.message)}`;
    case 'retry-attempt':
      return `${about(event.stepId, 'is attempted again')} (${event.failures} of ${event.limit + 1} attempts failed${afterAWhile(event)})`;
    case 'grant-wanted':
      return about(event.stepId, `wants more than its sandbox gives, ${grantWords(event.grants)}`);
    case 'budget-warning':
      return `budget: ${event.message}`;
    case 'agent-stuck':
      return `${about(event.stepId, 'is stuck')} (${event.limit}: ${event.message})`;
    case 'agent-error':
      return `${about(event.stepId, 'was given up')}${because(event.message)}`;
    case 'plan-cancelled':
      return `plan cancelled by ${event.correctionId}${because(event.reason)}`;
    case 'precheck-overruled':
      return `${about(event.stepId, 'is tried all the same')}${because(event.message)}`;
    case 'hint-given':
      return `${about(event.stepId, 'has a hint for the brain')} (${event.text})`;
    case 'checkpoint-taken': {
      const { when, uncovered, late } = event;
      const said = about(event.stepId, `checkpoint ${when} it${late ? ', late' : ''}`);
      return uncovered === undefined ? said : `${said} (not covered by undo: ${uncoveredWords(uncovered)})`;
    }
    case 'checkpoint-failed':
      return `${about(event.stepId, `has no checkpoint ${event.when} it`)} (${event.code}: ${event.message})`;
    case 'rollback-started':
      return about(event.stepId, 'is being taken back');
    case 'rolled-back': {
      const left = event.leftCount === 0 ? '' : `, ${count(event.leftCount, 'path')} left as they are`;
      return `${about(event.stepId, `taken back: ${count(event.restored, 'path')}${left}`)}${because(event.message)}`;
    }
    case 'request-refused':
      return `request ${event.answers} refused: ${event.code}${because(event.message)}`;
    default:
      return planningLine(event);
  }
}

const afterAWhile = ({ notBefore, at }: Extract<FactEvent, { type: 'retry-attempt' }>) =>
  notBefore === undefined ? '' : `, in ${duration(Math.max(0, notBefore - at))}`;

const grantWords = ({ network, write = [], privilege }: Grants): string =>
  [
    ...(network ? ['the network'] : []),
    ...write.map((path) => `to write ${path}`),
    ...(privilege ? ['privilege'] : []),
  ].join(', ');

const worstCase = ({ usd, tokens }: { usd: number | null; tokens: number }) =>
  usd === null ? `at most ${count(tokens, 'token')}` : `at most ${dollars(usd)}`;

function modelCost({ usage, usd, replayed }: Extract<FactEvent, { type: 'model-call-finished' }>): string {
  if (replayed) return 'replayed, nothing sent';
  if (usage === null) return 'cost not known, the worst case is counted';
  const tokens = count(usage.inputTokens + usage.outputTokens, 'token');
  return usd === null ? tokens : `${tokens}, ${dollars(usd)}`;
}

function skipDetail(event: Extract<FactEvent, { type: 'step-skipped' }>, state: RunState): string {
  if (event.detail === undefined) return '';
  return event.reason === 'dependency' ? `: ${place(state, event.detail)}` : `: ${event.detail}`;
}

function requestLine(event: RequestEvent, state: RunState): string {
  return `requested by ${event.by}: ${asks(event, state)}`;
}

const planDecisions = {
  all: 'agree to the plan',
  'step-by-step': 'agree step by step',
  cancel: 'reject the plan',
};

const stepDecisions = { run: 'run', skip: 'skip', 'did-it': 'count as done by hand:', stop: 'stop before' };

function asks(event: RequestEvent, state: RunState): string {
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
      return `skip ${place(state, event.stepId)}${because(event.reason)}`;
    case 'retry-requested':
      return `attempt ${place(state, event.stepId)} again`;
    case 'hint-requested':
      return `a hint for ${place(state, event.stepId)}: ${event.text}`;
    case 'plan-decided':
      return `${planDecisions[event.decision]} (revision ${event.revision})${because(event.reason)}`;
    case 'approval-decided':
      return `${event.decision} ${event.approvalId}${because(event.reason)}`;
    case 'step-decided':
      return `${stepDecisions[event.decision]} ${place(state, event.stepId)}${because(event.reason)}`;
    case 'answer-given':
      return event.stepId === undefined
        ? 'the planner is answered'
        : `${place(state, event.stepId)} is answered`;
    case 'replan-requested':
      return `decline ${place(state, event.stepId)} and plan again${because(event.reason)}`;
    case 'plan-given':
      return `use this plan of ${count(event.plan.steps.length, 'step')}`;
    case 'interrupt-decided':
      return `interrupted ${place(state, event.stepId)}, ${event.decision}`;
  }
}
