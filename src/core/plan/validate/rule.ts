import {
  isLoop,
  type LoopAction,
  type Plan,
  type SimpleAction,
  type Step,
  toolParts,
} from '../../contract/index.ts';
import { type BashScript, bashCommands } from '../../shell/index.ts';
import type { Problem, Severity } from '../problem.ts';
import type { ProblemCode } from '../problem-codes.ts';

/** One simple action of a step: what it performs, what its loop repeats, or what undoes it. */
export interface ActionView {
  action: SimpleAction;
  loop: LoopAction['kind'] | null;
  role: 'do' | 'undo';
}

export interface CheckedStep {
  step: Step;
  index: number;
  actions: readonly ActionView[];
}

/** What every rule gets: the plan, its actions laid out, and shell texts read once. */
export interface PlanView {
  plan: Plan;
  steps: readonly CheckedStep[];
  bash: (text: string) => BashScript;
}

export type PlanRule = (view: PlanView) => Problem[];

export function viewOf(plan: Plan): PlanView {
  const scripts = new Map<string, BashScript>();
  return {
    plan,
    steps: plan.steps.map((step, index) => ({ step, index, actions: actionsOf(step) })),
    bash(text) {
      const known = scripts.get(text);
      if (known !== undefined) return known;
      const script = bashCommands(text);
      scripts.set(text, script);
      return script;
    },
  };
}

function actionsOf(step: Step): ActionView[] {
  const views: ActionView[] = [];
  for (const [action, role] of [
    [step.action, 'do'],
    [step.undo, 'undo'],
  ] as const) {
    if (action === undefined || action.kind === 'restore') continue;
    const single = isLoop(action) ? action.do : action;
    const loop = isLoop(action) ? action.kind : null;
    // A tool is also what it stands for: whatever holds for that holds for it.
    const parts = single.kind === 'call-tool' ? (toolParts(single) ?? []) : [];
    for (const each of [single, ...parts]) views.push({ action: each, loop, role });
  }
  return views;
}

/** A problem of a step, pointing at where the step was written. */
export function problemOf(
  view: CheckedStep,
  code: ProblemCode,
  severity: Severity,
  message: string,
  mend: string,
): Problem {
  const { id, source } = view.step;
  return {
    code,
    severity,
    message: `Step ${view.index + 1}: ${message}`,
    step: id,
    ...(source !== undefined && { source: { file: source.file, line: source.line, col: 1 } }),
    mend,
  };
}

/** Every text in a value, letter by letter: an escaped one could hide a secret from its pattern. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
