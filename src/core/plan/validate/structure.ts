import { type ActionKind, Plan } from '../../contract/index.ts';
import { shellText } from '../../shell/index.ts';
import { MAX_LOOP_ITEMS } from '../action/grammar.ts';
import { nearMissOfExpects } from '../expects/parse.ts';
import { MAX_STEPS } from '../limits.ts';
import type { Problem } from '../problem.ts';
import { asIfFilled } from './filled.ts';
import { type PlanView, problemOf, type Rule } from './rule.ts';

/** The contract's own schema, for plans that did not come from a file. */
export function schemaProblems(plan: unknown): Problem[] {
  const result = Plan.safeParse(plan);
  if (result.success) return [];
  return result.error.issues.map((issue): Problem => {
    const step = issue.path[0] === 'steps' && typeof issue.path[1] === 'number' ? issue.path[1] : null;
    const place = step === null ? 'The plan' : `Step ${step + 1}`;
    const where = issue.path.slice(step === null ? 0 : 2).join('.');
    const loop = issue.path.at(-1) === 'times';
    return {
      code: loop ? 'loop-limit' : 'invalid-plan',
      severity: 'error',
      message: `${place}: ${where === '' ? '' : `${where}: `}${issue.message}.`,
      mend: loop ? `Repeat from 1 to ${MAX_LOOP_ITEMS} times.` : 'Use the shapes of the plan schema.',
    };
  });
}

export const sizes: Rule = ({ plan }) => {
  const problems: Problem[] = [];
  if (plan.steps.length > MAX_STEPS) {
    const message = `The plan has ${plan.steps.length} steps; ${MAX_STEPS} is the most.`;
    problems.push({ code: 'too-many-steps', severity: 'error', message, mend: 'Split it, or use a loop.' });
  }
  return problems;
};

/** Only the kinds of action that whoever asks allows, in loops and undos too. */
export const allowedActions =
  (allowed: readonly ActionKind[]): Rule =>
  ({ steps }) =>
    steps.flatMap((view) => {
      const kinds: ActionKind[] = [view.step.action.kind, ...view.actions.map((each) => each.action.kind)];
      const wrong = kinds.find((kind) => !allowed.includes(kind));
      if (wrong === undefined) return [];
      const mend = `Use one of: ${allowed.map(keywordOf).join(', ')}.`;
      return [
        problemOf(view, 'action-not-allowed', 'error', `${keywordOf(wrong)} is not allowed here.`, mend),
      ];
    });

/** Putting back is what an undo makes for itself. */
export const noRestore: Rule = ({ steps }) =>
  steps.flatMap((view) =>
    view.step.action.kind === 'restore'
      ? [
          problemOf(
            view,
            'action-not-allowed',
            'error',
            'it puts back what a run changed.',
            'Use `planwright undo`.',
          ),
        ]
      : [],
  );

const keywordOf = (kind: ActionKind) => kind.toUpperCase().replaceAll('-', '_');

/** A command is one line, and no shell text carries what a shell cannot read. */
export const singleLine: Rule = ({ steps }) =>
  steps.flatMap((view) =>
    view.actions.flatMap(({ action }) => {
      const text = shellText(action);
      if (text === null) return [];
      if (text.includes('\0')) {
        return [
          problemOf(view, 'control-character', 'error', 'its command has a zero byte.', 'Take it out.'),
        ];
      }
      if (action.kind === 'run-command' && /[\n\r]/.test(text)) {
        const mend = 'Use RUN_SCRIPT, or `run: |` in a plan file.';
        return [problemOf(view, 'multi-line-command', 'error', 'RUN_COMMAND has several lines.', mend)];
      }
      return [];
    }),
  );

export const expectsForms: Rule = ({ steps }) =>
  steps.flatMap((view) => {
    const usage = view.step.expects === undefined ? null : nearMissOfExpects(asIfFilled(view.step.expects));
    if (usage === null) return [];
    const message = '`expects` is nearly a form that is checked, and will not be checked.';
    return [problemOf(view, 'expects-unclear', 'warning', message, `Write it like: ${usage}.`)];
  });

/** Ids are unique; `after` names steps that exist and come earlier; nothing waits for itself. */
export const dependencies: Rule = (view) => {
  const { steps } = view;
  const problems: Problem[] = [];
  const positions = new Map<string, number>();
  for (const each of steps) {
    if (positions.has(each.step.id)) {
      const message = `its id \`${each.step.id}\` is taken.`;
      problems.push(problemOf(each, 'duplicate-id', 'error', message, 'Give each step its own id.'));
    } else positions.set(each.step.id, each.index);
  }
  for (const each of steps) {
    for (const id of each.step.after ?? []) {
      const position = positions.get(id);
      if (position === undefined) {
        const mend = 'Name a step of this plan.';
        problems.push(
          problemOf(each, 'after-unknown', 'error', `\`after\` names \`${id}\`, which does not exist.`, mend),
        );
      } else if (position === each.index) {
        problems.push(
          problemOf(each, 'after-self', 'error', 'it waits for itself.', 'Take it out of its own `after`.'),
        );
      } else if (position > each.index) {
        const message = `\`after\` names step ${position + 1}, which comes later.`;
        problems.push(
          problemOf(each, 'after-later', 'error', message, 'Move that step up, or this one down.'),
        );
      }
    }
  }
  return [...problems, ...cycles(view, positions)];
};

const MAX_CYCLES = 20;

/** One problem for each step on which a circle of `after` closes. Iterative: a plan may have 10,000 steps. */
function cycles({ steps }: PlanView, positions: ReadonlyMap<string, number>): Problem[] {
  const problems: Problem[] = [];
  const state = new Uint8Array(steps.length);
  const [OPEN, DONE] = [1, 2];
  const targets = (index: number) =>
    (steps[index]!.step.after ?? [])
      .map((id) => positions.get(id))
      .filter((at) => at !== undefined && at !== index) as number[];
  for (let root = 0; root < steps.length && problems.length < MAX_CYCLES; root++) {
    if (state[root] !== 0) continue;
    const stack: { at: number; left: number[] }[] = [{ at: root, left: targets(root) }];
    state[root] = OPEN;
    while (stack.length > 0 && problems.length < MAX_CYCLES) {
      const top = stack.at(-1)!;
      const next = top.left.pop();
      if (next === undefined) {
        state[top.at] = DONE;
        stack.pop();
      } else if (state[next] === OPEN) {
        const from = stack.findIndex((each) => each.at === next);
        const numbers = stack.slice(from).map((each) => each.at + 1);
        const message = `steps ${[...numbers, next + 1].join(' → ')} wait for each other.`;
        problems.push(
          problemOf(steps[next]!, 'after-cycle', 'error', message, 'Take one of them out of an `after`.'),
        );
      } else if (state[next] === 0) {
        state[next] = OPEN;
        stack.push({ at: next, left: targets(next) });
      }
    }
  }
  return problems;
}
