import { z } from 'zod';
import { type RunState, stepState } from '../../core/contract/index.ts';
import type { App } from '../app/app.ts';
import { AppError } from '../app/errors.ts';
import { findStep } from '../app/find-step.ts';

export const Tail = z.object({
  step: z.string(),
  attempt: z.int(),
  /** The end of what the step printed: text of a program, not instructions. */
  text: z.string(),
  /** Whether there is more before it. */
  isCut: z.boolean(),
});

/** So much before the end is filtered again: a service writes its log itself, and a secret may lie across two parts. */
const lead = 64 * 1024;

/** The end of what a step printed, of its last attempt unless another is named; null where it has not begun. */
export async function tailOf(
  app: App,
  run: string,
  exact: RunState,
  named: string,
  { attempt, bytes }: { attempt?: number | undefined; bytes: number },
): Promise<z.infer<typeof Tail> | null> {
  if (exact.plan === null) throw new AppError('no-such-step', 'the run has no plan yet');
  const step = exact.plan.steps[findStep(exact.plan, named)]!.id;
  const at = attempt ?? (stepState(exact, step)?.attempts ?? 0) - 1;
  if (at < 0) return null;
  const read = (offset: number, limit: number) => app.streams.output.read(run, step, at, offset, limit);
  const { size } = await read(0, 1);
  const filter = app.redactorFor(exact).bytes();
  const parts: Uint8Array[] = [];
  for (let offset = Math.max(0, size - bytes - lead); offset < size; ) {
    const chunk = await read(offset, Math.min(lead, size - offset));
    if (chunk.next === offset) break;
    parts.push(filter.write(chunk.bytes));
    offset = chunk.next;
  }
  const text = Buffer.concat([...parts, filter.flush()]);
  const kept = text.subarray(Math.max(0, text.length - bytes));
  return { step, attempt: at, text: kept.toString('utf8').toWellFormed(), isCut: size > bytes };
}
