import { fieldsOf, pathsOf, type SimpleAction, shellText } from '../../contract/index.ts';
import type { Problem } from '../problem.ts';
import { type PlanRule, type PlanView, problemOf } from './rule.ts';
import { emptyPromise, examplePath, isTemplateName, openLine, standInOf } from './stand-in.ts';

const writtenText = (action: SimpleAction): string | null => {
  const found = fieldsOf(action).find(({ slot }) => slot.slot === 'string' && slot.kept);
  return found === undefined ? null : String(found.value);
};

/** What `{name}` may stand for: inputs, what steps make, and the keys of loops. */
const knownNames = ({ plan, steps }: PlanView): ReadonlySet<string> =>
  new Set([
    'item',
    'index',
    ...(plan.inputs ?? []).map(({ name }) => name),
    ...steps.flatMap(({ actions }) => actions.flatMap(({ action }) => madeBy(action))),
  ]);

const madeBy = (action: SimpleAction): string[] =>
  fieldsOf(action).flatMap(({ slot, value }) => (slot.slot === 'as' ? [String(value)] : []));

export const realContent: PlanRule = (plan) => {
  const problems: Problem[] = [];
  const known = knownNames(plan);
  for (const view of plan.steps) {
    for (const { action } of view.actions) {
      const written = writtenText(action);
      const text = written ?? shellText(action);
      if (text === null) continue;
      const isTemplate = written !== null && pathsOf(action).some(({ path }) => isTemplateName(path));
      const found = (isTemplate ? null : standInOf(text)) ?? (written === null ? examplePath(text) : null);
      if (found !== null) {
        const mend = 'Write the real text, or declare an input and use {name}.';
        problems.push(
          problemOf(view, 'placeholder-content', 'error', `\`${found}\` stands for something real.`, mend),
        );
      } else if (written !== null) {
        const empty = emptyPromise(written, known);
        if (empty !== null) {
          const message =
            empty === 'note' ? 'its text only says what should be there.' : 'its text leaves something out.';
          problems.push(
            problemOf(view, 'placeholder-content', 'error', message, 'Write the whole real text.'),
          );
        } else if (openLine.test(written)) {
          const message = 'its text has a line that is still to be done.';
          problems.push(
            problemOf(view, 'placeholder-content', 'warning', message, 'Write it, if it is needed now.'),
          );
        }
      } else if (/(?:^|\s)(?:\.{3}|…)(?=\s|$)/.test(text)) {
        const mend = 'Write the real arguments.';
        problems.push(
          problemOf(view, 'placeholder-content', 'warning', 'its command has `...` as a word.', mend),
        );
      }
    }
  }
  return problems;
};
