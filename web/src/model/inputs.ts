import type { Input } from '@contract';

/** What is in the field of an input: what was typed, or else what the plan proposes. */
export const shownInput = (
  { name, default: usual }: Input,
  typed: Readonly<Record<string, string>>,
): string => typed[name] ?? usual ?? '';

/** Inputs that have neither a value nor a default: without them the plan cannot be run. */
export const missingInputs = (
  inputs: readonly Input[],
  typed: Readonly<Record<string, string>>,
): readonly string[] =>
  inputs
    .filter((input) => input.default === undefined && (typed[input.name] ?? '') === '')
    .map(({ name }) => name);

/** What is sent: only what was typed, and of what the plan declares. */
export const givenInputs = (
  inputs: readonly Input[],
  typed: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    inputs.flatMap(({ name }) => {
      const value = typed[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Values that were written as `name=value`, one a line. */
export const writtenInputs = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
    }),
  );
