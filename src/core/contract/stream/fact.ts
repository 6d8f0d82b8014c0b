import { z } from 'zod';

/** Facts are written by the driver. `answers` is the sequence number of the request that a fact answers. */
export const fact = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ v: z.literal(1), type: z.literal(type), at: z.number(), ...shape });

export const answers = z.int().positive();
export const item = z.int().min(0);
export const attempt = { stepId: z.string(), attemptIndex: z.int().min(0) };

/** Whether an event is one of these, by its type. The schemas are read when that is first asked: most starts never do. */
export function isOneOf(
  schemas: () => readonly { shape: { type: { value: string } } }[],
): (event: { type: string }) => boolean {
  let types: ReadonlySet<string> | undefined;
  return ({ type }) => {
    types ??= new Set(schemas().map(({ shape }) => shape.type.value));
    return types.has(type);
  };
}
