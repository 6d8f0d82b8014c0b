import type { RestoreAction, StepResult } from '../../core/contract/index.ts';
import { conflictWords, undoneSummary, undoneWord } from '../../core/contract/told/index.ts';
import { type AttemptWork, failedResult, nothingToDo, type RestoreOutcome } from '../../core/run/index.ts';
import { recorderOf } from './record-output.ts';
import { describeAbort } from './results.ts';
import type { Attempt, Tools } from './tools.ts';

/**
 * Puts back what a run changed. What it overwrites is kept in a checkpoint that is durable first, so that this can be
 * undone in turn; after a crash it goes on with the same one. Never throws.
 */
export async function attemptRestore(
  action: RestoreAction,
  { work, hooks, checkpoints, tools }: Attempt,
): Promise<StepResult> {
  if (checkpoints === undefined) return failedResult('unsupported', 'there are no checkpoints here');
  const startedAt = tools.clock.now();
  const done = await checkpoints.restore(
    { ranges: action.ranges, overwrite: action.overwrite, begun: work.begun },
    { signal: hooks.signal, begun: (checkpoint) => hooks.checkpointed('before', checkpoint) },
  );
  const durationMs = Math.max(0, tools.clock.now() - startedAt);
  if (!done.ok) return { ...failedResult('not-started', done.message), durationMs };
  await hooks.checkpointed('after', done.after);
  const output = await writeLines(linesOf(done), work, tools);
  const { restored, left, leftCount, failedCount } = done;
  const base = {
    ...nothingToDo(sentenceOf(done)),
    ...output,
    durationMs,
    restored: { count: restored.length, left, leftCount },
  };
  if (done.stopped) {
    const { why, message } = describeAbort(hooks.signal.reason, durationMs);
    return { ...base, why, message: `${message}; ${base.message}` };
  }
  return failedCount === 0 ? base : { ...base, why: 'internal' };
}

const paths = (count: number): string => (count === 1 ? '1 path' : `${count} paths`);

function sentenceOf({ restored, left, leftCount, failedCount }: Extract<RestoreOutcome, { ok: true }>) {
  const parts = [restored.length === 0 ? 'nothing put back' : undoneSummary(restored)];
  const conflicts = leftCount - failedCount;
  if (conflicts > 0) parts.push(`left ${paths(conflicts)} alone`);
  if (failedCount > 0) parts.push(`${paths(failedCount)} could not be put back: ${left[0]?.why ?? ''}`);
  return parts.join(', ');
}

const linesOf = ({ restored, left, leftCount }: Extract<RestoreOutcome, { ok: true }>): string[] => [
  ...restored.map(({ path, kind }) => `${undoneWord(kind)} ${path}`),
  ...left.map(({ path, why }) => `left alone ${path}: ${conflictWords(why)}`),
  ...(leftCount > left.length ? [`and ${leftCount - left.length} more left alone`] : []),
];

async function writeLines(lines: string[], work: AttemptWork, tools: Tools) {
  try {
    const recorder = await recorderOf(work, tools);
    // Not waited for: what is ended at once is written with its end.
    void recorder.take('stdout', Buffer.from(lines.map((line) => `${line}\n`).join('')));
    const { problem: _, ...recorded } = await recorder.finish();
    return recorded;
  } catch {
    // What was to be put back is back: a log that cannot be opened does not undo it.
    return {};
  }
}
