import { printAction } from '../action/print.ts';
import type { Problem } from '../problem.ts';
import { problemOf, type Rule } from './rule.ts';

/** Where a secret stands in a text, or null. The risk room has one. */
export type FindSecret = (text: string) => { start: number; end: number; kind: string } | null;

/** No secret stands literally in a plan. The message never repeats the secret. */
export const secretLiterals =
  (findSecret: FindSecret): Rule =>
  ({ plan, steps }) => {
    const problems: Problem[] = [];
    const mend = 'Use an environment variable, or an input with `secret: true`.';
    for (const view of steps) {
      const { step } = view;
      const texts = [
        printAction(step.action),
        step.title,
        step.expects,
        step.why,
        step.undo && printAction(step.undo),
      ];
      for (const text of texts) {
        const found = text === undefined ? null : findSecret(text);
        if (found === null) continue;
        problems.push(
          problemOf(view, 'secret-literal', 'error', `it has a secret in it (${found.kind}).`, mend),
        );
        break;
      }
    }
    const inPlan = [plan.goal, ...(plan.inputs ?? []).flatMap((input) => [input.default, input.description])];
    for (const text of inPlan) {
      const found = text === undefined ? null : findSecret(text);
      if (found === null) continue;
      const message = `The goal or an input has a secret in it (${found.kind}).`;
      problems.push({ code: 'secret-literal', severity: 'error', message, mend });
    }
    return problems;
  };
