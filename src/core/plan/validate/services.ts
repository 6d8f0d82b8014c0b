import { parseExpects } from '../expects/parse.ts';
import type { Problem } from '../problem.ts';
import { asIfFilled } from './filled.ts';
import { type PlanRule, problemOf } from './rule.ts';

/** Services are started once, stopped after they were started, and say when they are ready. */
export const services: PlanRule = ({ steps }) => {
  const problems: Problem[] = [];
  const running = new Map<string, number>();
  const everStarted = new Set<string>();
  for (const view of steps) {
    const [main] = view.actions;
    if (main === undefined || main.role !== 'do') continue;
    const { action, loop } = main;
    if (action.kind === 'start') {
      const earlier = running.get(action.name);
      if (loop !== null) {
        const mend = 'Start each service in a step of its own.';
        problems.push(
          problemOf(
            view,
            'start-in-loop',
            'error',
            `a loop would start \`${action.name}\` again and again.`,
            mend,
          ),
        );
      } else if (earlier !== undefined) {
        const message = `\`${action.name}\` is already running since step ${earlier + 1}.`;
        problems.push(
          problemOf(view, 'duplicate-service', 'error', message, 'Use another name, or STOP it first.'),
        );
      }
      running.set(action.name, view.index);
      everStarted.add(action.name);
      problems.push(...readiness(view));
    } else if (action.kind === 'stop') {
      if (!running.has(action.name)) {
        const message = everStarted.has(action.name)
          ? `\`${action.name}\` was stopped before.`
          : `\`${action.name}\` was not started before.`;
        const mend = `START ${action.name} in an earlier step, or take this step out.`;
        problems.push(problemOf(view, 'stop-before-start', 'error', message, mend));
      }
      running.delete(action.name);
    }
  }
  return problems;
};

function readiness(view: Parameters<typeof problemOf>[0]): Problem[] {
  const form = view.step.expects === undefined ? null : parseExpects(asIfFilled(view.step.expects));
  if (form === null) {
    const mend = 'Add `expects: port N open` or `expects: url U answers 200`.';
    return [
      problemOf(view, 'service-ready-unknown', 'warning', 'nothing says when the service is ready.', mend),
    ];
  }
  if (form.kind === 'exit') {
    const mend = 'Expect a port or a URL instead.';
    return [
      problemOf(view, 'service-ready-unknown', 'error', 'a service does not exit when it is ready.', mend),
    ];
  }
  return [];
}
