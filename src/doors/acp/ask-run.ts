import type { ToolCallContent } from '@agentclientprotocol/sdk';
import {
  itemAt,
  judgementOf,
  moreAttempts,
  type RequestBody,
  type RunState,
  type ShownStep,
  type StepState,
} from '../../core/contract/index.ts';
import {
  agreementChoices,
  approvalChoices,
  capital,
  failureWords,
  grantChoices,
  helpWanted,
  interruptChoices,
  manualChoices,
  offerChoices,
  openQuestion,
  type Question,
  restingChoices,
  sentenceOf,
  stuckChoices,
  visible,
} from '../../core/contract/told/index.ts';
import type { App } from '../app/app.ts';
import { askText, choose, type Seat, type Unanswered } from './ask.ts';
import { kindOf, locationsOf, textContent } from './cards.ts';
import {
  approvalEvidence,
  grantEvidence,
  interruptEvidence,
  offerEvidence,
  planEvidence,
  sentence,
} from './evidence.ts';
import { stepCard } from './tell-run.ts';
import { proposedDiffs } from './texts.ts';

/**
 * What a run asks, put to whoever sits at the editor; null: nothing that could be asked here. `isBack`: they come back to it,
 * and may want it to go on.
 */
export async function askAboutRun(
  seat: Seat,
  app: App,
  run: string,
  isBack: boolean,
  signal: AbortSignal,
): Promise<RequestBody | Unanswered | null> {
  const exact = await app.runs.state(run);
  const state = app.redactorFor(exact).value(exact);
  const question = openQuestion(state);
  if (question === null) {
    // What was let rest is gone on with as a whole, whatever step it was at.
    if (state.stopReason === 'paused') return isBack ? askToGoOn(seat, run, state, signal) : null;
    return askForHelp(seat, run, state, signal);
  }
  switch (question.kind) {
    case 'agreement':
      return agree(seat, app, run, exact, state, signal);
    case 'planner': {
      const answer = await askText(seat, `The planner asks: ${question.text}`, signal);
      return typeof answer === 'string' ? answer : { type: 'answer-given', value: answer.text };
    }
    case 'ask': {
      const { stepId } = question;
      const answer = await askText(seat, question.text, signal);
      return typeof answer === 'string' ? answer : { type: 'answer-given', stepId, value: answer.text };
    }
    default:
      return decide(seat, app, run, question, exact, state, signal);
  }
}

async function decide(
  seat: Seat,
  app: App,
  run: string,
  question: Exclude<Question, { kind: 'agreement' | 'planner' }>,
  exact: RunState,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | Unanswered> {
  const { stepId } = question;
  const card = (content: ToolCallContent[]) => cardOf(run, state, stepId, content);
  switch (question.kind) {
    case 'approval': {
      const { id: approvalId, subject } = question.approval;
      const diffs = app.redactorFor(exact).value(proposedDiffs(subject.action, subject.cwd, state.workspace));
      const content = [textContent(approvalEvidence(question, state)), ...diffs];
      const answer = await choose(seat, card(content), approvalChoices, signal);
      if (typeof answer === 'string') return answer;
      const decision = answer.decision as 'approve' | 'deny' | 'abort';
      return { type: 'approval-decided', approvalId, decision };
    }
    case 'offer': {
      const { explanationLines } = await import('../../core/risk/explain/index.ts');
      const content = [textContent(offerEvidence(question, state, explanationLines(question.step.action)))];
      const answer = await choose(seat, card(content), offerChoices, signal);
      if (typeof answer === 'string') return answer;
      const decision = answer.decision as 'run' | 'did-it' | 'skip' | 'stop';
      return { type: 'step-decided', stepId, decision };
    }
    case 'ask':
    case 'manual': {
      const answer = await choose(seat, card([textContent(sentence(question.text))]), manualChoices, signal);
      if (typeof answer === 'string') return answer;
      return answer.decision === 'done' ? { type: 'answer-given', stepId } : { type: 'pause-requested' };
    }
    case 'interrupt': {
      const { attemptIndex } = question;
      const answer = await choose(
        seat,
        card([textContent(interruptEvidence(question))]),
        interruptChoices,
        signal,
      );
      if (typeof answer === 'string') return answer;
      return { type: 'interrupt-decided', stepId, attemptIndex, decision: answer.decision };
    }
  }
}

/** The card that the attempt will have, if there is one. */
function cardOf(run: string, state: RunState, stepId: string, content: ToolCallContent[]) {
  const at = state.plan?.steps.findIndex(({ id }) => id === stepId) ?? -1;
  const step = state.plan?.steps[at];
  const { subject } = judgementOf(state, stepId) ?? {};
  const action = subject?.action ?? step?.action;
  return {
    toolCallId: stepCard(run, stepId, itemAt(state.steps, at)?.attempts ?? 0),
    title: visible(step?.title ?? stepId),
    ...(action === undefined
      ? {}
      : {
          kind: kindOf(action),
          locations: locationsOf(action, subject?.cwd ?? state.session.cwd, subject?.paths),
        }),
    content,
  };
}

const isOpen = ({ status }: StepState): boolean => status === 'pending' || status === 'failed';

/** A yes approves the dangerous steps, each as it was shown here and now. */
async function agree(
  seat: Seat,
  app: App,
  run: string,
  exact: RunState,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | Unanswered> {
  const excluded = state.options?.excluded ?? [];
  const open = new Set(
    state.steps.filter((step) => isOpen(step) && !excluded.includes(step.id)).map(({ id }) => id),
  );
  const shown = (await app.runs.preview(run)).filter(({ subject }) => open.has(subject.stepId));
  const isTaught = state.options?.mode === 'teacher' && (state.planning?.steppedFrom ?? null) === null;
  const approves: ShownStep[] = isTaught
    ? []
    : shown.filter(({ verdict }) => verdict.level === 'dangerous' || verdict.level === 'blocked');
  const redactor = app.redactorFor(exact);
  const evidence = planEvidence(state, redactor.value(shown), redactor.value(approves));
  const card = {
    toolCallId: `${run}:plan:${state.plan!.revision}`,
    title: visible(state.plan!.goal),
    kind: 'think' as const,
    content: [textContent(evidence)],
  };
  const choices = agreementChoices({ dangerous: approves.length, isTaught });
  const answer = await choose(seat, card, choices, signal);
  if (typeof answer === 'string') return answer;
  const { decision } = answer;
  const body = { type: 'plan-decided', revision: state.plan!.revision } as const;
  if (decision === 'asking') return { ...body, decision: 'all' };
  return decision === 'all' && approves.length > 0 ? { ...body, decision, approves } : { ...body, decision };
}

async function askToGoOn(
  seat: Seat,
  run: string,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | Unanswered> {
  const content = [textContent(sentence(`${sentenceOf(state).text}.`))];
  const card = {
    toolCallId: `${run}:resting:${state.seq}`,
    title: visible(state.plan?.goal ?? 'The plan'),
    content,
  };
  const answer = await choose(seat, card, restingChoices, signal);
  if (typeof answer === 'string') return answer;
  if (answer.decision === 'leave') return 'left';
  return { type: answer.decision === 'abort' ? 'cancel-requested' : 'resume-requested' };
}

/** A run that stands because of a step, and that a person could help on. */
async function askForHelp(
  seat: Seat,
  run: string,
  state: RunState,
  signal: AbortSignal,
): Promise<RequestBody | Unanswered | null> {
  const help = helpWanted(state);
  if (help === null || help.kind === 'interrupt') return null;
  const { stepId } = help;
  const { result } = help.state;
  if (help.kind === 'grant') {
    const missing = result?.missing ?? {};
    const content = [textContent(grantEvidence(result?.message ?? '', missing))];
    const answer = await choose(seat, cardOf(run, state, stepId, content), grantChoices, signal);
    if (typeof answer === 'string') return answer;
    return answer.decision === 'grant' ? { type: 'retry-requested', stepId, grants: missing } : 'left';
  }
  const brain = state.options?.mode === 'agentic';
  const content = [textContent(sentence(capital(failureWords(result))))];
  const choices = stuckChoices({ brain, models: false });
  const answer = await choose(seat, cardOf(run, state, stepId, content), choices, signal);
  if (typeof answer === 'string') return answer;
  switch (answer.decision) {
    case 'skip':
      return { type: 'skip-requested', stepId };
    case 'retry':
      return { type: 'retry-requested', stepId };
    case 'more':
      return { type: 'resume-requested', limits: moreAttempts(state.options!.limits) };
    case 'abort':
      return { type: 'cancel-requested' };
    default:
      return 'left';
  }
}
