import {
  type Action,
  canonical,
  correctionOf,
  type FactBody,
  type Grants,
  isLoop,
  judgementOf,
  type LoopAction,
  MAX_ITEMS,
  partsOf,
  type RunOptions,
  type RunState,
  type Step,
  type StepJudgement,
  type StepResult,
  type StepState,
  type Subject,
  stepState,
  type Warning,
} from '../contract/index.ts';
import { wholeWords } from '../contract/told/index.ts';
import { isApproved, needsApproval } from '../stream/index.ts';
import { asJudged } from './as-judged.ts';
import { checkpointFirst } from './checkpoint.ts';
import { doneByPerson, failedResult, nothingToDo } from './results.ts';
import { look, paused, type RunEffect, record, rest } from './work.ts';

interface Due {
  step: Step;
  stepState: StepState;
}

/**
 * What to do with the step that is due.
 *
 *   a dependency did not succeed ▶ skip │ a question or work by hand ▶ ask │ a loop ▶ freeze, go round, complete
 *   not judged ▶ judge │ teacher mode ▶ offer │ blocked ▶ fail │ dangerous ▶ ask for approval │ else ▶ attempt
 */
export function advance(state: RunState, options: RunOptions, due: Due, now: number): RunEffect {
  const { step, stepState } = due;
  const unmet = step.after?.find((id) => !isSatisfied(state, id));
  if (unmet !== undefined) {
    return record({ type: 'step-skipped', stepId: step.id, reason: 'dependency', detail: unmet });
  }
  if (stepState.notBefore !== null && now < stepState.notBefore) return rest('later', stepState.notBefore);
  const { action } = step;
  if (action.kind === 'ask' || action.kind === 'manual') return question(state, options, due, action);
  if (isLoop(action)) {
    const round = goRound(state, due, action);
    if (round !== null) return round;
  }
  if (options.mode === 'teacher' && !stepState.accepted) return offer(state, options, due);
  return attempt(state, options, due, now);
}

function attempt(state: RunState, options: RunOptions, due: Due, now: number): RunEffect {
  const { step, stepState } = due;
  if (isAsking(state, step.id) && options.onAsk === 'wait') return rest('waiting');
  const { attempts, loop } = stepState;
  const judged = judgementOf(state, step.id);
  if (judged === null) return look({ kind: 'judge', state, step, stepState });
  if (judged.verdict.level === 'blocked') {
    const { reasons } = judged.verdict;
    return record(refused(due, 'blocked', reasons[0]?.sentence ?? 'it is blocked'));
  }
  const whole = approveWhole(state, options, due);
  if (whole !== null) return whole;
  if (options.mode === 'agentic' && loop === null && !stepState.prechecked && judged.warnings?.[0]) {
    return record(foreseen(due, judged.warnings));
  }
  const lacks = lackOf(state, due);
  if (lacks !== null) return record(lacks);
  if (needsApproval(asJudged(state, stepState)!) && !isApproved(state.approvals, judged.fingerprint)) {
    return askApproval(state, options, due, judged);
  }
  const checkpoint = checkpointFirst(state, options, due);
  if (checkpoint !== null) return checkpoint;
  const timeout = step.timeoutMs ?? options.stepTimeoutMs;
  const item = loop === null ? null : loop.done;
  return {
    kind: 'perform',
    intent: [
      {
        type: 'step-started',
        stepId: step.id,
        attemptIndex: attempts,
        revision: stepState.revision,
        fingerprint: judged.fingerprint,
        cwd: state.session.cwd,
        deadline: timeout === null ? null : now + timeout,
        title: step.title,
        ...(item === null ? {} : { item }),
      },
    ],
    work: { kind: 'attempt', state, step, stepState, judged, attemptIndex: attempts, item },
  };
}

/**
 * A correction is judged whole before any of it runs: what it holds that is dangerous is asked about first, so that its
 * harmless half has not run when a person says no to the rest. Null where nothing stands in its way.
 */
function approveWhole(state: RunState, options: RunOptions, { stepState }: Due): RunEffect | null {
  const parts = partsOf(state, stepState.correction);
  if (parts.length < 2 || parts.some(({ stepState: { status } }) => status !== 'pending')) return null;
  const unseen = parts.find(({ step }) => judgementOf(state, step.id) === null);
  if (unseen !== undefined) return look({ kind: 'judge', state, ...unseen });
  const blocked = parts.find(({ step }) => judgementOf(state, step.id)?.verdict.level === 'blocked');
  if (blocked !== undefined) {
    const [reason] = judgementOf(state, blocked.step.id)!.verdict.reasons;
    return record(refused(blocked, 'blocked', reason?.sentence ?? 'it is blocked'));
  }
  for (const part of parts) {
    const lacks = lackOf(state, part);
    if (lacks !== null) return record(lacks);
  }
  for (const part of parts) {
    const judged = judgementOf(state, part.step.id)!;
    if (needsApproval(asJudged(state, part.stepState)!) && !isApproved(state.approvals, judged.fingerprint))
      return askApproval(state, options, part, judged);
  }
  return null;
}

/** What it is known to lack in its sandbox, where nobody has been asked for that: asked first, nothing is tried in vain. */
function lackOf(state: RunState, { step, stepState: { wants, attempts } }: Due): FactBody | null {
  const missing = judgementOf(state, step.id)?.missing;
  if (missing === undefined || wants !== null) return null;
  return { type: 'grant-wanted', stepId: step.id, attemptIndex: attempts, grants: missing };
}

const failed = ({ step, stepState }: Due, result: StepResult): FactBody => ({
  type: 'step-failed',
  stepId: step.id,
  attemptIndex: stepState.attempts,
  title: step.title,
  result,
});

const refused = (due: Due, why: 'blocked' | 'denied' | 'unsupported', message: string): FactBody =>
  failed(due, failedResult(why, message));

/** It would fail: the brain has a look at it first. */
const foreseen = (due: Due, warnings: readonly Warning[]): FactBody =>
  failed(due, {
    ...failedResult('precheck', warnings.map(({ message }) => message).join(' ')),
    exitCode: warnings[0]!.exitCode,
    stderrTail: warnings.map(({ said }) => `${said}\n`).join(''),
  });

/** A step that the person left out is as good as done for those that come after it. */
function isSatisfied(state: RunState, id: string): boolean {
  const step = stepState(state, id);
  return step?.status === 'done' || step?.skipReason === 'not-selected';
}

/** Freezes the items, or completes the loop; null where an item is due. */
function goRound(state: RunState, due: Due, action: LoopAction): RunEffect | null {
  const { step, stepState } = due;
  const { loop } = stepState;
  if (loop === null) {
    const list = action.kind === 'for-each' ? state.values[action.list] : null;
    if (action.kind === 'for-each' && !Array.isArray(list)) {
      return record(refused(due, 'unsupported', `there is no list ${action.list} to go through`));
    }
    const count = action.kind === 'repeat' ? action.times : (list?.length ?? 0);
    if (count > MAX_ITEMS) {
      return record(refused(due, 'unsupported', `${count} items are too many: at most ${MAX_ITEMS}`));
    }
    return record({ type: 'loop-frozen', stepId: step.id, count });
  }
  if (loop.done < loop.count) return null;
  return record({
    type: 'step-completed',
    stepId: step.id,
    attemptIndex: Math.max(0, stepState.attempts - 1),
    result: nothingToDo(loop.count === 0 ? 'there was nothing to go through' : `did all ${loop.count} items`),
    by: 'driver',
  });
}

function question(
  state: RunState,
  options: RunOptions,
  due: Due,
  action: Extract<Action, { kind: 'ask' | 'manual' }>,
): RunEffect {
  const { step, stepState } = due;
  const given = action.kind === 'ask' ? state.values[action.as] : undefined;
  if (typeof given === 'string' && action.kind === 'ask') {
    const result = { ...doneByPerson, captured: { key: action.as, value: given } };
    const { attempts: attemptIndex } = stepState;
    return record({ type: 'step-completed', stepId: step.id, attemptIndex, result, by: 'person' });
  }
  if (options.onAsk === 'deny') return record(refused(due, 'denied', 'nobody was there to answer'));
  const text = textOf(action);
  const asked: FactBody[] = stepState.asked
    ? []
    : [{ type: 'question-asked', stepId: step.id, kind: action.kind, text }];
  if (options.onAsk === 'fail')
    return record(...asked, paused('decision-needed', `nobody was there to answer: ${text}`));
  return stepState.asked ? rest('waiting') : record(...asked);
}

const textOf = (action: Extract<Action, { kind: 'ask' | 'manual' }>): string =>
  action.kind === 'ask' ? action.question : action.text;

/** What a look has against a step is part of what a person decides by: it comes before the question. */
function offer(state: RunState, options: RunOptions, due: Due): RunEffect {
  const { offered, id: stepId } = due.stepState;
  const judged = judgementOf(state, stepId);
  if (offered && options.onAsk === 'wait') return rest('waiting');
  if (judged === null && options.onAsk === 'wait') return look({ kind: 'judge', state, ...due });
  if (options.onAsk === 'wait') return record({ type: 'step-offered', stepId });
  return record(paused('decision-needed', 'in teacher mode a person runs each step, and nobody was there'));
}

const isAsking = (state: RunState, stepId: string): boolean =>
  state.approvals.some((approval) => approval.stepId === stepId && approval.status === 'needed');

function askApproval(state: RunState, options: RunOptions, due: Due, judged: StepJudgement): RunEffect {
  const { verdict, subject, fingerprint } = judged;
  const open = state.approvals.find((a) => a.fingerprint === fingerprint && a.status === 'needed');
  const approvalId = open?.id ?? `${subject.stepId}.${state.approvals.length + 1}`;
  if (open !== undefined && options.onAsk === 'wait') return rest('waiting');
  const told = { approvalId, verdict, subject, fingerprint, ...warning(state, due, subject) };
  const asked: FactBody[] = open === undefined ? [{ type: 'approval-needed', ...told }] : [];
  if (options.onAsk === 'wait') return record(...asked);
  if (options.onAsk === 'fail') return record(...asked, stopForApproval(due));
  return record(
    ...asked,
    { type: 'approval-denied', approvalId, reason: 'nobody was there to approve' },
    refused(due, 'denied', 'nobody was there to approve it'),
  );
}

/** Who proposed it, what it wants beyond its sandbox, and what has changed since it was approved. */
function warning(state: RunState, { stepState }: Due, subject: Subject): { warningMessage?: string } {
  const parts = [
    ...proposer(state, stepState),
    ...(stepState.wants === null ? [] : [`It wants ${describeGrants(stepState.wants)} beyond its sandbox.`]),
    ...changed(state, subject),
  ];
  return parts.length === 0 ? {} : { warningMessage: parts.join(' ') };
}

/** Who proposed it and why, and all of it where it is more than this step. */
function proposer(state: RunState, stepState: StepState): string[] {
  const known = correctionOf(state, stepState.correction);
  if (known === undefined) return [];
  const { source, reasoning } = known.correction;
  const parts = partsOf(state, stepState.correction);
  const whole = parts.length < 2 ? [] : [wholeWords(parts.map(({ step }) => step.title))];
  return [`Proposed by ${source.brain} ${source.name}: ${reasoning}`, ...whole];
}

function describeGrants({ network, write, privilege }: Grants): string {
  const parts = [
    ...(network ? ['the network'] : []),
    ...(write ?? []).map((path) => `to write ${path}`),
    ...(privilege ? ['privilege'] : []),
  ];
  return parts.join(', ');
}

/** What is no longer as it was when this step was approved before. */
function changed(state: RunState, now: Subject): string[] {
  const before = state.approvals.findLast(
    ({ stepId, status }) => stepId === now.stepId && status === 'granted',
  );
  if (before === undefined) return [];
  const added = now.paths.filter((path) => !before.subject.paths.includes(path)).length;
  const gone = before.subject.paths.filter((path) => !now.paths.includes(path)).length;
  const parts = [
    ...(canonical(before.subject.action) === canonical(now.action) ? [] : ['the action is another']),
    ...(before.subject.cwd === now.cwd ? [] : [`it runs in ${now.cwd} now`]),
    ...(canonical(before.subject.env ?? {}) === canonical(now.env ?? {}) ? [] : ['its variables are others']),
    ...(before.subject.definitions === now.definitions ? [] : ['what it uses is defined otherwise']),
    ...(before.subject.unknownPaths === now.unknownPaths ? [] : ['what cannot be shown of it is another']),
    ...(added + gone === 0 ? [] : [`${added} paths more and ${gone} fewer than were shown`]),
  ];
  return parts.length === 0 ? [] : [`Changed since it was approved: ${parts.join(', ')}.`];
}

const stopForApproval = ({ stepState: { wants } }: Due): FactBody => {
  const what = wants === null ? 'a dangerous step' : `a step that wants ${describeGrants(wants)}`;
  return paused('approval-needed', `${what} needs an approval, and nobody was there`);
};
