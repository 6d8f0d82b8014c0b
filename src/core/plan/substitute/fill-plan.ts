import { fieldsOf, innermost, type Plan, type Step } from '../../contract/index.ts';
import { substitute, substituteText } from './substitute.ts';

/**
 * The plan as a person wants to see it before it runs: with the values of its inputs where they will be put. What a step
 * makes by then, what is secret and what cannot be put in stays as it is written.
 */
export function fillPlan(plan: Plan, given: Readonly<Record<string, string>>): Plan {
  const made = new Set(plan.steps.flatMap(madeBy));
  const known = Object.fromEntries(
    (plan.inputs ?? []).flatMap(({ name, default: usual, secret }) => {
      const value = given[name] ?? usual;
      return value === undefined || secret === true || made.has(name) ? [] : [[name, value]];
    }),
  );
  if (Object.keys(known).length === 0) return plan;
  const text = (written: string) => substituteText(written, known);
  const action = <T extends Step['action']>(written: T): T => {
    const filled = substitute(written, known, { shell: plan.shell });
    return filled.ok ? (filled.action as T) : written;
  };
  const filled = plan.steps.map(({ expects, undo, env, ...step }) => ({
    ...step,
    action: action(step.action),
    ...(expects === undefined ? {} : { expects: text(expects) }),
    ...(undo === undefined ? {} : { undo: action(undo) }),
    ...(env === undefined
      ? {}
      : { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, text(value)])) }),
  }));
  return { ...plan, steps: filled };
}

const madeBy = ({ action }: Step): string[] => {
  const inner = innermost(action);
  if (inner.kind === 'restore') return [];
  return fieldsOf(inner).flatMap(({ slot, value }) => (slot.slot === 'as' ? [String(value)] : []));
};
