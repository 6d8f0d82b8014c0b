import { needsPerson, type TaskRow } from '../../../core/contract/tasks/index.ts';
import type { Context } from '../context.ts';

/** Calls whoever sits at the terminal where the task needs them, or is through; what is no terminal hears nothing. */
export function ring({ stderr }: Context, row: TaskRow): void {
  if (stderr.isTTY === true && (needsPerson(row) || row.endedAt !== null)) stderr.write('\x07');
}
