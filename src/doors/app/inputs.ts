import type { Input, Plan } from '../../core/contract/index.ts';
import { nearest } from '../../core/plan/nearest.ts';
import { AppError } from './errors.ts';

/** Reads `KEY=VALUE` pairs. A key that the plan declares is suggested where one is misspelt. */
export function readInputs(plan: Plan, pairs: readonly string[]): Record<string, string> {
  const declared = plan.inputs?.map(({ name }) => name) ?? [];
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const key = pair.slice(0, at);
      if (at < 1) throw new AppError('usage', `--set takes KEY=VALUE, not ${JSON.stringify(pair)}`);
      if (declared.length > 0 && !declared.includes(key)) {
        const near = nearest(key, declared);
        const hint = near === null ? `it has ${declared.join(', ')}` : `did you mean ${near}?`;
        throw new AppError('usage', `the plan has no input ${key}; ${hint}`);
      }
      return [key, pair.slice(at + 1)];
    }),
  );
}

/**
 * A value for every input that the plan declares: given, asked of a person, or its default. Throws where one is
 * missing and nobody can be asked.
 */
export async function completeInputs(
  plan: Plan,
  given: Record<string, string>,
  ask: ((input: Input) => Promise<string>) | null,
): Promise<Record<string, string>> {
  const values = { ...given };
  const missing: string[] = [];
  for (const input of plan.inputs ?? []) {
    if (values[input.name] !== undefined) continue;
    if (ask !== null) values[input.name] = await ask(input);
    else if (input.default !== undefined) values[input.name] = input.default;
    else missing.push(input.name);
  }
  if (missing.length === 0) return values;
  const flags = missing.map((name) => `--set ${name}=VALUE`).join(' ');
  throw new AppError('input-missing', `the plan needs ${missing.join(', ')}: give ${flags}`);
}
