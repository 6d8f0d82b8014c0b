import type { StepState, StepStatus } from '@contract';
import type { Attempt } from './chronicle.ts';

/** One item of a loop, with what became of it. */
export interface ItemRow {
  /** From 0. */
  item: number;
  /** What it is; null for the turns of a REPEAT. */
  name: string | null;
  state: 'done' | 'failed' | 'running' | 'interrupted' | 'pending';
  /** How often it was attempted. */
  attempts: number;
  /** The last one; null where there was none. */
  attempt: Attempt | null;
}

/** Every item of a loop in its order; null for a step that is none, or whose items nobody knows yet. */
export function itemsOf(
  { loop, status }: Pick<StepState, 'loop' | 'status'>,
  attempts: readonly Attempt[],
): ItemRow[] | null {
  if (loop === null) return null;
  const last = new Map<number, { attempt: Attempt; attempts: number }>();
  for (const attempt of attempts) {
    if (attempt.item === null) continue;
    last.set(attempt.item, { attempt, attempts: (last.get(attempt.item)?.attempts ?? 0) + 1 });
  }
  return Array.from({ length: loop.count }, (_, item): ItemRow => {
    const { attempt = null, attempts: tries = 0 } = last.get(item) ?? {};
    const state = attempt?.outcome ?? untold(item, loop.done, status);
    return { item, name: loop.items?.[item] ?? null, state, attempts: tries, attempt };
  });
}

/** Where the past has not been read yet, the run still tells how far it came and what became of the item after that. */
function untold(item: number, done: number, status: StepStatus): ItemRow['state'] {
  if (item < done) return 'done';
  if (item === done && (status === 'failed' || status === 'running' || status === 'interrupted'))
    return status;
  return 'pending';
}

/** What all attempts of a loop took together. */
export const loopTime = (attempts: readonly Attempt[]): number =>
  attempts.reduce((sum, { result }) => sum + (result?.durationMs ?? 0), 0);

/** How long a step took: its last attempt, or what the items of a loop took so far. Null where it runs, or has not. */
export function tookOf(
  { status, result, loop, attempts: begun }: StepState,
  attempts: readonly Attempt[],
): number | null {
  if (loop !== null) return begun === 0 || status === 'running' ? null : loopTime(attempts);
  return status === 'pending' ? null : (result?.durationMs ?? null);
}
