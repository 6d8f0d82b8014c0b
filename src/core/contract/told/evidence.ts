import type { Action, RunState, ShownStep } from '../index.ts';
import { agreementWords } from './agreeing.ts';
import { needsWords, proposerOf, undoWords, weighty, wholeOf } from './approval.ts';
import { placeOf } from './numbering.ts';
import { touchedWords } from './paths.ts';
import type { Question } from './question.ts';
import { lookWords } from './steps.ts';
import { capital, envWords } from './text.ts';
import { visible, visibleLines } from './visible.ts';

type Print = (action: Action) => string;

/**
 * What a person needs to decide an open question, line by line, for doors that have no layout of their own. Nothing that
 * is decided by is cut, and nothing in it hides. `shown`: the steps of a plan as they are judged now, where it is agreed on.
 */
export function evidenceOf(
  question: Question,
  state: RunState,
  print: Print,
  shown: readonly ShownStep[] = [],
): string[] {
  if (question.kind === 'planner') return [`The planner asks: ${visibleLines(question.text)}`];
  if (question.kind === 'agreement') return agreement(state, print, shown);
  const { step } = question;
  const why = step.why === undefined ? [] : [`Why: ${visible(step.why)}`];
  const heading = `${capital(placeOf(state.plan, step.id))}: ${visible(step.title)}`;
  switch (question.kind) {
    case 'approval': {
      const { verdict, subject } = question.approval;
      const { parts, warning } = wholeOf(question.approval, state);
      const needs = needsWords(verdict);
      return [
        `${capital(placeOf(state.plan, step.id))} is ${verdict.level}: ${visible(step.title)}`,
        visibleLines(print(subject.action)),
        ...weighty(verdict).map(({ sentence }) => sentence),
        ...(warning === null ? [] : [warning]),
        ...(parts.length === 0 ? [] : ['The whole correction, in this order:']),
        ...parts.map(
          (part, at) => `${at + 1}. ${visible(part.step.title)}: ${visible(print(part.step.action))}`,
        ),
        ...(needs === null ? [] : [needs]),
        ...lookWords(state, step.id).map((text) => `Before it runs: ${text}`),
        `In ${visible(subject.cwd)}`,
        ...(subject.env === undefined ? [] : [`With ${visible(envWords(subject.env))}`]),
        capital(proposerOf(step, state)),
        ...why,
        ...touchedWords(subject),
        undoWords(question.approval, state),
      ];
    }
    case 'interrupt':
      return [
        `Was ${placeOf(state.plan, step.id)} done? ${visible(step.title)}`,
        visibleLines(print(step.action)),
        capital(question.detail),
      ];
    case 'offer':
      return [heading, visibleLines(print(step.action)), ...why];
    case 'ask':
    case 'manual':
      return [heading, visibleLines(question.text), ...why];
  }
}

function agreement(
  { plan, workspace, options }: RunState,
  print: Print,
  shown: readonly ShownStep[],
): string[] {
  const steps = plan?.steps ?? [];
  const judged = new Map(shown.map(({ subject, verdict }) => [subject.stepId, verdict]));
  return [
    visible(plan?.goal ?? ''),
    ...steps.map((step, at) => {
      const verdict = judged.get(step.id);
      const level = verdict === undefined || verdict.level === 'safe' ? '' : ` (${verdict.level})`;
      return `${at + 1}. ${visible(step.title)}${level}: ${visibleLines(print(step.action))}`;
    }),
    `In ${options?.mode ?? 'planner'} mode.`,
    // Agreeing by such a door approves nothing dangerous: each is asked about by itself.
    agreementWords(steps.length, visible(workspace), []),
  ];
}
