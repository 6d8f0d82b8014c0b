import type { RunState } from '@contract';
import { stepName } from '@told';

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
