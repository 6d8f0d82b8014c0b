import {
  ACTIONS,
  type ActionKind,
  type ActionOf,
  isToolName,
  MAX_ITEMS,
  Plan,
  readCall,
  readMcpName,
  shellText,
  TOOLS,
  toolNames,
} from '../../contract/index.ts';
import { nearMissOfExpects } from '../expects/parse.ts';
import { MAX_STEPS } from '../limits.ts';
import type { Problem } from '../problem.ts';
import { asIfFilled } from './filled.ts';
import { type CheckedStep, type PlanRule, problemOf } from './rule.ts';

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
      mend: loop ? `Repeat from 1 to ${MAX_ITEMS} times.` : 'Use the shapes of the plan schema.',
    };
  });
}

export const sizes: PlanRule = ({ plan }) => {
  const problems: Problem[] = [];
  if (plan.steps.length > MAX_STEPS) {
    const message = `The plan has ${plan.steps.length} steps; ${MAX_STEPS} is the most.`;
    problems.push({ code: 'too-many-steps', severity: 'error', message, mend: 'Split it, or use a loop.' });
  }
  return problems;
};

/** Only the kinds of action that whoever asks allows, in loops and undos too. */
export const allowedActions =
  (allowed: readonly ActionKind[]): PlanRule =>
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
export const noRestore: PlanRule = ({ steps }) =>
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

/** What nobody could perform is said before the run, not in it: tools that are not there, and no one is asked in a loop. */
export const performable: PlanRule = ({ steps }) =>
  steps.flatMap((view) =>
    view.actions.flatMap(({ action, loop }) => {
      if (action.kind === 'call-tool') {
        return toolProblems(view, action);
      }
      if (loop === null || (action.kind !== 'ask' && action.kind !== 'manual')) return [];
      const message = `${keywordOf(action.kind)} inside a loop.`;
      return [problemOf(view, 'ask-in-loop', 'error', message, 'Ask in a step of its own.')];
    }),
  );

function toolProblems(view: CheckedStep, { tool, args }: ActionOf<'call-tool'>): Problem[] {
  if (readMcpName(tool) !== null) return [];
  if (!isToolName(tool)) {
    const message = `there is no tool \`${tool}\`.`;
    const known = toolNames.filter((name) => TOOLS[name].inPlans === true).join(', ');
    return [problemOf(view, 'tool-unknown', 'error', message, `Use one of: ${known}; or RUN_COMMAND.`)];
  }
  const { inPlans } = TOOLS[tool];
  if (inPlans !== true) {
    const message = `\`${tool}\` is no tool of plans.`;
    return [problemOf(view, 'tool-unknown', 'error', message, `Use ${inPlans}.`)];
  }
  const read = readCall(tool, args);
  if (read.ok) return [];
  return [
    problemOf(view, 'tool-arguments', 'error', `${read.message}.`, 'Give the arguments that it takes.'),
  ];
}

const keywordOf = (kind: ActionKind) => ACTIONS[kind].keyword;

/** A command is one line, and no shell text carries what a shell cannot read. */
export const singleLine: PlanRule = ({ steps }) =>
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

export const expectsForms: PlanRule = ({ steps }) =>
  steps.flatMap((view) => {
    const usage = view.step.expects === undefined ? null : nearMissOfExpects(asIfFilled(view.step.expects));
    if (usage === null) return [];
    const message = '`expects` is nearly a form that is checked, and will not be checked.';
    return [problemOf(view, 'expects-unclear', 'warning', message, `Write it like: ${usage}.`)];
  });

/** Ids are unique; `after` names steps that exist and come earlier, so that no circle is possible. */
export const dependencies: PlanRule = ({ steps }) => {
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
  return problems;
};
