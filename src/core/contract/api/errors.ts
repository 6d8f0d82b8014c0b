import { z } from 'zod';
import { Problem } from './plans.ts';

/** Every answer that is no success. The message is a sentence for a person; the code is for programs. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    /** What is wrong with a plan, line by line. */
    problems: z.array(Problem).optional(),
  }),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** Whether an answer says why, by the parts that are read of it. */
export function isErrorBody(said: unknown): said is ErrorBody {
  const { code, message } = (said as Partial<ErrorBody> | null)?.error ?? {};
  return typeof code === 'string' && typeof message === 'string';
}

/** The server said no, or could not be reached (`status` 0, code `unreachable`). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly problems: ErrorBody['error']['problems'];

  constructor(status: number, { error }: ErrorBody, cause?: unknown) {
    super(error.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = error.code;
    this.problems = error.problems;
  }
}
