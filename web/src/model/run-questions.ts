import { type RunState, stepState } from '@contract';
import { type Help, type Question, stepName } from '@told';

/** What somebody who looks at a run is likely to ask about it. */
export function runQuestions(run: RunState): string[] {
  const failed = run.steps.filter(({ status }) => status === 'failed').slice(0, 2);
  return [
    ...failed.map(({ id }) => `Why did ${stepName(run.plan, id)} fail?`),
    ...(run.steps.some(({ attempts }) => attempts > 0) ? ['What has this run changed?'] : []),
    run.steps.some(({ attempts }) => attempts > 0)
      ? 'What should be done next?'
      : 'What is this plan going to do?',
  ];
}

/** What tells a question from the one before it: what was typed and pressed there is over, however soon the next one came. */
export const questionKey = (run: RunState, question: Question | Help): string =>
  question.kind === 'approval'
    ? question.approval.id
    : `${question.kind} ${question.stepId} ${stepState(run, question.stepId ?? '')?.attempts ?? 0}`;
