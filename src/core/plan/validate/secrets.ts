import type { Problem } from '../problem.ts';
import { type PlanRule, problemOf, textsIn } from './rule.ts';

/** The kind of secret that stands in a text, if any. The risk room has one. */
export type FindSecret = (text: string) => { kind: string } | null | undefined;

/** No secret stands literally in a plan. The message never repeats the secret. */
export const secretLiterals =
  (findSecret: FindSecret): PlanRule =>
  ({ plan, steps }) => {
    const problems: Problem[] = [];
    const mend = 'Use an environment variable, or an input with `secret: true`.';
    for (const view of steps) {
      const { step } = view;
      for (const text of textsIn([step.action, step.undo, step.title, step.expects, step.why, step.env])) {
        const found = findSecret(text);
        if (!found) continue;
        problems.push(
          problemOf(view, 'secret-literal', 'error', `it has a secret in it (${found.kind}).`, mend),
        );
        break;
      }
    }
    const inPlan = [plan.goal, ...(plan.inputs ?? []).flatMap((input) => [input.default, input.description])];
    for (const text of textsIn(inPlan)) {
      const found = findSecret(text);
      if (!found) continue;
      const message = `The goal or an input has a secret in it (${found.kind}).`;
      problems.push({ code: 'secret-literal', severity: 'error', message, mend });
    }
    return problems;
  };
