import type { Plan } from '@contract';
import type { Chronicle } from './chronicle.ts';
import type { Mend } from './mending.ts';
import { numberOf } from './numbering.ts';

/**
 * The spine as rows. A step that was mended is drawn like a branch of a git graph:
 *
 *   ●  5  Publish          the attempt that failed       lane 0
 *   ├╮
 *   ┊ ●   Create assets    what the correction added     lane 1
 *   ├╯
 *   ○  5  Publish, again   the attempt that came of it   lane 0
 */
export interface SpineRow {
  key: string;
  kind: 'step' | 'mend';
  stepId: string;
  lane: 0 | 1;
  /** Which attempt this row stands for; null: the step as it is now. */
  attempt: number | null;
  number: number | null;
  /** The step was attempted and mended above. */
  again: boolean;
  mend: Mend | null;
  /** The lanes that the lines to the rows above and below lead to; null at the ends. */
  from: 0 | 1 | null;
  to: 0 | 1 | null;
}

type Draft = Omit<SpineRow, 'from' | 'to'>;

/** Where no correction is known of, repairs still stand as one branch before what they mend. */
function mendsOf(stepId: string, repairs: readonly string[], chronicle: Chronicle): Mend[] {
  const known = chronicle.mendsOf(stepId).filter(({ status }) => status !== 'refused');
  const covered = new Set(known.flatMap(({ stepIds }) => stepIds));
  const loose = repairs.filter((id) => !covered.has(id));
  if (loose.length === 0) return [...known];
  return [
    {
      id: `of-${stepId}`,
      stepId,
      afterAttempt: 0,
      at: 0,
      seq: 0,
      correction: null,
      stepIds: loose,
      byPerson: false,
      status: 'applied',
      message: null,
      revision: null,
    },
    ...known,
  ];
}

export function layoutSpine(plan: Plan, chronicle: Chronicle): SpineRow[] {
  const rows: Draft[] = [];
  const repairs = new Map<string, string[]>();
  const present = new Set(plan.steps.map(({ id }) => id));
  for (const { id, repairs: target } of plan.steps) {
    if (target !== undefined && present.has(target))
      repairs.set(target, [...(repairs.get(target) ?? []), id]);
  }
  const placed = new Set<string>();
  const place = (stepId: string, lane: 0 | 1): void => {
    if (placed.has(stepId)) return;
    placed.add(stepId);
    const number = numberOf(plan, stepId);
    const mends = mendsOf(stepId, repairs.get(stepId) ?? [], chronicle);
    const blank = { kind: 'step', stepId, lane, number, attempt: null, again: false, mend: null } as const;
    mends.forEach((mend, index) => {
      // Two corrections of one failure share its row.
      if (mends[index - 1]?.afterAttempt !== mend.afterAttempt || index === 0)
        rows.push({
          ...blank,
          key: `${stepId}#${mend.afterAttempt}`,
          attempt: mend.afterAttempt,
          again: index > 0,
        });
      const added = mend.stepIds.filter((id) => present.has(id));
      for (const id of added) place(id, 1);
      if (added.length === 0)
        rows.push({ ...blank, key: `${stepId}~${mend.id}`, kind: 'mend', lane: 1, number: null, mend });
    });
    rows.push({ ...blank, key: stepId, again: mends.length > 0 });
  };
  for (const { id, repairs: target } of plan.steps)
    if (target === undefined || !present.has(target)) place(id, 0);
  for (const { id } of plan.steps) place(id, 1);
  return rows.map((row, at) => ({
    ...row,
    from: rows[at - 1]?.lane ?? null,
    to: rows[at + 1]?.lane ?? null,
  }));
}
