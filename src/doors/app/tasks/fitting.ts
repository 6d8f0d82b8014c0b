import type { z } from 'zod';
import { AppError } from '../errors.ts';

/** What somebody said, as its schema has it. Throws an AppError that says what does not fit, and where. */
export function fitting<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const told = read.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  );
  throw new AppError('usage', told.join('; '));
}
