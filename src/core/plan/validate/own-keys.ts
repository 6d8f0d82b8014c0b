import { canBeGiven, innermost, MAX_VARIABLE, shellText } from '../../contract/index.ts';
import type { Problem } from '../problem.ts';
import { doneTwice } from '../purpose/halves.ts';
import { type CheckedStep, type PlanRule, problemOf } from './rule.ts';

/** `env` and `retry` stand where they mean something, and say what can be done. */
export const ownKeys: PlanRule = ({ plan, steps }) =>
  steps.flatMap((view) => [...envProblems(view), ...retryProblems(view, plan.shell === 'bash')]);

function envProblems(view: CheckedStep): Problem[] {
  const { env, action } = view.step;
  if (env === undefined) return [];
  if (shellText(innermost(action)) === null) {
    const mend = 'Take `env` out, or make the step a command.';
    return [problemOf(view, 'env-unused', 'error', '`env` is given to a step that starts no program.', mend)];
  }
  return Object.entries(env).flatMap(([name, value]): Problem[] => {
    if (!canBeGiven(name)) {
      const message = `\`env\` sets \`${name}\`, which no step is given.`;
      return [
        problemOf(view, 'wrong-env', 'error', message, 'Take it out, or set it in the command itself.'),
      ];
    }
    if (!value.includes('\0') && value.length <= MAX_VARIABLE) return [];
    const message = `the value of \`${name}\` has a zero byte, or is too long.`;
    return [problemOf(view, 'wrong-env', 'error', message, 'Keep it in a file.')];
  });
}

function retryProblems(view: CheckedStep, isBash: boolean): Problem[] {
  const { retry, action, interactive } = view.step;
  if (retry === undefined) return [];
  if (action.kind === 'ask' || action.kind === 'manual' || interactive === true) {
    const message = '`retry` is given to a step that a person does.';
    return [problemOf(view, 'retry-unused', 'error', message, 'Take `retry` out.')];
  }
  const text = isBash ? shellText(innermost(action)) : null;
  const twice = text === null ? null : doneTwice(text);
  if (twice === null) return [];
  const message = `it is not attempted again once \`${twice.slice(0, 80)}\` has run: that would be done twice.`;
  return [
    problemOf(view, 'retry-twice', 'warning', message, 'Make a step of its own of what may be repeated.'),
  ];
}
