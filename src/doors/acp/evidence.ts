import {
  envWords,
  judgementOf,
  type RunState,
  type ShownStep,
  shellText,
} from '../../core/contract/index.ts';
import {
  agreementWords,
  callApprovalWords,
  capital,
  grantWords,
  lookWords,
  needsWords,
  placeOf,
  proposerOf,
  type Question,
  shownVerdict,
  touchedWords,
  undoWords,
  visibleLines,
  weighty,
  wholeOf,
} from '../../core/contract/told/index.ts';
import { printAction } from '../../core/plan/index.ts';
import { actionBlock, fenced } from './cards.ts';

/**
 * What a person decides by, laid out for an editor. All of it stands in fences: an editor reads Markdown, and what a plan or a
 * model wrote must not look like a part of the question. Nothing is cut that an approval is bound to.
 */

const lines = (...all: (string | null | readonly string[])[]): string =>
  fenced(
    all
      .flat()
      .filter((line) => line !== null)
      .map(visibleLines)
      .join('\n'),
  );

const looks = (state: RunState, stepId: string): string[] =>
  lookWords(state, stepId).map((text) => `Before it runs: ${text}`);

/** An approval of a run. */
export function approvalEvidence(
  { step, approval }: Extract<Question, { kind: 'approval' }>,
  state: RunState,
): string {
  const { verdict, subject } = approval;
  const { parts, warning } = wholeOf(approval, state);
  return [
    actionBlock(subject.action),
    lines(
      `${capital(placeOf(state.plan, step.id))} is ${verdict.level}.`,
      warning,
      parts.length === 0 ? null : 'The whole correction, in this order:',
      parts.map(
        ({ step: part, level }) => `  ${level ?? 'not judged'}: ${part.title}: ${printAction(part.action)}`,
      ),
      weighty(verdict).map(({ sentence }) => sentence),
      needsWords(verdict),
      looks(state, step.id),
      `In ${subject.cwd}`,
      subject.env === undefined ? null : `With ${envWords(subject.env)}`,
      `${capital(proposerOf(step, state))}${step.why === undefined ? '' : `: ${step.why}`}`,
      touchedWords(subject),
      undoWords(approval, state),
    ),
  ].join('\n\n');
}

/** A step that is offered, in teacher mode. */
export function offerEvidence(
  { step }: Extract<Question, { kind: 'offer' }>,
  state: RunState,
  explanation: readonly string[],
): string {
  const { verdict, subject } = judgementOf(state, step.id) ?? {};
  return [
    actionBlock(subject?.action ?? step.action),
    lines(
      explanation,
      step.why === undefined ? null : `Why: ${step.why}`,
      step.expects === undefined ? null : `Afterwards: ${step.expects}`,
      verdict === undefined ? [] : weighty(verdict).map(({ sentence }) => sentence),
      verdict === undefined || subject === undefined ? null : undoWords({ verdict, subject }, state),
      looks(state, step.id),
      `In ${subject?.cwd ?? state.session.cwd}`,
    ),
  ].join('\n\n');
}

/** A plan that is to be agreed on: every step to the letter, as it was judged just now. */
export function planEvidence(
  state: RunState,
  shown: readonly ShownStep[],
  approves: readonly ShownStep[],
): string {
  const commands = approves.map(({ subject: { action } }) => shellText(action) ?? printAction(action));
  return lines(
    agreementWords(shown.length, state.workspace, commands),
    ...shown.map((each) => {
      const { subject } = each;
      const verdict = shownVerdict(each, state);
      const title = state.plan?.steps.find(({ id }) => id === subject.stepId)?.title ?? subject.stepId;
      const why = verdict.level === 'dangerous' || verdict.level === 'blocked' ? weighty(verdict) : [];
      return [
        '',
        `${capital(placeOf(state.plan, subject.stepId))} (${verdict.level}): ${title}`,
        `  ${(shellText(subject.action) ?? printAction(subject.action)).replaceAll('\n', '\n  ')}`,
        ...why.map(({ sentence }) => `  ${sentence}`),
        ...(why.length === 0 ? [] : touchedWords(subject).map((line) => `  ${line}`)),
      ];
    }),
  );
}

export const interruptEvidence = ({ step, detail }: Extract<Question, { kind: 'interrupt' }>): string =>
  [
    actionBlock(step.action),
    lines(capital(detail), step.expects === undefined ? null : `If it was done: ${step.expects}`),
  ].join('\n\n');

export const grantEvidence = (message: string, missing: Parameters<typeof grantWords>[0]): string =>
  lines(capital(message), `It wants to ${grantWords(missing).join(', and to ')}.`);

export const sentence = (text: string): string => lines(text);

/** A call of the model in a conversation. */
export const callEvidence = (approval: Parameters<typeof callApprovalWords>[0]): string =>
  lines(
    callApprovalWords(approval),
    `In ${approval.subject.cwd}`,
    // `callApprovalWords` names the first of them only.
    approval.subject.paths.length > 5 ? touchedWords(approval.subject) : [],
  );
