import { type Input, type Plan, shellText } from '../../contract/index.ts';
import { nearest } from '../nearest.ts';
import { valuesWanted } from '../validate/keys.ts';

/**
 * `cd {APP}` on a page that says nothing of APP: whoever runs it is to put something there. It is asked for like an input
 * that the page declares. What is near to one of those is a slip, and is said.
 */
export function askingForValues(plan: Plan): Plan {
  const declared = plan.inputs ?? [];
  const known = declared.map(({ name }) => name);
  const found = plan.steps.flatMap(({ action }) => valuesWanted(shellText(action) ?? '', plan.shell, known));
  const wanted = [...new Set(found)].filter((name) => nearest(name, known) === null);
  if (wanted.length === 0) return plan;
  const inputs: Input[] = wanted.map((name) => ({
    name,
    description: `the page has {${name}} in its place`,
  }));
  return { ...plan, inputs: [...declared, ...inputs] };
}
