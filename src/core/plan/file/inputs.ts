import { z } from 'zod';
import type { Input } from '../../contract/index.ts';
import { InputItem } from './schema.ts';
import { nodeAt, type ReadFault, type Tree } from './tree.ts';

/** Inputs as a plan has them, or null where they are not written as inputs. */
export function inputsOf(value: unknown): Input[] | null {
  const parsed = z.array(InputItem).safeParse(value);
  return parsed.success ? parsed.data.map(toInput) : null;
}

export function toInput(item: z.infer<typeof InputItem>): Input {
  if (typeof item === 'string') return { name: item };
  const { description, default: value, secret } = item;
  return {
    name: item.name,
    ...(description !== undefined && { description }),
    ...(value !== undefined && { default: String(value) }),
    ...(secret !== undefined && { secret }),
  };
}

/** Names that cannot be one, and names that are there twice. */
export function repeatedInputs(tree: Tree, value: unknown): ReadFault[] {
  const inputs = (value as { inputs?: unknown } | null)?.inputs;
  if (!Array.isArray(inputs)) return [];
  const seen = new Set<unknown>();
  return inputs.flatMap((input, index): ReadFault[] => {
    const name: unknown = typeof input === 'object' && input !== null ? (input as Input).name : input;
    const { pos } = nodeAt(tree, ['inputs', index]);
    if (typeof name !== 'string') return [];
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof input === 'string') {
      const message = `"${name.slice(0, 60)}" is not the name of an input.`;
      return [{ code: 'wrong-type', message, pos, mend: 'Use letters, digits and underscores.' }];
    }
    if (seen.has(name)) {
      const message = `The input \`${name}\` is there twice.`;
      return [{ code: 'duplicate-input', message, pos, mend: 'Keep one of them.' }];
    }
    seen.add(name);
    return [];
  });
}
