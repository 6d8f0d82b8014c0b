import { z } from 'zod';

/** Facts are written by the driver. `answers` is the sequence number of the request that a fact answers. */
export const fact = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ v: z.literal(1), type: z.literal(type), at: z.number(), ...shape });

export const answers = z.int().positive();
export const item = z.int().min(0);
export const attempt = { stepId: z.string(), attemptIndex: z.int().min(0) };
