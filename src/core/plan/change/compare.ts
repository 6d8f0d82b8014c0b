import { canonical, type Plan, type PlanPatch, type Step } from '../../contract/index.ts';

/** Steps of two plans side by side, in the order of a reader: what went stands before what came. */
export type Row =
  | { kind: 'same' | 'changed'; before: Step; after: Step }
  | { kind: 'removed'; before: Step }
  | { kind: 'added'; after: Step };

/** Lines up two plans by the ids of their steps. A step that moved counts as removed and added. */
export function compareSteps(a: readonly Step[], b: readonly Step[]): Row[] {
  const kept = keptInOrder(a, b);
  const rows: Row[] = [];
  let at = 0;
  for (const after of b) {
    const position = kept.get(after.id);
    if (position === undefined) {
      rows.push({ kind: 'added', after });
      continue;
    }
    // What went just before this step stands before what came there.
    const gone = a.slice(at, position).map((before): Row => ({ kind: 'removed', before }));
    const added: Row[] = [];
    while (rows.at(-1)?.kind === 'added') added.unshift(rows.pop()!);
    rows.push(...gone, ...added);
    const before = a[position]!;
    rows.push({ kind: sameStep(before, after) ? 'same' : 'changed', before, after });
    at = position + 1;
  }
  for (const before of a.slice(at)) rows.push({ kind: 'removed', before });
  return rows;
}

/** Ids of the longest run of steps that both plans have in the same order, with their positions in the first. */
function keptInOrder(a: readonly Step[], b: readonly Step[]): Map<string, number> {
  const positions = new Map(a.map((step, index) => [step.id, index]));
  const shared = b
    .filter((step) => positions.has(step.id))
    .map((step) => ({ id: step.id, at: positions.get(step.id)! }));
  // Patience: `tops[n]` ends the lowest increasing run of length n + 1.
  const tops: number[] = [];
  const previous: number[] = [];
  shared.forEach(({ at }, index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shared[tops[middle]!]!.at < at) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = index;
  });
  const kept = new Map<string, number>();
  for (let index = tops.at(-1) ?? -1; index >= 0; index = previous[index]!)
    kept.set(shared[index]!.id, shared[index]!.at);
  return kept;
}

/** The order in which a step was written does not count. */
const sameStep = (a: Step, b: Step): boolean => a === b || canonical(a) === canonical(b);

/**
 * The patch for a plan that a person has edited as a file. A file does not say where a step came from or which one it
 * repairs: that stays as it was.
 */
export function editedPatch(plan: Plan, edited: Plan): PlanPatch {
  const known = new Map(plan.steps.map((step) => [step.id, step]));
  const steps = edited.steps.map(({ source: _source, repairs: _repairs, ...written }): Step => {
    const { source, repairs } = known.get(written.id) ?? {};
    return { ...written, ...(source === undefined ? {} : { source }), ...(repairs && { repairs }) };
  });
  return diffPlans(plan, { ...edited, steps });
}

/** The patch that makes the steps of `b` out of those of `a`. What a plan says besides its steps is not part of it. */
export function diffPlans(a: Plan, b: Plan): PlanPatch {
  const rows = compareSteps(a.steps, b.steps);
  const patch: PlanPatch = rows.flatMap((row) =>
    row.kind === 'removed' ? [{ op: 'remove' as const, stepId: row.before.id }] : [],
  );
  let pending: Step[] = [];
  const flush = (before: string | null) => {
    if (pending.length > 0) patch.push({ op: 'insert', before, steps: pending });
    pending = [];
  };
  for (const row of rows) {
    if (row.kind === 'added') pending.push(row.after);
    if (row.kind === 'same' || row.kind === 'changed') flush(row.after.id);
    if (row.kind === 'changed') patch.push({ op: 'replace', stepId: row.after.id, step: row.after });
  }
  flush(null);
  return patch;
}
