import { actionText, type RunState, stepState } from '@contract';
import { numberOf } from '@told';
import { matches } from './match.ts';
import { type Mend, mendsOf } from './mending.ts';

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

/** A correction with its place: after which attempt, and the steps it brought. */
interface Branch {
  mend: Mend | null;
  attempt: number;
  stepIds: readonly string[];
}

/** Repairs of which no correction tells still stand as one branch before what they mend. */
function branchesOf(mends: readonly Mend[], repairs: readonly string[]): Branch[] {
  const branches = mends.map((mend) => ({ mend, attempt: mend.attemptIndex, stepIds: mend.stepIds }));
  const covered = new Set(branches.flatMap(({ stepIds }) => stepIds));
  const loose = repairs.filter((id) => !covered.has(id));
  return loose.length === 0 ? branches : [{ mend: null, attempt: 0, stepIds: loose }, ...branches];
}

export function layoutSpine(run: RunState): SpineRow[] {
  const plan = run.plan!;
  const rows: Draft[] = [];
  const mends = Map.groupBy(
    mendsOf(run).filter(({ status }) => status !== 'refused'),
    ({ stepId }) => stepId,
  );
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
    const branches = branchesOf(mends.get(stepId) ?? [], repairs.get(stepId) ?? []);
    const blank = { kind: 'step', stepId, lane, number, attempt: null, again: false, mend: null } as const;
    branches.forEach(({ mend, attempt, stepIds }, index) => {
      // Two corrections of one failure share its row.
      if (branches[index - 1]?.attempt !== attempt)
        rows.push({ ...blank, key: `${stepId}#${attempt}`, attempt, again: index > 0 });
      for (const id of stepIds) place(id, 1);
      if (stepIds.length === 0)
        rows.push({ ...blank, key: `${stepId}~${mend?.id}`, kind: 'mend', lane: 1, number: null, mend });
    });
    rows.push({ ...blank, key: stepId, again: branches.length > 0 });
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

/** The next row down, and round again, of a step that failed or was interrupted; undefined where there is none. */
export function nextFailed(
  rows: readonly SpineRow[],
  run: RunState,
  from: string | null,
): SpineRow | undefined {
  const at = rows.findIndex(({ stepId, attempt }) => stepId === from && attempt === null);
  const isFailed = ({ stepId, attempt, kind }: SpineRow) => {
    const status = stepState(run, stepId)?.status;
    return kind === 'step' && attempt === null && (status === 'failed' || status === 'interrupted');
  };
  return rows.slice(at + 1).find(isFailed) ?? rows.find(isFailed);
}

/** The rows whose step is like that; all of them where nothing is asked for. Their lines are drawn as before. */
export function filterSpine(
  rows: readonly SpineRow[],
  run: RunState,
  { query, onlyFailed }: { query: string; onlyFailed: boolean },
): readonly SpineRow[] {
  const wanted = query.trim();
  if (wanted === '' && !onlyFailed) return rows;
  const steps = new Map(run.plan?.steps.map((step) => [step.id, step]));
  return rows.filter(({ stepId, attempt, number }) => {
    const status = stepState(run, stepId)?.status;
    if (onlyFailed && attempt === null && status !== 'failed' && status !== 'interrupted') return false;
    const step = steps.get(stepId);
    if (wanted === '' || step === undefined) return true;
    return matches(`${number ?? ''} ${step.title} ${actionText(step.action).text}`, wanted);
  });
}
