import type { EventOf, FactEvent, GitSource, RunEvent, UncoveredSummary } from '../index.ts';
import { printModelName as of } from '../models.ts';
import { differenceWords } from '../stream/environment.ts';
import { correctionWords, sourceWords } from './correction.ts';
import { costWords, worstCase } from './cost.ts';
import { failureNote, grantWords } from './reasons.ts';
import type { Tone } from './sentence.ts';
import { count, percent, portWords, sizeText } from './text.ts';
import { duration } from './time.ts';

/** One fact as it is told: `step 2/5 failed: Copy (exit 17, 0.2 s): the folder is missing`. */
export interface Telling {
  /** A part of the story, and which kind of news; left out, it is only a line of a log. */
  tone?: Exclude<Tone, 'going'> | undefined;
  /** The step that it is about, which stands before `what`. */
  about?: string;
  what: string;
  /** What belongs in brackets. */
  aside?: string | undefined;
  /** In the words of whoever said it. */
  said?: string | null | undefined;
}

type Name = (stepId: string) => string;
type Tellers = { [T in FactEvent['type']]: (event: EventOf<T>, name: Name) => Telling };

const nth = (attemptIndex: number) => (attemptIndex > 0 ? ` (attempt ${attemptIndex + 1})` : '');
/** Rules answer at once, and what was never sent took no time. */
const took = (ms: number) => (ms > 0 ? duration(ms) : undefined);
const calls = { restate: 'restate the goal', plan: 'plan', repair: 'repair', reflect: 'reflect' };
const doers = { driver: '', person: ', by a person', recovery: ', found done' };
const outcomes = { done: 'done', failed: 'fail', cancelled: 'quiet' } as const;

const sourceText = ({ url, commit }: GitSource) => `from ${url} at ${commit.slice(0, 12)}`;

type News = Telling['tone'] | null;
type Rest = [aside?: string | undefined, said?: string | null];

const ofRun = (tone: News, what: string, ...[aside, said]: Rest): Telling => ({
  tone: tone ?? undefined,
  what,
  aside,
  said,
});
const ofStep = (tone: News, about: string, what: string, ...rest: Rest): Telling => ({
  ...ofRun(tone, what, ...rest),
  about,
});

/** Every fact in words: the news that it is, what happened, what belongs in brackets, what was said. */
const tellers: Tellers = {
  'plan-created': ({ plan, options, place, gitSource, fetched }) =>
    ofRun(
      'quiet',
      `run created: ${plan.goal}`,
      `${count(plan.steps.length, 'step')}, ${options.mode} mode, ${gitSource === undefined ? `in ${place.workspace}` : sourceText(gitSource)}`,
      fetched === undefined ? undefined : `fetched from ${fetched.address}, sha256 ${fetched.sha256}`,
    ),
  'place-taken': ({ place }) => ofRun('quiet', `run taken up on ${place.host}`, `in ${place.workspace}`),
  'work-carried': ({ parcel, message }) =>
    parcel === null
      ? ofRun('wait', 'warning: the run cannot go on elsewhere', undefined, message)
      : ofRun(null, 'what it changed is kept for other machines', sizeText(parcel.bytes)),
  'plan-confirmed': ({ revision }) => ofRun('quiet', 'plan agreed', `revision ${revision}`),
  'plan-rejected': ({ revision, reason }) => ofRun('fail', 'plan rejected', `revision ${revision}`, reason),
  'plan-revised': ({ source, revision, reason, answers }) =>
    ofRun(
      answers === undefined ? 'mind' : 'quiet',
      `plan revised by ${source}`,
      `revision ${revision}`,
      reason,
    ),
  'environment-differs': (event) =>
    ofRun(
      'wait',
      'warning: the environment is not the one that the run was given',
      undefined,
      differenceWords(event),
    ),
  'driver-claimed': ({ driver, epoch }) =>
    ofRun(null, `run taken by process ${driver.pid} on ${driver.host}`, `epoch ${epoch}`),
  'step-offered': ({ stepId }) => ofStep(null, stepId, 'offered'),
  'step-accepted': ({ stepId }) => ofStep(null, stepId, 'accepted'),
  'step-judged': ({ subject, verdict, warnings }) =>
    ofStep(
      null,
      subject.stepId,
      `judged ${verdict.level}`,
      undefined,
      warnings?.map(({ message }) => message).join(' '),
    ),
  'approval-needed': ({ subject, approvalId, verdict: { level, reasons } }) =>
    ofStep(
      'wait',
      subject.stepId,
      'needs approval',
      `${approvalId}, ${[level, ...reasons.slice(0, 1).map(({ sentence }) => sentence)].join(': ')}`,
    ),
  'approval-granted': ({ approvalId }) => ofRun('quiet', `approval ${approvalId} granted`),
  'approval-denied': ({ approvalId, reason, overruled }) =>
    ofRun(
      'quiet',
      overruled ? `approval ${approvalId} was granted, and is denied now` : `approval ${approvalId} denied`,
      undefined,
      reason,
    ),
  'step-started': ({ stepId, attemptIndex, item }) =>
    ofStep(null, stepId, `started${item === undefined ? nth(attemptIndex) : ` (item ${item + 1})`}`),
  'loop-frozen': ({ stepId, count: n }) => ofStep(null, stepId, `goes through ${count(n, 'item')}`),
  'item-completed': ({ stepId, item, result }) =>
    ofStep(null, stepId, `item ${item + 1} done`, duration(result.durationMs)),
  'question-asked': ({ stepId, text }) => ofStep('wait', stepId, 'asks', undefined, text),
  'services-surveyed': ({ gone }) =>
    ofRun(null, gone.length === 0 ? 'services are running' : `services gone: ${gone.join(', ')}`),
  'service-missed': ({ stepId, name }) =>
    ofStep('quiet', stepId, `begins again: its service ${name} is gone`),
  'services-stopped': ({ services, stuck = [] }) =>
    ofRun(
      'quiet',
      services.length === 0 ? 'no service was stopped' : `services stopped: ${services.join(', ')}`,
      stuck.length === 0 ? undefined : `could not be ended: ${stuck.join(', ')}`,
    ),
  'process-spawned': ({ stepId, group }) => ofStep(null, stepId, `has process group ${group.pgid}`),
  'step-listens': ({ stepId, ports }) =>
    ofStep('wait', stepId, `serves ${portWords(ports)} and will not end by itself`),
  'change-prepared': ({ stepId, changes }) =>
    ofStep(null, stepId, `is about to change ${count(changes.length, 'path')}`),
  'step-completed': ({ stepId, result, by }) =>
    ofStep('done', stepId, 'done', duration(result.durationMs) + doers[by]),
  'step-failed': ({ stepId, attemptIndex, result }) =>
    ofStep(
      'fail',
      stepId,
      `failed${nth(attemptIndex)}`,
      `${failureNote(result)}, ${duration(result.durationMs)}`,
      result.message,
    ),
  'step-retried': ({ stepId, retry, times, notBefore, at }) =>
    ofStep(
      'quiet',
      stepId,
      'is attempted again, as its plan says',
      `${retry} of ${times}${notBefore === undefined ? '' : `, in ${duration(notBefore - at)}`}`,
    ),
  'step-interrupted': ({ stepId, finding, detail }) =>
    ofStep('wait', stepId, `interrupted, ${finding}`, undefined, detail),
  'interrupt-asked': ({ stepId, detail }) => ofStep(null, stepId, 'was it done', undefined, detail),
  'interrupt-resolved': ({ stepId, decision }) => ofStep(null, stepId, `interruption resolved, ${decision}`),
  'step-skipped': ({ stepId, reason, detail }, name) =>
    ofStep(
      'quiet',
      stepId,
      'skipped',
      [reason, reason === 'dependency' && detail ? name(detail) : detail].filter(Boolean).join(': '),
    ),
  'step-reset': ({ stepId }) => ofStep(null, stepId, 'to be attempted again'),
  'mode-changed': ({ mode }) => ofRun('quiet', `mode changed: ${mode}`),
  // What failed was told when it did, and what the brain makes of it is told by the brain.
  'run-paused': ({ reason, message }) =>
    ofRun(
      reason.startsWith('agent-') || reason === 'step-failed' ? null : 'quiet',
      `run paused: ${reason}`,
      undefined,
      message,
    ),
  'run-resumed': () => ofRun('quiet', 'run resumed'),
  'processes-released': ({ groups, services }) =>
    ofRun(
      null,
      `ended ${count(groups.length, 'leftover process group')}, ${count(services.length, 'service')}`,
    ),
  'run-finished': ({ outcome, reason, message }) =>
    ofRun(outcomes[outcome], `run ${outcome}: ${reason}`, undefined, message),
  'request-refused': ({ answers, code, message }) =>
    ofRun('quiet', `request ${answers} refused: ${code}`, undefined, message),
  'refused-at-door': ({ by, asked, message }) =>
    ofRun('fail', `refused: ${asked} by ${by.person}`, undefined, message),
  'model-call-started': ({ provider, model, purpose, reserved }) =>
    ofRun(null, `asks ${provider}/${model} to ${purpose}`, worstCase(reserved)),
  'model-call-finished': (event) =>
    ofRun(
      null,
      `model answered: ${event.outcome}`,
      `${costWords(event)}, ${duration(event.durationMs)}`,
      event.message,
    ),
  'model-fell-back': ({ from, to, reason, message }) =>
    ofRun(
      'mind',
      `${of(from)} ${reason}, ${to === null ? 'no model is left' : of(to) === of(from) ? 'it is waited for' : `goes on with ${of(to)}`}`,
      undefined,
      message,
    ),
  'agent-thinking': ({ stepId }) => ofStep(null, stepId, 'is looked at by the brain'),
  'correction-attempt': ({ stepId, correctionId, correction }) =>
    ofStep(
      'mind',
      stepId,
      'has a correction',
      `${correctionId}: ${sourceWords(correction)}, ${correctionWords(correction)}`,
      correction.reasoning,
    ),
  'correction-refused': ({ correctionId, code, message }) =>
    ofRun('mind', `correction ${correctionId} refused, ${code}`, undefined, message),
  'correction-success': ({ correctionId, stepId }) =>
    ofStep('done', stepId, `mended by correction ${correctionId}`),
  'correction-failed': ({ correctionId, message }) =>
    ofRun('fail', `correction ${correctionId} did not help`, undefined, message),
  'retry-attempt': ({ stepId, failures, limit, notBefore, at }) =>
    ofStep(
      null,
      stepId,
      'is attempted again',
      `${failures} of ${limit + 1} attempts failed${notBefore === undefined ? '' : `, in ${duration(notBefore - at)}`}`,
    ),
  'grant-wanted': ({ stepId, grants }) =>
    ofStep(null, stepId, `wants more than its sandbox gives, to ${grantWords(grants).join(', to ')}`),
  'budget-warning': ({ message }) => ofRun('wait', `budget: ${message}`),
  'agent-stuck': ({ stepId, limit, message }) => ofStep('fail', stepId, 'is stuck', `${limit}: ${message}`),
  'agent-error': ({ stepId, message }) => ofStep('fail', stepId, 'was given up', undefined, message),
  'plan-cancelled': ({ correctionId, reason }) =>
    ofRun('fail', `plan cancelled by ${correctionId}`, undefined, reason),
  'context-summarised': ({ text }) =>
    ofRun(null, text === null ? 'no model sums up what happened' : 'what happened so far is summed up'),
  'precheck-overruled': ({ stepId, message }) =>
    ofStep(null, stepId, 'is tried all the same', undefined, message),
  'hint-given': ({ stepId, text }) => ofStep('quiet', stepId, 'has a hint for the brain', text),
  'checkpoint-taken': ({ stepId, when, late, uncovered }) =>
    ofStep(
      null,
      stepId,
      `checkpoint ${when} it${late ? ', late' : ''}`,
      uncovered && `not covered by undo: ${uncoveredWords(uncovered)}`,
    ),
  'checkpoint-failed': ({ stepId, when, code, message }) =>
    ofStep(null, stepId, `has no checkpoint ${when} it`, `${code}: ${message}`),
  'rollback-started': ({ stepId }) => ofStep(null, stepId, 'is being taken back'),
  'rolled-back': ({ stepId, restored, leftCount, message }) =>
    ofStep(
      'quiet',
      stepId,
      `taken back: ${count(restored, 'path')}${leftCount === 0 ? '' : `, ${count(leftCount, 'path')} left as they are`}`,
      undefined,
      message,
    ),
  'goal-given': ({ goal, options, place }) =>
    ofRun('quiet', `goal given: ${goal}`, `${options.mode} mode, in ${place.workspace}`),
  'planner-called': ({ model, call, n }) =>
    ofRun(null, `${of(model)} is asked to ${calls[call]}`, call === 'restate' ? undefined : `draft ${n}`),
  'planner-call-failed': ({ model, call, durationMs, why, message }) =>
    ofRun('fail', `${of(model)} did not ${calls[call]}`, took(durationMs), `${why}: ${message}`),
  'goal-restated': ({ restatement, durationMs, message = 'no answer' }) =>
    restatement === null
      ? ofRun('quiet', 'goal not restated', undefined, message)
      : ofRun('mind', 'goal restated', took(durationMs), restatement.trim().replace(/\s*\n\s*/g, ' · ')),
  'draft-received': ({ n, model, length, durationMs }) =>
    ofRun('mind', `draft ${n} from ${of(model)}`, `${count(length, 'character')}, ${duration(durationMs)}`),
  'draft-unreadable': ({ n, message }) => ofRun('fail', `draft ${n} cannot be read`, undefined, message),
  'draft-repaired': ({ n, how }) => ofRun('mind', `draft ${n} repaired`, undefined, how.join(', ')),
  'draft-rejected': ({ n, reasons }) =>
    ofRun('fail', `draft ${n} rejected`, undefined, reasons.map(({ message }) => message).join(' ')),
  'hints-given': ({ hints, durationMs }) =>
    ofRun('mind', 'hints for the next draft', took(durationMs), hints.join(' · ') || 'none'),
  'planning-question': ({ question }) => ofRun('wait', 'the planner asks', undefined, question),
  'planning-answered': ({ value }) =>
    ofRun('quiet', value === null ? 'nobody was there to answer the planner' : 'the planner was answered'),
  'plan-proposed': ({ n, proposal }) =>
    ofRun('done', `draft ${n} is a plan`, `confidence ${percent(proposal.confidence.score)}`),
  'feedback-given': ({ step, reason }) => ofRun('quiet', `step declined: ${step}`, undefined, reason),
  'planning-failed': ({ message }) => ofRun('fail', 'no plan', undefined, message),
};

/** Null where it is no fact that this version knows. `name` is what the door calls another step that is spoken of. */
export function tellFact(event: RunEvent, name: Name): Telling | null {
  const teller = (tellers as Record<string, ((event: never, name: Name) => Telling) | undefined>)[event.type];
  return teller === undefined || event.v !== 1 ? null : teller(event as never, name);
}

/** `node_modules (ignored), big.iso (too-large) and 3 more`; `nothing`. */
export function uncoveredWords({ count: n, shown }: UncoveredSummary, most = shown.length): string {
  if (n === 0) return 'nothing';
  const named = shown.slice(0, most).map(({ path, why }) => `${path} (${why})`);
  return named.join(', ') + (n > named.length ? ` and ${n - named.length} more` : '');
}
